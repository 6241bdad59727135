import assert from 'node:assert/strict';
import type { OpenSocket } from '../../../src/devtools/protocol/connect';
import type { MessageTransport } from '../../../src/devtools/protocol/webSocket';
import { Relay, type RelayOptions } from '../../../src/debugger/relay';
import { SourceLocations } from '../../../src/console/sourceLocations';
import { MemoryDebugger, type Message, messageOf } from '../../standins/memoryDebugger';
import { TestClock } from '../../support/testClock';
import { IN_MEMORY } from '../../support/devToolsAddress';

/** The extension that is debugged, and another one. */
export const ID = 'abcdefghijklmnop'.repeat(2);
export const OTHER = 'ponmlkjihgfedcba'.repeat(2);

/** The numbers of the relay's own commands begin here. */
const FIRST_OWN_ID = 1_000_000_000;

/** A target, as far as a test says something of it. */
export interface TargetInfo {
  targetId: string;
  type: string;
  url: string;
  title?: string;
  browserContextId?: string;
  openerId?: string;
  canAccessOpener?: boolean;
}

/** The targets that tests begin with. */
export const WORKER: TargetInfo = {
  targetId: 'worker-target',
  type: 'service_worker',
  url: `chrome-extension://${ID}/worker.js`,
};
export const PAGE: TargetInfo = { targetId: 'page-target', type: 'page', url: `chrome-extension://${ID}/page.html` };

/** The browser's end of a connection, in memory. */
export class MemoryBrowser {
  readonly sent: Message[] = [];
  /** Commands that are not answered. */
  readonly silent = new Set<string>();
  /** What commands are answered with; all others with nothing. */
  readonly results = new Map<string, object>();
  isOpen = false;
  opened = 0;
  pings = 0;
  #transport: MessageTransport | undefined;
  /** The outcome of the next attempts to connect; all later ones succeed. */
  refusals = 0;

  readonly open: OpenSocket = (_url, signal) => {
    signal?.throwIfAborted();
    this.opened += 1;
    if (this.refusals-- > 0) return Promise.reject(new Error('refused'));
    const transport: MessageTransport = {
      send: (text) => {
        assert.ok(this.isOpen, 'Something is sent over a closed connection.');
        const message = messageOf(text);
        this.sent.push(message);
        const { id, method, sessionId } = message;
        if (this.silent.has(method) || id === undefined) return;
        setImmediate(() => {
          this.#receive({ id, result: this.results.get(method) ?? {}, sessionId });
        });
      },
      ping: () => {
        this.pings += 1;
      },
      close: () => {
        this.isOpen = false;
      },
    };
    this.#transport = transport;
    this.isOpen = true;
    return Promise.resolve(transport);
  };

  /** Sends an event. */
  emit(method: string, params: object = {}, sessionId = ''): void {
    this.#receive({ method, params, sessionId });
  }

  /** Sends what may be no message at all. */
  receiveText(text: string): void {
    this.#transport?.onmessage?.(text);
  }

  /** Attaches to a target by itself. */
  attach(sessionId: string, targetInfo: TargetInfo, { parent = '', isWaiting = false } = {}): void {
    this.emit(
      'Target.attachedToTarget',
      { sessionId, targetInfo: { title: '', ...targetInfo }, waitingForDebugger: isWaiting },
      parent,
    );
  }

  /** A target is something else now. */
  change(targetInfo: TargetInfo): void {
    this.emit('Target.targetInfoChanged', { targetInfo: { title: '', ...targetInfo } });
  }

  /** Answers a command that is in `silent`, the last one sent of this name. */
  answer(method: string, result: object = {}): void {
    const { id, sessionId } = this.#lastOf(method);
    this.#receive({ id, result, sessionId });
  }

  /** Refuses such a command. */
  refuse(method: string): void {
    const { id, sessionId } = this.#lastOf(method);
    this.#receive({ id, error: { code: -32_000, message: 'Debugger agent is not enabled' }, sessionId });
  }

  #lastOf(method: string): Message {
    return this.sent.findLast((message) => message.method === method) ?? assert.fail(`${method} was not sent`);
  }

  /** Ends the connection, as a restart does. */
  lose(): void {
    this.isOpen = false;
    this.#transport?.onclose?.();
  }

  /** The commands to a session, in order. */
  commands(sessionId: string): string[] {
    return this.sent.filter((message) => message.sessionId === sessionId).map(({ method }) => method);
  }

  #receive({ sessionId, ...message }: { sessionId: string; [field: string]: unknown }): void {
    const text = JSON.stringify(sessionId === '' ? message : { ...message, sessionId });
    this.#transport?.onmessage?.(text);
  }
}

/** A relay between a browser and a debugger in memory, by a clock that the test moves. */
export class RelayStage {
  readonly events: string[] = [];
  /** At each change of the workers, whether there was one. */
  readonly hadWorker: boolean[] = [];

  private constructor(
    readonly relay: Relay,
    readonly browser: MemoryBrowser,
    readonly client: MemoryDebugger,
    readonly clock: TestClock,
  ) {
    for (const name of ['attached', 'pause', 'restart', 'end'] as const) {
      relay.events.on(name, () => this.events.push(name));
    }
    relay.events.on('worker', () => this.hadWorker.push(relay.hasWorker));
  }

  /** A relay to which the debugger has attached, with breakpoints of the made-up page. */
  static async attached(options: Partial<RelayOptions> = {}, breakpoints: readonly object[] = []): Promise<RelayStage> {
    const stage = await RelayStage.start(options);
    stage.client.attach(breakpoints);
    await stage.clock.idle();
    assert.deepEqual(stage.events, ['attached']);
    return stage;
  }

  /** A relay to which no debugger has come. */
  static async start(
    options: Partial<RelayOptions> = {},
    browser = new MemoryBrowser(),
    client = new MemoryDebugger(),
  ): Promise<RelayStage> {
    const clock = new TestClock();
    const relay = await Relay.start(
      {
        extensionId: ID,
        name: 'Stage',
        matches: (url) => url.startsWith('https://ours.test/'),
        address: () => Promise.resolve(IN_MEMORY),
        locations: new SourceLocations(ID, undefined),
        log: { debug: () => undefined },
        ...options,
      },
      { open: browser.open, clock, listen: client.listen },
    );
    const stage = new RelayStage(relay, browser, client, clock);
    return stage;
  }

  /** A worker that the debugger has set breakpoints in, and lets run. */
  async worker(sessionId = 'worker', target = WORKER): Promise<void> {
    this.browser.attach(sessionId, target, { isWaiting: true });
    this.client.begin(sessionId, 'service_worker');
    await this.clock.idle();
  }

  /** The commands to a session since the last call of it. */
  since(sessionId: string): string[] {
    const all = this.browser.commands(sessionId);
    const known = this.#known.get(sessionId) ?? 0;
    this.#known.set(sessionId, all.length);
    return all.slice(known);
  }

  readonly #known = new Map<string, number>();

  /** Ends the relay; fails when js-debug would have failed. */
  end(): void {
    this.relay.close();
    assert.deepEqual(this.client.faults, []);
  }
}

/** Whether a command is one of the relay's own. */
export function isOwn({ id }: Message): boolean {
  return id !== undefined && id >= FIRST_OWN_ID;
}
