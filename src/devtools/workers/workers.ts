import { realClock, type Clock } from '../../base/clock';
import { noteInstalled } from '../inPage/updateCalls';
import { attach, isAsked, isAttaching } from '../protocol/attach';
import { type CDPSession, type Connection, connectionLost, onDisconnected, type Protocol } from '../protocol/connect';
import { peek } from '../protocol/evaluate';
import { extensionOf } from '../protocol/extensionUrl';
import { callOf, type PageCall } from '../protocol/pageCall';
import { resume, StartingWorker, type WorkerStart } from './startingWorker';
import type { WorkerPauses } from './workerDebuggers';

/** How long a new worker may take from the reload until it appears, in milliseconds: its process may start slowly (C-TIME-ACTIVATION). */
const WORKER_LIMIT_MS = 30_000;

/** How long one may take to appear until it is looked for among the targets that nobody is attached to, in milliseconds (C-WORKER-LEFT-WAITING). */
const LOOK_AFTER_MS = 1000;

/** How long one that has appeared may take to its activation, in milliseconds (C-TIME-ACTIVATION). */
const ACTIVATION_LIMIT_MS = 30_000;

/**
 * How long a worker that runs only when a debugger has set its breakpoints may take from the reload to its activation, in milliseconds
 * (C-TIME-ACTIVATION).
 */
const DEBUGGED_LIMIT_MS = 40_000;

/** How long after a worker's error its successor may appear, in milliseconds (C-TIME-SUCCESSOR). */
const SUCCESSOR_LIMIT_MS = 1000;

/** The same after a worker that ended without an error, in milliseconds: the reload has most likely terminated it (C-TIME-SUCCESSOR). */
const SUCCESSOR_OF_TERMINATED_LIMIT_MS = 5000;

/** How long after the end of a watch a worker may appear that was started while it lasted, in milliseconds (C-TIME-SUCCESSOR). */
const LATE_WORKER_MS = 10_000;

/**
 * What a watch is in. `watching`: it has attached to workers, of which those from `first` on count; `lost`: the connection has ended;
 * `left`: it counts no worker any more, and lets those run that appear late.
 */
type WatchPhase =
  | { readonly at: 'watching'; readonly workers: readonly StartingWorker[]; readonly first: number }
  | { readonly at: 'lost' | 'left' };

/** What happens to a watch. */
type WatchEvent =
  | { readonly kind: 'attached'; readonly worker: StartingWorker }
  | { readonly kind: 'forget' | 'lost' | 'left' };

function nextPhase(phase: WatchPhase, event: WatchEvent): WatchPhase {
  if (phase.at !== 'watching') return event.kind === 'left' ? { at: 'left' } : phase;
  switch (event.kind) {
    case 'attached':
      return { ...phase, workers: [...phase.workers, event.worker] };
    case 'forget':
      return { ...phase, first: phase.workers.length };
    case 'lost':
    case 'left':
      return { at: event.kind };
  }
}

/** What new workers evaluate before their first statement, by the connection. */
const atStart = new WeakMap<Connection, Set<string>>();

/** Has a call evaluated before the first statement of each worker that starts over a connection while it is watched. */
export function runAtStart(connection: Connection, { expression }: PageCall<unknown>): void {
  atStart.set(connection, (atStart.get(connection) ?? new Set()).add(expression));
}

/** Has `runtime.onInstalled` noted in all workers that start over a connection while they are watched; see {@link installedNote}. */
export function noteInstalls(connection: Connection): void {
  runAtStart(connection, callOf(noteInstalled));
}

/** The watches on a connection that have begun and were not disposed of yet, in this order. */
const lasting = new WeakMap<Connection, Set<WorkerWatch>>();

/**
 * The watch on a connection that new workers are left to, and that decides whether these are paused: what is attached to automatically is a state of
 * the connection. It is the one of `lasting` that began last; once there is none, the one that ended last.
 */
const latest = new WeakMap<Connection, WorkerWatch>();

/** Whether workers that start over a connection are watched, or were: what it attaches to automatically is then a matter of that. */
export function isWatched(connection: Connection): boolean {
  return latest.has(connection);
}

/**
 * Watches the extension workers that start from now on. Begin before a reload and dispose after it: it attaches to every new
 * worker, which keeps the worker awake and slows its start a little.
 */
export class WorkerWatch {
  #phase: WatchPhase = { at: 'watching', workers: [], first: 0 };
  /** Who waits for the next phase. */
  readonly #waiting = new Set<() => void>();
  readonly #stopListening: () => void;

  private constructor(
    private readonly connection: Connection,
    /** Set when a debugger pauses new workers and lets them run. */
    private readonly debuggers: WorkerPauses | undefined,
    private readonly clock: Clock,
    private readonly mayRun: Promise<unknown> | undefined,
  ) {
    this.#stopListening = onDisconnected(connection, () => this.#go({ kind: 'lost' }));
  }

  /**
   * Begins to watch. Workers that run already count only after `forget`. New workers are let run once `mayRun` has resolved, which must not
   * reject. While there are debuggers, it is left to them to let workers run.
   */
  static async begin(
    connection: Connection,
    debuggers?: WorkerPauses,
    clock: Clock = realClock,
    mayRun?: Promise<unknown>,
  ): Promise<WorkerWatch> {
    const watch = new WorkerWatch(connection, debuggers?.isEmpty === false ? debuggers : undefined, clock, mayRun);
    latest.set(connection, watch);
    connection.on('Target.attachedToTarget', watch.#onAttached);
    await watch.#autoAttach({ isPausing: watch.debuggers === undefined });
    lasting.set(connection, (lasting.get(connection) ?? new Set()).add(watch));
    return watch;
  }

  /** Whether new workers are left to this watch, and not to another one on the connection; see {@link latest}. */
  get #isLatest(): boolean {
    return latest.get(this.connection) === this;
  }

  /** Forgets the workers so far: those from now on belong to a reload that is about to be requested. */
  forget(): void {
    this.#go({ kind: 'forget' });
  }

  /**
   * How the newest worker of the extension `id` starts. A good start resolves at once, a failure when no successor appears.
   * Rejects with the signal's reason, or with a DevToolsError when the connection is lost.
   */
  async started(id: string, signal?: AbortSignal): Promise<WorkerStart> {
    const limitMs = this.debuggers ? DEBUGGED_LIMIT_MS : WORKER_LIMIT_MS;
    const next = (last: StartingWorker | undefined, deadline: number): Promise<StartingWorker | undefined> =>
      this.#next(id, last, deadline, signal);
    let failure: WorkerStart = { state: 'absent' };
    let deadline = this.clock.now() + limitMs;
    for (let worker = await next(undefined, deadline); worker; worker = await next(worker, deadline)) {
      deadline = this.clock.now() + limitMs;
      const start = await worker.waitForStart(this.debuggers ? limitMs : ACTIVATION_LIMIT_MS, signal);
      if (start.state === 'running' || start.state === 'paused') return start;
      failure = start;
      // The failed worker may be the previous build's, terminated by the reload: then its successor is about to start.
      const wasTerminated = start.state === 'failed' && start.faults.length === 0;
      const successorMs = wasTerminated ? SUCCESSOR_OF_TERMINATED_LIMIT_MS : SUCCESSOR_LIMIT_MS;
      deadline = Math.min(deadline, this.clock.now() + successorMs);
    }
    return failure;
  }

  /** The newest worker of an extension as soon as that is not `last`; undefined when there is no other until `deadline`. */
  async #next(
    id: string,
    last: StartingWorker | undefined,
    deadline: number,
    signal: AbortSignal | undefined,
  ): Promise<StartingWorker | undefined> {
    let lookAt = this.clock.now() + LOOK_AFTER_MS;
    for (;;) {
      signal?.throwIfAborted();
      if (this.#phase.at === 'lost') throw connectionLost();
      const newest = this.#workersOf(id).at(-1);
      if (newest && newest !== last) return newest;
      const now = this.clock.now();
      if (now >= deadline) return undefined;
      if (now >= lookAt) {
        lookAt = now + LOOK_AFTER_MS;
        void this.#takeWaiting(id, newest).catch(ignored);
      }
      await this.#change(Math.min(deadline, lookAt) - now, signal);
    }
  }

  /**
   * Takes the workers of an extension that wait for a debugger which has left them (C-WORKER-LEFT-WAITING): each would wait for good, and the
   * next worker of its extension with it. `last`: the newest one that counts; when another has come meanwhile, they are only let run.
   */
  async #takeWaiting(id: string, last: StartingWorker | undefined): Promise<void> {
    if (this.debuggers) return;
    const { targetInfos } = await this.connection.send('Target.getTargets', { filter: [{ type: 'service_worker' }] });
    const left = targetInfos.filter(({ url, attached }) => !attached && extensionOf(url) === id);
    await Promise.all(
      left.map(async ({ targetId, url }) => {
        const session = await attach(this.connection, targetId);
        if (!session) return;
        const state = await peek(session, 'self.serviceWorker.state', this.clock);
        // One that runs has started before, and one that does not answer may have ended (C-WORKER-LISTED).
        const isWaiting = state !== undefined && state !== 'activated';
        if (isWaiting && this.#phase.at === 'watching' && this.#workersOf(id).at(-1) === last) {
          this.#track(url, targetId, session);
          return;
        }
        if (state !== 'activated') await resume(session, this.clock);
        await session.detach();
      }),
    );
  }

  /** The workers of an extension that count. */
  #workersOf(id: string | undefined): readonly StartingWorker[] {
    if (this.#phase.at !== 'watching') return [];
    const { workers, first } = this.#phase;
    return workers.slice(first).filter(({ url }) => extensionOf(url) === id);
  }

  /**
   * Stops watching and detaches from the workers; the second time it does nothing. Never rejects. A worker that has been started but is not
   * attached to yet will be paused, and nobody would ever let it run (C-TIME-SUCCESSOR): so workers are let run for some time more.
   */
  async dispose(): Promise<void> {
    if (this.#phase.at === 'left') return;
    const attached = this.#phase.at === 'watching' ? this.#phase.workers : [];
    this.#go({ kind: 'left' });
    this.#stopListening();
    this.clock.after(LATE_WORKER_MS, () => void this.#end()).unref();
    // The connection may be closed already; then nothing is attached any more.
    await Promise.allSettled([this.#handOver(), ...attached.map((worker) => worker.detach())]);
  }

  /**
   * Pauses no further worker unless another watch lasts, which would never see one that was not paused: a newer one goes on as it is, and where there
   * is none, an older one takes over.
   */
  async #handOver(): Promise<void> {
    const others = lasting.get(this.connection);
    others?.delete(this);
    if (!this.#isLatest) return;
    const heir = [...(others ?? [])].at(-1);
    if (heir) latest.set(this.connection, heir);
    await this.#autoAttach({ isPausing: heir !== undefined && heir.debuggers === undefined });
  }

  async #end(): Promise<void> {
    this.connection.off('Target.attachedToTarget', this.#onAttached);
    if (!this.#isLatest) return;
    await this.connection
      .send('Target.setAutoAttach', { autoAttach: false, waitForDebuggerOnStart: false, flatten: true })
      .catch(() => undefined);
  }

  /** Attaches to workers from now on, and pauses new ones if `isPausing`. */
  async #autoAttach({ isPausing }: { isPausing: boolean }): Promise<void> {
    await this.connection.send('Target.setAutoAttach', {
      autoAttach: true,
      waitForDebuggerOnStart: isPausing,
      flatten: true,
      filter: [{ type: 'service_worker' }],
    });
  }

  readonly #onAttached = (event: Protocol.Target.AttachedToTargetEvent): void => {
    const { type, targetId } = event.targetInfo;
    if (type !== 'service_worker' || !this.#isLatest) return;
    if (!isAttaching(this.connection, targetId)) {
      this.#take(event);
      return;
    }
    // What somebody else attaches to over this connection is theirs.
    void isAsked(this.connection, targetId, event.sessionId).then((isTheirs) => {
      if (!isTheirs) this.#take(event);
    });
  };

  #take(event: Protocol.Target.AttachedToTargetEvent): void {
    const session = this.connection.session(event.sessionId);
    if (!session) return;
    const { url, targetId } = event.targetInfo;
    // With a debugger, new ones cannot be told from those that run already: `forget` is called before the reload.
    const isNew = event.waitingForDebugger || this.debuggers !== undefined;
    if (isNew && url.startsWith('chrome-extension://') && this.#phase.at !== 'left') {
      this.#track(url, targetId, session);
      return;
    }
    // A worker of another origin, one that ran before, or one that appears late: let it run and detach from it, since it never stops else.
    // A late one that does not wait for this session may wait for a debugger.
    const isHeld = !this.debuggers && (event.waitingForDebugger || this.#phase.at !== 'left');
    void (isHeld ? resume(session, this.clock) : Promise.resolve()).then(() => session.detach()).catch(() => undefined);
  }

  /**
   * Tracks a worker that is paused before its first statement. The next worker of the same script may start in the target of one that has just ended
   * (C-WORKER-SAME-TARGET): then there is no new attachment but the event of a reload, and the new worker is paused, too.
   */
  #track(url: string, targetId: string, session: CDPSession): void {
    const { debuggers, clock, connection, mayRun } = this;
    const first = [...(atStart.get(connection) ?? [])];
    const worker = new StartingWorker({ url, targetId, debuggers, first, mayRun, clock }, session);
    for (const earlier of this.#workersOf(extensionOf(url))) earlier.supersede();
    this.#go({ kind: 'attached', worker });
    session.once('Inspector.targetReloadedAfterCrash', () => {
      worker.end();
      this.#track(url, targetId, session);
    });
  }

  #go(event: WatchEvent): void {
    this.#phase = nextPhase(this.#phase, event);
    for (const wake of [...this.#waiting]) wake();
  }

  #change(limitMs: number, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        timer.clear();
        this.#waiting.delete(done);
        signal?.removeEventListener('abort', done);
        resolve();
      };
      const timer = this.clock.after(limitMs, done);
      signal?.addEventListener('abort', done, { once: true });
      this.#waiting.add(done);
    });
  }
}

const ignored = (): void => undefined;
