import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { WebSocket } from 'ws';
import { fieldOf } from '../../src/base/fields';

/** How long a relay may take to answer, in milliseconds. */
const ANSWER_LIMIT_MS = 20_000;

/** How long js-debug takes to have a session for a target, in milliseconds: VS Code has to start one. */
const SESSION_MS = 50;

/** A target as the client knows it. */
export interface KnownTarget {
  sessionId: string;
  targetId: string;
  type: string;
  title: string;
  url: string;
  /** Where it is paused, as `file:line` with lines from 1; undefined while it runs. */
  pausedAt?: string | undefined;
  /** Whether it was resumed after its breakpoints were set. */
  isReady: boolean;
  isGone: boolean;
}

/** A breakpoint: a pattern of addresses, and a line from 0. */
export interface Breakpoint {
  urlRegex: string;
  lineNumber: number;
}

interface Message {
  id?: number;
  method?: string;
  params?: unknown;
  result?: unknown;
  sessionId?: string;
}

/**
 * A client that speaks to a relay as js-debug 1.117 does: the same order of commands, a worker resumed once at once and once more when its
 * breakpoints are set, and events of sessions that it does not know are faults.
 */
export class RelayClient {
  readonly targets: KnownTarget[] = [];
  /** What js-debug would have failed at. */
  readonly faults: string[] = [];
  readonly events: Message[] = [];
  breakpoints: Breakpoint[];
  #lastId = 0;
  readonly #waiting = new Map<number, (result: unknown) => void>();
  /** Addresses by session and script. */
  readonly #scripts = new Map<string, string>();
  readonly #sessions = new Set<string>(['']);
  /** Told of each event, and of each target that is ready. */
  readonly #changes = new EventEmitter<{ change: [] }>();

  private constructor(
    readonly socket: WebSocket,
    breakpoints: Breakpoint[],
    private readonly sessionMs: number,
  ) {
    this.breakpoints = breakpoints;
    this.#changes.setMaxListeners(0);
    socket.on('message', (data) => {
      assert(Buffer.isBuffer(data));
      this.#onMessage(JSON.parse(data.toString('utf8')) as Message);
      this.#changes.emit('change');
    });
    socket.on('error', () => undefined);
  }

  /** Connects, and attaches to the made-up page and all that it has. `sessionMs`: how long after a target its session begins. */
  static async attach(address: string, breakpoints: Breakpoint[] = [], sessionMs = SESSION_MS): Promise<RelayClient> {
    const socket = new WebSocket(address);
    await once(socket, 'open');
    const client = new RelayClient(socket, breakpoints, sessionMs);
    const browser = await client.#open('Target.attachToBrowserTarget', {}, '');
    const created = client.event('Target.targetCreated');
    await client.send('Target.setDiscoverTargets', { discover: true }, browser);
    const { targetInfo } = (await created).params as { targetInfo: { targetId: string; type: string } };
    assert.equal(targetInfo.type, 'page');
    const root = await client.#open('Target.attachToTarget', { targetId: targetInfo.targetId, flatten: true }, browser);
    for (const method of ['Runtime.enable', 'Debugger.enable', 'Page.getResourceTree']) {
      await client.send(method, {}, root);
    }
    for (const breakpoint of breakpoints) await client.send('Debugger.setBreakpointByUrl', breakpoint, root);
    client.root = root;
    await client.send('Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: true, flatten: true }, root);
    return client;
  }

  root = '';

  /** Sends a command and gives its result. */
  async send(method: string, params: object = {}, sessionId = ''): Promise<unknown> {
    this.#lastId += 1;
    const id = this.#lastId;
    const answer = new Promise<unknown>((resolve, reject) => {
      // What is asked last of a relay that ends is not answered, and must not hold the process.
      const timer = setTimeout(() => {
        reject(new Error(`${method}: no answer`));
      }, ANSWER_LIMIT_MS).unref();
      this.#waiting.set(id, (result) => {
        clearTimeout(timer);
        resolve(result);
      });
    });
    this.socket.send(JSON.stringify({ id, method, params, ...(sessionId === '' ? {} : { sessionId }) }));
    return await answer;
  }

  /** Waits for a target of this type and title that is attached. */
  async target(title: string, isFit: (target: KnownTarget) => boolean = () => true): Promise<KnownTarget> {
    return await this.#until(
      () => `${title} among ${JSON.stringify(this.targets)}; faults: ${this.faults.join()}`,
      () => this.targets.find((target) => !target.isGone && target.title === title && isFit(target)),
    );
  }

  /** Waits until a target of this title is paused, and says where. */
  async paused(title: string): Promise<KnownTarget> {
    return await this.target(title, ({ pausedAt }) => pausedAt !== undefined);
  }

  /** Waits until a target has ended. */
  async gone(target: KnownTarget): Promise<void> {
    await this.#until(
      () => `${target.title} is gone`,
      () => (target.isGone ? target : undefined),
    );
  }

  async resume(target: KnownTarget): Promise<void> {
    await this.send('Debugger.resume', {}, target.sessionId);
  }

  /** Waits for the next event of this name. */
  async event(method: string): Promise<Message> {
    const before = this.events.length;
    return await this.#until(
      () => method,
      () => this.events.slice(before).find((event) => event.method === method),
    );
  }

  async close(): Promise<void> {
    if (this.socket.readyState === WebSocket.CLOSED) return;
    const closed = once(this.socket, 'close');
    this.socket.close();
    await closed;
  }

  /** Resolves to what is found, as soon as it is there. */
  async #until<T>(describe: () => string, find: () => T | undefined): Promise<T> {
    const signal = AbortSignal.timeout(ANSWER_LIMIT_MS);
    for (;;) {
      const found = find();
      if (found !== undefined) return found;
      await once(this.#changes, 'change', { signal }).catch(() =>
        assert.fail(`not within ${ANSWER_LIMIT_MS} ms: ${describe()}`),
      );
    }
  }

  async #open(method: string, params: object, sessionId: string): Promise<string> {
    const id = fieldOf(await this.send(method, params, sessionId), 'sessionId');
    assert(typeof id === 'string', method);
    this.#sessions.add(id);
    return id;
  }

  #onMessage(message: Message): void {
    const { id, method, sessionId = '' } = message;
    if (id !== undefined) {
      this.#waiting.get(id)?.(message.result);
      this.#waiting.delete(id);
      return;
    }
    if (!this.#sessions.has(sessionId)) this.faults.push(`Unknown session id ${sessionId} … ${method ?? ''}`);
    this.events.push(message);
    const target = this.targets.find((known) => known.sessionId === sessionId && !known.isGone);
    switch (method ?? '') {
      case 'Target.attachedToTarget':
        this.#onAttached(message.params as { sessionId: string; targetInfo: KnownTarget; waitingForDebugger: boolean });
        return;
      case 'Target.detachedFromTarget': {
        const gone = fieldOf(message.params, 'sessionId');
        for (const known of this.targets) if (known.sessionId === gone) known.isGone = true;
        return;
      }
      case 'Target.targetInfoChanged': {
        const { targetInfo } = message.params as { targetInfo: KnownTarget };
        for (const known of this.targets) {
          if (known.targetId !== targetInfo.targetId) continue;
          known.title = targetInfo.title;
          known.url = targetInfo.url;
        }
        return;
      }
      case 'Debugger.scriptParsed': {
        const { scriptId, url } = message.params as { scriptId: string; url: string };
        this.#scripts.set(`${sessionId}/${scriptId}`, url);
        return;
      }
      case 'Debugger.paused': {
        const { callFrames } = message.params as {
          callFrames: { location: { scriptId: string; lineNumber: number } }[];
        };
        const [frame] = callFrames;
        if (!target || !frame) return;
        const url = this.#scripts.get(`${sessionId}/${frame.location.scriptId}`) ?? '';
        target.pausedAt = `${url.split('/').at(-1) ?? ''}:${frame.location.lineNumber + 1}`;
        return;
      }
      case 'Debugger.resumed':
        if (target) target.pausedAt = undefined;
    }
  }

  #onAttached(event: { sessionId: string; targetInfo: KnownTarget; waitingForDebugger: boolean }): void {
    const { sessionId, targetInfo, waitingForDebugger } = event;
    // One that runs already gets no debug session.
    if (!waitingForDebugger) {
      this.faults.push(`${targetInfo.url} was running already`);
      return;
    }
    const target = { ...targetInfo, sessionId, isReady: false, isGone: false };
    this.targets.push(target);
    setTimeout(() => {
      this.#sessions.add(sessionId);
      void this.#start(target);
    }, this.sessionMs);
  }

  async #start(target: KnownTarget): Promise<void> {
    const { sessionId, type } = target;
    const send = (method: string, params: object = {}): Promise<unknown> =>
      this.send(method, params, sessionId).catch(() => undefined);
    if (type === 'service_worker') void send('Runtime.runIfWaitingForDebugger');
    void send('Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: true, flatten: true });
    if (type === 'page') for (const method of ['Page.enable', 'Page.waitForDebugger']) void send(method);
    void send('Runtime.enable');
    void send('Debugger.enable');
    await Promise.all(this.breakpoints.map((breakpoint) => send('Debugger.setBreakpointByUrl', breakpoint)));
    await send('Runtime.runIfWaitingForDebugger');
    target.isReady = true;
    this.#changes.emit('change');
  }
}
