import { EventEmitter } from 'node:events';
import { textField } from '../base/fields';
import { connectionLost, realWiring, type ConnectionWiring } from '../devtools/protocol/connect';
import { HiddenTargets } from '../devtools/protocol/hiddenTargets';
import type { WorkerDebugger } from '../devtools/workers/workerDebuggers';
import type { DevToolsAddress } from '../service/devToolsAddress';
import { RelayChildren } from './relayChildren';
import { messageText, readCommand, type RelayMessage } from './relayMessage';
import { newRootIds, rootAnswer, rootInfo, type RootOptions } from './relayRoot';
import { listenForDebugger, type RelayClientEvents, type RelayPort } from './relayServer';
import { ATTACHED_TYPES, type TargetFilter } from './relayTargets';
import type { SourceLocations } from '../console/sourceLocations';
import type { ServedScripts } from './servedScripts';
import { RelayUpstream } from './relayUpstream';
import { UrlBreakpoints } from './urlBreakpoints';

/** Pause before another attempt to reach the browser, in milliseconds. */
const RETRY_MS = 300;

/** How long the debugger may take to connect, in milliseconds. */
const CLIENT_LIMIT_MS = 60_000;

/** How long the debugger may take to attach to a page, in milliseconds (C-TIME-DEBUGGER). */
const READY_LIMIT_MS = 5000;

/** Pause between two polls whether it has, in milliseconds. */
const READY_POLL_MS = 10;

export interface RelayOptions extends TargetFilter, RootOptions {
  /** The address of the browser's DevTools now; undefined when the browser has ended for good. */
  address: () => Promise<DevToolsAddress | undefined>;
  /** Names the locations where workers are paused. */
  locations: SourceLocations;
  /** The scripts of development servers, which the debugger would take for others. */
  served?: ServedScripts;
  /** Whether another relay debugs an extension in the same browser. */
  isDebugged?: (extensionId: string) => boolean;
  /** The hidden pages that this process opens in the browser, which the debugger does not see; without it, there are none. */
  hidden?: HiddenTargets;
  /** Whether tabs that content scripts can run in wait, when they are opened, until the debugger has set its breakpoints. */
  holdsTabs?: boolean;
  /** Whether `show` is called: then no other pauses are reported, since the debugger itself pauses workers to load source maps. */
  saysStops?: boolean;
  log: { debug: (text: string) => void };
}

/** What a relay is made of: a connection to the browser, the time, and the port that the debugger connects to. */
export interface RelayWiring extends ConnectionWiring {
  listen: (events: RelayClientEvents) => Promise<RelayPort>;
}

const REAL_WIRING: RelayWiring = { ...realWiring, listen: listenForDebugger };

interface RelayEvents {
  /** The debugger has attached, and so have the targets that there are; again after a restart of the browser. */
  attached: [];
  /** A worker was paused, or goes on. */
  pause: [];
  /** A worker has its session, or has stopped. */
  worker: [];
  /** The user wants to restart what is debugged. */
  restart: [];
  end: [];
}

/**
 * Shows VS Code's debugger for JavaScript a made-up browser with one page, whose children are the parts of one extension in a real browser:
 * its workers, pages, frames, and the tabs that its content scripts can run in. The debugger expects web pages, which start and end in other
 * ways than workers of extensions; each of the rules in these files makes up for a difference.
 */
export class Relay implements WorkerDebugger {
  readonly events = new EventEmitter<RelayEvents>();
  readonly #ids = newRootIds();
  readonly #breakpoints = new UrlBreakpoints();
  #server: RelayPort | undefined;
  #upstream: RelayUpstream | undefined;
  #children: RelayChildren | undefined;
  readonly #end = new AbortController();
  #isAttached = false;

  private constructor(
    private readonly options: RelayOptions,
    private readonly wiring: RelayWiring,
  ) {}

  /**
   * Connects to the browser and begins to listen for the debugger.
   * @throws DevToolsError when the browser does not accept the connection, or has ended
   */
  static async start(options: RelayOptions, wiring: RelayWiring = REAL_WIRING): Promise<Relay> {
    const relay = new Relay(options, wiring);
    try {
      await relay.#connect();
      await relay.#listen();
    } catch (error) {
      relay.close();
      throw error;
    }
    wiring.clock
      .after(CLIENT_LIMIT_MS, () => {
        if (!relay.#isAttached) relay.close();
      })
      .unref();
    return relay;
  }

  get extensionId(): string {
    return this.options.extensionId;
  }

  /** Where the debugger finds it, on 127.0.0.1. */
  get port(): number {
    return this.#server?.port ?? 0;
  }

  /** Where the debugger's websocket is: a credential, for its configuration alone. */
  get socketAddress(): string {
    return this.#server?.address ?? '';
  }

  get isClosed(): boolean {
    return this.#end.signal.aborted;
  }

  get isAttached(): boolean {
    return this.#isAttached;
  }

  /** Whether a worker of the extension runs, which the debugger keeps awake. */
  get hasWorker(): boolean {
    return (this.#children?.workers.length ?? 0) > 0;
  }

  /**
   * Where a worker is paused, by its target; without one, any worker of the extension: `path:line:column`, in the source where a source map
   * leads there. Undefined while it runs.
   */
  pausedAt(targetId?: string): string | undefined {
    const workers = this.#children?.workers ?? [];
    const paused = workers.filter(({ pausedAt }) => pausedAt !== undefined);
    return paused.find((worker) => targetId === undefined || worker.targetId === targetId)?.pausedAt;
  }

  /** To be called when the debugger shows the user that a part has stopped, by the session of its target. */
  show(sessionId: string): void {
    this.#children?.show(sessionId);
  }

  /** Whether a page, or a frame in it, is paused. */
  isPagePaused(targetId: string): boolean {
    return this.#children?.isPagePaused(targetId) ?? false;
  }

  /**
   * Lets the workers go that are paused at their start, without further pauses, before a reload of the extension, which would not end them
   * (C-WORKER-PAUSED). Resolves in a second at most. `restore` takes it back for those that live on.
   */
  async release(): Promise<void> {
    // The worker that comes may be of another build, in which the same place is from another line of the source.
    this.options.locations.forget();
    await Promise.all(this.#children?.workers.map((worker) => worker.release()) ?? []);
  }

  /** Has the workers pause again that were released and still live. */
  async restore(): Promise<void> {
    await Promise.all(this.#children?.workers.map((worker) => worker.restore()) ?? []);
  }

  /** Resolves once the debugger has set its breakpoints in a page that was opened just now, or after a time limit. */
  async untilReady(targetId: string): Promise<void> {
    const { clock } = this.wiring;
    const end = clock.now() + READY_LIMIT_MS;
    while (this.#children?.isReady(targetId) !== true && clock.now() < end && !this.isClosed) {
      await clock.delay(READY_POLL_MS);
    }
  }

  /** Ends the debugger's session and lets run what is paused. */
  close(): void {
    if (this.isClosed) return;
    this.#end.abort();
    // First, because a debugger that has ended fails at what it still receives.
    this.#server?.close();
    this.#children?.end();
    this.#upstream?.close();
    this.events.emit('end');
  }

  async #listen(): Promise<void> {
    const server = await this.wiring.listen({
      onMessage: (text) => {
        this.#guard(() => {
          const message = readCommand(text);
          if (message) this.#onCommand(message);
        });
      },
      onEnd: () => this.close(),
    });
    this.#server = server;
    if (!this.isClosed) return;
    server.close();
    throw connectionLost();
  }

  async #connect(): Promise<void> {
    const address = await this.options.address();
    if (address === undefined) {
      this.close();
      return;
    }
    const { signal } = this.#end;
    const upstream = await RelayUpstream.open(
      address,
      {
        onMessage: (message) => this.#guard(() => this.#children?.onMessage(message)),
        onLost: () => {
          this.#children?.end();
          this.#children = undefined;
          void this.#connectAgain();
        },
      },
      signal,
      this.wiring,
    );
    if (this.isClosed) {
      upstream.close();
      return;
    }
    this.#upstream = upstream;
    this.#children = new RelayChildren(upstream, {
      ...this.options,
      ids: this.#ids,
      clock: this.wiring.clock,
      hidden: this.options.hidden ?? new HiddenTargets(),
      isDebugged: this.options.isDebugged ?? ((): boolean => false),
      saysStops: this.options.saysStops ?? false,
      holdsTabs: this.options.holdsTabs ?? false,
      breakpoints: this.#breakpoints,
      send: (text) => this.#server?.send(text),
      onPause: () => this.events.emit('pause'),
      onWorker: () => this.events.emit('worker'),
    });
  }

  /** After a restart of the browser. */
  async #connectAgain(): Promise<void> {
    const { signal } = this.#end;
    while (!signal.aborted) {
      await this.wiring.clock.delay(RETRY_MS, { ref: false, signal }).catch(() => undefined);
      if (signal.aborted) return;
      try {
        await this.#connect();
        if (this.#isAttached) await this.#attach();
        return;
      } catch (error) {
        this.options.log.debug(`The debugger does not reach the browser yet: ${String(error)}`);
      }
    }
  }

  /** Attaches to what there is, and to all that comes. */
  async #attach(): Promise<void> {
    const upstream = this.#upstream;
    await Promise.all([
      upstream?.ask('Target.setDiscoverTargets', { discover: true }),
      upstream?.ask('Target.setAutoAttach', {
        autoAttach: true,
        waitForDebuggerOnStart: true,
        flatten: true,
        filter: ATTACHED_TYPES,
      }),
      this.options.holdsTabs === true ? this.#children?.holdNavigations() : undefined,
    ]);
    if (this.isClosed) return;
    this.#isAttached = true;
    this.events.emit('attached');
  }

  /** Reads one message: whatever is in it, the process goes on, which is that of all extensions of the editor. */
  #guard(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.options.log.debug(`The debugger's relay has left out a message: ${String(error)}`);
    }
  }

  #onCommand(message: RelayMessage): void {
    const { sessionId, method, params, id } = message;
    if (![this.#ids.browser, this.#ids.root, ''].includes(sessionId)) {
      if (this.#children) this.#children.onCommand(message);
      else this.#answer(message, {});
      return;
    }
    if (id === undefined) return;
    if (sessionId === this.#ids.root && method === 'Target.setAutoAttach') {
      this.#answer(message, {});
      void this.#attach();
      return;
    }
    if (sessionId === this.#ids.root) this.#breakpoints.onCommand(method, params);
    this.#answer(message, rootAnswer(method, params, this.options, this.#ids));
    if (sessionId === this.#ids.browser && method === 'Target.setDiscoverTargets') this.#showRoot();
    if (sessionId === this.#ids.root && method === 'Page.reload') this.events.emit('restart');
    if (method === 'Target.detachFromTarget') this.#onDetach(textField(params, 'sessionId'));
  }

  #showRoot(): void {
    const params = { targetInfo: rootInfo(this.options, this.#ids) };
    this.#server?.send(messageText({ method: 'Target.targetCreated', params, sessionId: this.#ids.browser }));
  }

  /** The user has ended the debugging of one part, or of all. */
  #onDetach(sessionId: string): void {
    if (sessionId === this.#ids.root) this.close();
    else void this.#children?.detach(sessionId);
  }

  #answer({ id, sessionId }: RelayMessage, result: object): void {
    this.#server?.send(messageText({ id: id ?? 0, result, sessionId }));
  }
}
