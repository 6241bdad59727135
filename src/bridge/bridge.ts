import { EventEmitter } from 'node:events';
import pLimit from 'p-limit';
import { inTime } from '../base/clock';
import { fieldOf } from '../base/fields';
import { listExtensions } from '../devtools/protocol/loadedExtensions';
import { extensionOf } from '../devtools/protocol/extensionUrl';
import {
  connectDevTools,
  type Connection,
  type ConnectionWiring,
  onDisconnected,
  type Protocol,
  realWiring,
} from '../devtools/protocol/connect';
import type { BridgeOptions } from './bridgeOptions';
import { whileAwaited } from './awaitedRequest';
import { CarriedSockets } from './carriedSockets';
import { connectAgain, RETRY_MS } from './connectAgain';
import { DigestPages } from './digestPages';
import { forward, ForwardError } from './forward';
import { changedAnswer, faultAnswer, fulfilmentOf, mapAnswer } from './fulfilment';
import { type Allowed, type Asker, isOwn, type Refusal, verdictOf } from './askers';
import { isFrameOfOwn } from './ownFrames';
import { isEventSource, pausedRequestOf, type PausedRequest } from './pausedRequest';
import { InlineMaps } from './inlineMaps';
import { ModuleHints } from './moduleHints';
import { probeSilent } from './serverProbe';
import { RequestLog } from './requestLog';
import { answerRunning } from './runningTargets';
import { hostsOf, type ShimOptions } from './socketShim';
import { stormKey, StormWatch } from './stormWatch';

/** Requests that are answered at the same time; the others wait. */
const MAX_IN_FLIGHT = 512;

/** How long last answers may take to be sent, in milliseconds. */
const FAREWELL_MS = 200;

interface BridgeEvents {
  /** It has ended: it was closed, or the browser has ended. */
  end: [];
  /** The browser is answered again, or no longer is: see {@link Bridge.isConnected}. */
  connection: [];
}

/**
 * Lets one browser reach servers on the loopback interface of this machine: the browser asks DevTools for each request to exactly these ports,
 * and gets the answer of the server here. Nothing stays attached to, so that workers fall asleep as ever (C-WORKER-SLEEP); `Fetch` on the browser's
 * own session answers workers, pages, frames and side panels alike (C-FETCH-BROWSER).
 */
export class Bridge {
  readonly events = new EventEmitter<BridgeEvents>();
  readonly #targets = new Map<string, Asker & { targetId: string }>();
  readonly #limit = pLimit(MAX_IN_FLIGHT);
  readonly #sockets: CarriedSockets;
  /** The answers that their requests wait for. */
  readonly #held = new Set<Promise<void>>();
  /** What was asked and answered. */
  readonly requests: RequestLog;
  /** The source maps that were cut out of what was answered. */
  readonly maps: InlineMaps;
  readonly #pages = { hints: new ModuleHints(), digests: new DigestPages() };
  readonly #storms: StormWatch;
  readonly #end = new AbortController();
  #ports: readonly number[];
  #extensionIds: readonly string[];
  /** The folders of extensions that may ask, whose ids the browser is asked for when one does that is not known. */
  readonly #folders = new Set<string>();
  #connection: Connection | undefined;
  /** How often the ports or the extensions were changed. */
  #updates = 0;

  private constructor(
    private readonly options: BridgeOptions,
    private readonly wiring: ConnectionWiring,
  ) {
    this.#ports = options.ports;
    this.#extensionIds = options.extensionIds;
    const { clock } = wiring;
    this.requests = new RequestLog(clock);
    this.#storms = new StormWatch(clock);
    const onServer = (port: number, isListening: boolean): void => this.requests.hear(port, isListening);
    this.#sockets = new CarriedSockets({ ...options, clock, hosts: () => new Set(this.#hosts), onServer });
    this.maps = new InlineMaps(`${this.#sockets.folder}/maps`);
    probeSilent(this.requests, { clock, signal: this.#end.signal, host: options.forward?.host });
  }

  /**
   * Connects to the browser and begins to answer, also what runs already.
   * @throws DevToolsError when the browser cannot be reached
   */
  static async start(options: BridgeOptions, wiring: ConnectionWiring = realWiring): Promise<Bridge> {
    const bridge = new Bridge(options, wiring);
    try {
      await bridge.#connect();
    } catch (error) {
      bridge.close();
      throw error;
    }
    return bridge;
  }

  get isClosed(): boolean {
    return this.#end.signal.aborted;
  }

  /** The ports that the browser may reach. */
  get ports(): readonly number[] {
    return this.#ports;
  }

  /** The extensions that may ask, as far as their ids are known. */
  get extensionIds(): readonly string[] {
    return this.#extensionIds;
  }

  /** Whether the browser is answered now; it is not while it restarts. */
  get isConnected(): boolean {
    return this.#connection !== undefined;
  }

  /** Waits until the browser is answered, at most so many milliseconds. */
  async whenConnected(limitMs: number): Promise<void> {
    const { clock } = this.wiring;
    const deadline = clock.now() + limitMs;
    while (!this.isConnected && !this.isClosed && clock.now() < deadline) await clock.delay(RETRY_MS);
  }

  /** How many websockets to the servers are open. */
  get socketCount(): number {
    return this.#sockets.count;
  }

  /** What files need that name websockets, before they are pushed; what the servers answer gets it by itself. */
  get shim(): ShimOptions {
    return { hosts: this.#hosts, folder: this.#sockets.folder };
  }

  /** Other ports, or other extensions: what runs is answered at once by that. Also ends the pause after a storm. */
  async update(change: { ports?: readonly number[]; extensionIds?: readonly string[] }): Promise<void> {
    this.#storms.clear();
    this.#updates += 1;
    this.#ports = change.ports ?? this.#ports;
    this.#extensionIds = change.extensionIds ?? this.#extensionIds;
    if (this.#connection) await this.#enable(this.#connection).catch(this.#note);
  }

  /**
   * Lets the extension ask that the browser loads from this folder of its machine, under whatever id, from its first request on. Also ends the
   * pause after a storm: each build that is pushed reloads pages, some of them twice, and has other code.
   */
  expect(folder: string): void {
    this.#storms.clear();
    this.#folders.add(folder);
  }

  /** Ends it at once: pages behave as if the servers were down. */
  close(): void {
    if (this.isClosed) return;
    this.#end.abort();
    const connection = this.#connection;
    this.#connection = undefined;
    this.#sockets.close();
    // Pages read at once that their sockets have ended, and do not wait for another connection.
    void inTime(Promise.allSettled(this.#held), FAREWELL_MS, this.wiring.clock).then(() => connection?.dispose());
    this.events.emit('end');
  }

  /** The hosts of the allowed ports, as addresses name them. */
  get #hosts(): string[] {
    return hostsOf(this.#ports);
  }

  get #allowed(): Allowed {
    const origins = new Set(this.#hosts.map((host) => new URL(`http://${host}`).origin));
    return { extensionIds: new Set(this.#extensionIds), origins };
  }

  async #connect(): Promise<void> {
    const { signal } = this.#end;
    const address = await this.options.address();
    if (address === undefined || this.isClosed) {
      this.close();
      return;
    }
    const connection = await connectDevTools(address, signal, undefined, (to, until, filter) =>
      // What is answered crosses the line of the developer, and most of it is text.
      this.wiring.open(to, until, filter, { isCompressed: true }),
    );
    if (this.isClosed) {
      connection.dispose();
      return;
    }
    let isLost = false;
    onDisconnected(connection, () => {
      isLost = true;
      if (this.#connection !== connection) return;
      this.#connection = undefined;
      this.events.emit('connection');
      this.#sockets.release();
      // After a restart of the browser.
      void connectAgain(() => this.#connect(), { clock: this.wiring.clock, signal, onFailure: this.#note });
    });
    this.#targets.clear();
    const note = ({ targetInfo }: { targetInfo: Protocol.Target.TargetInfo }): void => {
      this.#targets.set(targetInfo.targetId, targetInfo);
    };
    for (const event of ['Target.targetCreated', 'Target.targetInfoChanged'] as const) connection.on(event, note);
    connection.on('Target.targetDestroyed', ({ targetId }: Protocol.Target.TargetDestroyedEvent) => {
      this.#targets.delete(targetId);
      this.#sockets.closeOf(targetId);
    });
    connection.on('Fetch.requestPaused', (params: unknown) => {
      const request = pausedRequestOf(params);
      if (!request) return;
      this.#onPaused(connection, request).catch(async (error: unknown) => {
        this.#note(error);
        // No page waits for what will not come.
        const failure = { requestId: request.requestId, errorReason: 'Failed' } as const;
        await connection.send('Fetch.failRequest', failure).catch(() => undefined);
      });
    });
    try {
      // First, because the targets that decide who may ask must be older than the first request.
      await connection.send('Target.setDiscoverTargets', { discover: true });
      let updates: number;
      do {
        updates = this.#updates;
        await this.#enable(connection);
        // An update meanwhile knows nothing of this connection.
      } while (updates !== this.#updates);
      this.#end.signal.throwIfAborted();
      if (isLost) throw new Error('The connection was lost while it was made.');
    } catch (error) {
      connection.dispose();
      throw error;
    }
    this.#connection = connection;
    this.events.emit('connection');
  }

  async #enable(connection: Connection): Promise<void> {
    const patterns = this.#hosts.map((host) => ({ urlPattern: `http://${host}/*` }));
    if (patterns.length === 0) await connection.send('Fetch.disable');
    else await connection.send('Fetch.enable', { patterns });
    const leftAlone = this.options.isDebugged?.() === true ? ['other', 'service_worker'] : ['other'];
    const allowed = this.#allowed;
    const own = [...this.#targets.values()].filter(({ type, url }) => !leftAlone.includes(type) && isOwn(url, allowed));
    await answerRunning(
      connection,
      own.map(({ targetId }) => targetId),
    );
  }

  async #onPaused(connection: Connection, request: PausedRequest): Promise<void> {
    const { requestId, frameId, resourceType } = request;
    this.#end.signal.throwIfAborted();
    const who = stormKey(frameId, this.#targets.get(frameId)?.url);
    // What a person sends by a form is no page that loads itself again.
    const isLoad = resourceType === 'Document' && request.method === 'GET';
    const isStorm = this.#storms.isPaused(who) || (isLoad && this.#noteStorm('load', who, request, request.url));
    if (isStorm) {
      // A socket would ask again for what fails as if the line was lost.
      await (this.#sockets.takes(request)
        ? connection.send('Fetch.fulfillRequest', fulfilmentOf(requestId, this.#sockets.refusal(request)))
        : connection.send('Fetch.failRequest', { requestId, errorReason: 'ConnectionRefused' }));
      return;
    }
    const map = this.maps.mapAt(request.url.pathname);
    if (map) {
      await connection.send('Fetch.fulfillRequest', fulfilmentOf(requestId, mapAnswer(map)));
      return;
    }
    const isOfOther = this.#sockets.isOfOther(request);
    if (isOfOther && (resourceType === 'Document' || (await this.#refusalOf(connection, request)) !== undefined)) {
      // For the bridge of that program, when there is one.
      await connection.send('Fetch.continueRequest', { requestId });
      return;
    }
    if (isOfOther || this.#sockets.takes(request)) {
      await this.#hold(connection, requestId, async (signal) => {
        const answer = await this.#sockets.answer(request, signal);
        const opened = this.#sockets.openedBy(request, answer);
        if (opened && this.#noteStorm('socket', who, request, opened)) this.#sockets.closeOf(frameId);
        try {
          await connection.send('Fetch.fulfillRequest', fulfilmentOf(requestId, answer));
        } catch (error) {
          this.#sockets.forgetOpened(answer);
          throw error;
        }
      });
      return;
    }
    const onOutcome = this.requests.begin(request, this.#targets.get(request.frameId)?.url);
    const refusal = await this.#refusalOf(connection, request);
    if (refusal !== undefined) {
      onOutcome(refusal);
      // As if no server was there.
      await connection.send('Fetch.failRequest', { requestId, errorReason: 'ConnectionRefused' });
      return;
    }
    if (isEventSource(request)) {
      await this.#hold(connection, requestId, (signal) =>
        this.#sockets.answerSource(request, signal, (answer) => {
          onOutcome(answer.status, answer.body.length);
          return connection.send('Fetch.fulfillRequest', fulfilmentOf(requestId, answer));
        }),
      );
      return;
    }
    await this.#limit(() => this.#forward(connection, request, onOutcome));
  }

  /** Answers a request that may wait long for it, until the browser no longer does. */
  async #hold(
    connection: Connection,
    requestId: string,
    answer: (signal: AbortSignal) => Promise<void>,
  ): Promise<void> {
    this.#end.signal.throwIfAborted();
    const held = whileAwaited(connection, requestId, this.wiring.clock, answer);
    this.#held.add(held);
    await held.finally(() => this.#held.delete(held));
  }

  /** Counts what may be a part of a storm; one that begins is in the list of requests once, with the address that was asked for. */
  #noteStorm(kind: 'socket' | 'load', who: string, request: PausedRequest, url: URL): boolean {
    const begins = this.#storms.note(kind, who);
    if (begins) this.requests.begin({ ...request, url }, this.#targets.get(request.frameId)?.url)('storm');
    return begins;
  }

  async #forward(
    connection: Connection,
    request: PausedRequest,
    onOutcome: ReturnType<RequestLog['begin']>,
  ): Promise<void> {
    const { requestId } = request;
    if (request.resourceType === 'Document') this.#sockets.closeSourcesOf(request.frameId);
    try {
      const answer = await forward(request, this.#end.signal, this.options.forward);
      onOutcome(answer.status, answer.body.length);
      const maps = this.options.isDebugged?.() === true ? undefined : this.maps;
      const changed = changedAnswer(request, answer, { shim: this.shim, maps, ...this.#pages });
      await connection.send('Fetch.fulfillRequest', fulfilmentOf(requestId, changed));
    } catch (error) {
      if (!(error instanceof ForwardError)) throw error;
      const { fault } = error;
      onOutcome(fault);
      if (fault === 'refused' || fault === 'broken') {
        const errorReason = fault === 'refused' ? 'ConnectionRefused' : 'ConnectionReset';
        await connection.send('Fetch.failRequest', { requestId, errorReason });
      } else {
        await connection.send('Fetch.fulfillRequest', fulfilmentOf(requestId, faultAnswer(fault, request)));
      }
    }
  }

  async #refusalOf(connection: Connection, request: PausedRequest): Promise<Refusal | undefined> {
    await this.#meet(connection, request);
    const allowed = this.#allowed;
    const verdict = verdictOf(request, this.#targets, allowed);
    if (verdict === 'forward') return undefined;
    if (verdict !== 'unknownFrame') return verdict;
    return (await isFrameOfOwn(connection, [...this.#targets.values()], request.frameId, allowed))
      ? undefined
      : 'foreignFrame';
  }

  /** Learns the ids of the extensions in expected folders, when one asks that is not known. */
  async #meet(connection: Connection, { headers, frameId }: PausedRequest): Promise<void> {
    if (this.#folders.size === 0) return;
    const askers = [`${headers.get('origin') ?? ''}/`, this.#targets.get(frameId)?.url ?? ''].map(extensionOf);
    if (askers.every((id) => id === undefined || this.#extensionIds.includes(id))) return;
    const loaded = await listExtensions(connection).catch(() => []);
    const expected = loaded.filter(({ path }) => this.#folders.has(path)).map(({ id }) => id);
    this.#extensionIds = [...new Set([...this.#extensionIds, ...expected])];
  }

  readonly #note = (error: unknown): void => {
    // A page that has gone meanwhile, or a connection that is lost: the browser lets go what it has asked.
    if (!this.isClosed) this.options.log.debug(`The bridge to localhost: ${String(fieldOf(error, 'message'))}`);
  };
}
