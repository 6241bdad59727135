import * as l10n from '@vscode/l10n';
import { realClock, type Clock } from '../../base/clock';
import { isAsked, isAttaching } from '../protocol/attach';
import { type CDPSession, type Connection, DevToolsError, onDisconnected, type Protocol } from '../protocol/connect';
import { resume, StartingWorker, type WorkerStart } from './startingWorker';
import type { WorkerPauses } from './workerDebuggers';

/** How long a new worker may take from the reload until it appears, in milliseconds. */
export const WORKER_LIMIT_MS = 10_000;

/** How long one that has appeared may take to its activation, in milliseconds (seen: over 10 s on a busy machine). */
const ACTIVATION_LIMIT_MS = 30_000;

/**
 * How long a worker that runs only when a debugger has set its breakpoints may take from the reload to its activation, in milliseconds (measured:
 * up to 9 s on a busy machine).
 */
const DEBUGGED_LIMIT_MS = 40_000;

/** How long after a worker's error its successor may appear, in milliseconds (measured: 300 at most). */
const SUCCESSOR_LIMIT_MS = 1000;

/**
 * The same after a worker that ended without an error, in milliseconds: the reload has most likely terminated it (measured: 900
 * on a busy machine).
 */
const SUCCESSOR_OF_TERMINATED_LIMIT_MS = 5000;

/** How long after the end of a watch a worker may appear that was started while it lasted, in milliseconds (measured: over 3000 on a busy machine). */
const LATE_WORKER_MS = 10_000;

/** The watch that began last on a connection: what is attached to automatically is a state of the connection. */
const latest = new WeakMap<Connection, WorkerWatch>();

/**
 * Watches the extension workers that start from now on. Begin before a reload and dispose after it: it attaches to every new
 * worker, which keeps the worker awake and slows its start a little.
 */
export class WorkerWatch {
  readonly #connection: Connection;
  #workers: StartingWorker[] = [];
  /** All workers that were attached to, also those that were forgotten. */
  readonly #attached: StartingWorker[] = [];
  #changed: () => void = () => undefined;
  #isLost = false;
  #isDisposed = false;
  readonly #stopListening: () => void;
  /** Set when a debugger pauses new workers and lets them run. */
  readonly #debuggers: WorkerPauses | undefined;

  private constructor(
    connection: Connection,
    debuggers: WorkerPauses | undefined,
    private readonly clock: Clock,
  ) {
    this.#connection = connection;
    this.#debuggers = debuggers;
    this.#stopListening = onDisconnected(connection, () => {
      this.#isLost = true;
      this.#changed();
    });
  }

  /** Begins to watch. Workers that run already count only after `forget`. While there are debuggers, it is left to them to let workers run. */
  static async begin(connection: Connection, debuggers?: WorkerPauses, clock: Clock = realClock): Promise<WorkerWatch> {
    const watch = new WorkerWatch(connection, debuggers?.isEmpty === false ? debuggers : undefined, clock);
    latest.set(connection, watch);
    connection.on('Target.attachedToTarget', watch.#onAttached);
    await watch.#autoAttach(watch.#debuggers === undefined);
    return watch;
  }

  /** Whether no other watch has begun on the connection, which then has taken over. */
  get #isLatest(): boolean {
    return latest.get(this.#connection) === this;
  }

  /** Forgets the workers so far: those from now on belong to a reload that is about to be requested. */
  forget(): void {
    this.#workers = [];
  }

  /**
   * How the newest worker of the extension `id` starts. A good start resolves at once, a failure when no successor appears.
   * Rejects with the signal's reason, or with a DevToolsError when the connection is lost.
   */
  async started(id: string, signal?: AbortSignal): Promise<WorkerStart> {
    const origin = `chrome-extension://${id}/`;
    const newest = (): StartingWorker | undefined => this.#workers.findLast((worker) => worker.url.startsWith(origin));
    let failure: WorkerStart = { state: 'absent' };
    const limitMs = this.#debuggers ? DEBUGGED_LIMIT_MS : WORKER_LIMIT_MS;
    let deadline = this.clock.now() + limitMs;
    let worker = newest();
    for (;;) {
      signal?.throwIfAborted();
      if (worker) {
        const activationMs = this.#debuggers ? deadline - this.clock.now() : ACTIVATION_LIMIT_MS;
        const start = await worker.waitForStart(activationMs, signal);
        if (start.state === 'running' || start.state === 'paused') return start;
        failure = start;
        // The failed worker may be the previous build's, terminated by the reload: then its successor is about to start.
        const wasTerminated = start.state === 'failed' && start.faults.length === 0;
        const successorMs = wasTerminated ? SUCCESSOR_OF_TERMINATED_LIMIT_MS : SUCCESSOR_LIMIT_MS;
        deadline = Math.min(deadline, this.clock.now() + successorMs);
      }
      const last = worker;
      while (newest() === last) {
        const remainingMs = deadline - this.clock.now();
        if (this.#isLost)
          throw new DevToolsError(l10n.t('the connection was lost, because the browser has ended or restarted'));
        if (remainingMs <= 0) return failure;
        await this.#change(remainingMs, signal);
        signal?.throwIfAborted();
      }
      worker = newest();
      deadline = this.clock.now() + limitMs;
    }
  }

  /**
   * Stops watching and detaches from the workers; the second time it does nothing. Never rejects. A worker that has been started but is not
   * attached to yet will be paused, and nobody would ever let it run (seen on a busy machine): so workers are let run for some time more.
   */
  async dispose(): Promise<void> {
    if (this.#isDisposed) return;
    this.#isDisposed = true;
    this.#stopListening();
    this.clock.after(LATE_WORKER_MS, () => void this.#end()).unref();
    // The connection may be closed already; then nothing is attached any more.
    await Promise.allSettled([this.#autoAttach(false), ...this.#attached.map((worker) => worker.detach())]);
  }

  async #end(): Promise<void> {
    this.#connection.off('Target.attachedToTarget', this.#onAttached);
    if (!this.#isLatest) return;
    await this.#connection
      .send('Target.setAutoAttach', { autoAttach: false, waitForDebuggerOnStart: false, flatten: true })
      .catch(() => undefined);
  }

  /** Attaches to workers from now on, and pauses new ones if `isPausing`. */
  async #autoAttach(isPausing: boolean): Promise<void> {
    await this.#connection.send('Target.setAutoAttach', {
      autoAttach: true,
      waitForDebuggerOnStart: isPausing,
      flatten: true,
      filter: [{ type: 'service_worker' }],
    });
  }

  readonly #onAttached = (event: Protocol.Target.AttachedToTargetEvent): void => {
    const { type, targetId } = event.targetInfo;
    if (type !== 'service_worker' || !this.#isLatest) return;
    if (!isAttaching(this.#connection, targetId)) {
      this.#take(event);
      return;
    }
    // What somebody else attaches to over this connection is theirs.
    void isAsked(this.#connection, targetId, event.sessionId).then((isTheirs) => {
      if (!isTheirs) this.#take(event);
    });
  };

  #take(event: Protocol.Target.AttachedToTargetEvent): void {
    const session = this.#connection.session(event.sessionId);
    if (!session) return;
    const { url, targetId } = event.targetInfo;
    // With a debugger, new ones cannot be told from those that run already: `forget` is called before the reload.
    const isNew = event.waitingForDebugger || this.#debuggers !== undefined;
    if (isNew && url.startsWith('chrome-extension://') && !this.#isDisposed) {
      this.#track(url, targetId, session);
      return;
    }
    // A worker of another origin, one that ran before, or one that appears late: let it run and detach from it, since it never stops else.
    // A late one that does not wait for this session may wait for a debugger.
    const isHeld = !this.#debuggers && (event.waitingForDebugger || !this.#isDisposed);
    void (isHeld ? resume(session, this.clock) : Promise.resolve()).then(() => session.detach()).catch(() => undefined);
  }

  /**
   * Tracks a worker that is paused before its first statement. Chromium may start the next worker of the same script in the target
   * of one that has just ended: then there is no new attachment but the event of a reload, and the new worker is paused, too.
   */
  #track(url: string, targetId: string, session: CDPSession): void {
    const worker = new StartingWorker({ url, targetId, debuggers: this.#debuggers, clock: this.clock }, session);
    this.#attached.push(worker);
    for (const earlier of this.#workers) if (hostOf(earlier.url) === hostOf(url)) earlier.supersede();
    this.#workers.push(worker);
    session.once('Inspector.targetReloadedAfterCrash', () => {
      worker.end();
      this.#track(url, targetId, session);
    });
    this.#changed();
  }

  #change(limitMs: number, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        timer.clear();
        signal?.removeEventListener('abort', done);
        resolve();
      };
      const timer = this.clock.after(limitMs, done);
      signal?.addEventListener('abort', done, { once: true });
      this.#changed = done;
    });
  }
}

/** The id of the extension that a worker's script belongs to. */
function hostOf(url: string): string {
  return new URL(url).host;
}
