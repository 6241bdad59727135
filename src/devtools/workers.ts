import { type CDPSession, type Connection, DevToolsError, onDisconnected, type Protocol } from './connect';

/** How long a new worker may take from the reload to its activation, in milliseconds. */
export const WORKER_LIMIT_MS = 10_000;

/** How long after a worker's error another worker may appear that takes its place, in milliseconds (seen: 300 at most). */
const SUCCESSOR_LIMIT_MS = 1000;

/**
 * The same after a worker that ended without an error, in milliseconds: it was most likely cut off by the reload (seen: 900 on
 * a busy machine).
 */
const SUCCESSOR_OF_CUT_OFF_LIMIT_MS = 5000;

/** How long a worker may take to tell its state, in milliseconds, before it is asked again: a busy one takes as long as it is busy. */
const STATE_LIMIT_MS = 1000;

/** Pause between two looks at a worker's state, in milliseconds. */
const STATE_POLL_MS = 5;

/** A script that a worker has run. `hash` is the SHA-256 of its text as V8 computes it, in hex. */
export interface WorkerScript {
  url: string;
  hash: string;
  /** The text as the browser runs it. */
  read(): Promise<string>;
}

/** An error that nobody caught while a worker started. Line and column count from 0. */
export interface WorkerFault {
  text: string;
  url: string;
  line: number;
  column: number;
}

/**
 * How a worker started: `running` means that its script ran to the end and the worker is activated; `failed`, that the script
 * threw, could not be parsed or lacked an import; `absent`, that none appeared in time.
 */
export type WorkerStart =
  { state: 'running'; scripts: WorkerScript[] } | { state: 'failed'; faults: WorkerFault[] } | { state: 'absent' };

/**
 * Watches the extension workers that start from now on. Begin before a reload and dispose after it: while it watches, every
 * new worker is attached to, which keeps it awake and slows its start a little.
 */
export class WorkerWatch {
  readonly #connection: Connection;
  #seen: SeenWorker[] = [];
  #changed: () => void = () => undefined;
  #isLost = false;
  readonly #stopListening: () => void;

  private constructor(connection: Connection) {
    this.#connection = connection;
    this.#stopListening = onDisconnected(connection, () => {
      this.#isLost = true;
      this.#changed();
    });
  }

  /** Begins to watch. Workers that run already are left alone. */
  static async begin(connection: Connection): Promise<WorkerWatch> {
    const watch = new WorkerWatch(connection);
    connection.on('Target.attachedToTarget', watch.#onAttached);
    await connection.send('Target.setAutoAttach', {
      autoAttach: true,
      waitForDebuggerOnStart: true,
      flatten: true,
      filter: [{ type: 'service_worker' }],
    });
    return watch;
  }

  /** Forgets the workers seen so far: those from now on belong to a reload that is about to be asked for. */
  forget(): void {
    this.#seen = [];
  }

  /**
   * How the newest worker of the extension `id` starts. A good start is told at once, a failure when no other worker follows it.
   * Rejects with the signal's reason, or with a DevToolsError when the connection is lost.
   */
  async started(id: string, signal?: AbortSignal): Promise<WorkerStart> {
    const origin = `chrome-extension://${id}/`;
    const newest = (): SeenWorker | undefined => this.#seen.findLast((seen) => seen.url.startsWith(origin));
    let failure: WorkerStart = { state: 'absent' };
    let deadline = performance.now() + WORKER_LIMIT_MS;
    let worker = newest();
    for (;;) {
      signal?.throwIfAborted();
      if (worker) {
        const asked = worker;
        const start = await asked.decided(deadline - performance.now(), () => newest() !== asked, signal);
        if (start.state === 'running') return start;
        failure = start;
        // The one that failed may have been the previous build's, cut off by the reload: then its successor is about to come.
        const isCutOff = start.state === 'failed' && start.faults.length === 0;
        const limitMs = isCutOff ? SUCCESSOR_OF_CUT_OFF_LIMIT_MS : SUCCESSOR_LIMIT_MS;
        deadline = Math.min(deadline, performance.now() + limitMs);
      }
      const last = worker;
      while (newest() === last) {
        const left = deadline - performance.now();
        if (this.#isLost)
          throw new DevToolsError('the connection was lost, because the browser has ended or restarted');
        if (left <= 0) return failure;
        await this.#change(left, signal);
        signal?.throwIfAborted();
      }
      worker = newest();
      deadline = performance.now() + WORKER_LIMIT_MS;
    }
  }

  /** Stops watching and detaches from the workers. */
  async dispose(): Promise<void> {
    this.#stopListening();
    this.#connection.off('Target.attachedToTarget', this.#onAttached);
    // The connection may be gone already, and then nothing is attached any more.
    await this.#connection
      .send('Target.setAutoAttach', { autoAttach: false, waitForDebuggerOnStart: false, flatten: true })
      .catch(() => undefined);
  }

  readonly #onAttached = (event: Protocol.Target.AttachedToTargetEvent): void => {
    // Pages that somebody attached to over this connection are not ours to let go of.
    if (event.targetInfo.type !== 'service_worker') return;
    const session = this.#connection.session(event.sessionId);
    if (!session) return;
    const isNewExtensionWorker = event.waitingForDebugger && event.targetInfo.url.startsWith('chrome-extension://');
    if (isNewExtensionWorker) {
      this.#see(event.targetInfo.url, session);
      return;
    }
    // Somebody else's worker, or one that ran before: let it run and let go of it.
    session.send('Runtime.runIfWaitingForDebugger').catch(() => undefined);
    this.#connection.send('Target.detachFromTarget', { sessionId: event.sessionId }).catch(() => undefined);
  };

  /**
   * Follows a worker that waits for its first statement. Chromium may start the next worker of the same script in the target of
   * one that has just ended: then it is not attached to anew but tells of a reload, and waits like the first.
   */
  #see(url: string, session: CDPSession): void {
    const worker = new SeenWorker(url, session);
    this.#seen.push(worker);
    session.once('Inspector.targetReloadedAfterCrash', () => {
      worker.end();
      this.#see(url, session);
    });
    this.#changed();
  }

  #change(limitMs: number, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', done);
        resolve();
      };
      const timer = setTimeout(done, limitMs);
      signal?.addEventListener('abort', done, { once: true });
      this.#changed = done;
    });
  }
}

/** One worker, attached to before its first statement. */
class SeenWorker {
  readonly #scripts: WorkerScript[] = [];
  readonly #faults: WorkerFault[] = [];
  #tellEnd: () => void = () => undefined;
  readonly #ended = new Promise<undefined>((resolve) => {
    this.#tellEnd = () => resolve(undefined);
  });

  constructor(
    readonly url: string,
    private readonly session: CDPSession,
  ) {
    session.on('Debugger.scriptParsed', this.#onScript);
    session.on('Runtime.exceptionThrown', this.#onFault);
    // A worker's end may be told like this, too; what it was asked is not answered then.
    session.once('Inspector.targetCrashed', this.#tellEnd);
    for (const method of ['Runtime.enable', 'Debugger.enable', 'Runtime.runIfWaitingForDebugger'] as const) {
      // A worker that ends at once takes its session along; `decided` finds out.
      session.send(method).catch(() => undefined);
    }
  }

  readonly #onScript = ({ url, hash, scriptId }: Protocol.Debugger.ScriptParsedEvent): void => {
    this.#scripts.push({ url, hash, read: () => this.#readScript(scriptId) });
  };

  readonly #onFault = ({ exceptionDetails }: Protocol.Runtime.ExceptionThrownEvent): void => {
    this.#faults.push(faultOf(exceptionDetails));
  };

  /** To be called when another worker goes on in its session, whose scripts and errors are not this one's. */
  end(): void {
    this.session.off('Debugger.scriptParsed', this.#onScript);
    this.session.off('Runtime.exceptionThrown', this.#onFault);
    this.#tellEnd();
  }

  /** How this worker starts. One that has ended before that was decided has failed; `isSucceeded` ends the wait. */
  async decided(limitMs: number, isSucceeded: () => boolean, signal: AbortSignal | undefined): Promise<WorkerStart> {
    const deadline = performance.now() + limitMs;
    for (;;) {
      signal?.throwIfAborted();
      if (isSucceeded()) return { state: 'absent' };
      const state = await this.#state();
      // 'installing' and later mean that the script ran to its end; the two states in between pass within milliseconds.
      if (state === 'activated') return { state: 'running', scripts: [...this.#scripts] };
      if (state === 'redundant' || state === undefined) return { state: 'failed', faults: [...this.#faults] };
      if (performance.now() > deadline) {
        return this.#faults.length > 0 ? { state: 'failed', faults: [...this.#faults] } : { state: 'absent' };
      }
      await new Promise((resolve) => setTimeout(resolve, STATE_POLL_MS));
    }
  }

  /** `ServiceWorker.state` of the worker, seen from within; undefined when the worker is gone. */
  async #state(): Promise<string | undefined> {
    const asked = this.session.send('Runtime.evaluate', { expression: 'self.serviceWorker.state' }).then(
      ({ result }) => (typeof result.value === 'string' ? result.value : 'unknown'),
      () => undefined,
    );
    // Chromium may list a worker that has ended without saying so: such a one never answers.
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<string>((resolve) => {
      timer = setTimeout(resolve, STATE_LIMIT_MS, 'silent');
    });
    try {
      return await Promise.race([asked, late, this.#ended]);
    } finally {
      clearTimeout(timer);
    }
  }

  async #readScript(scriptId: string): Promise<string> {
    const { scriptSource } = await this.session.send('Debugger.getScriptSource', { scriptId });
    return scriptSource;
  }
}

function faultOf(details: Protocol.Runtime.ExceptionDetails): WorkerFault {
  const description = details.exception?.description ?? details.text;
  const frame = details.stackTrace?.callFrames[0];
  return {
    // The first line is the error; the rest is its stack, whose top is told by the position.
    text: description.split('\n', 1)[0] ?? description,
    url: frame?.url ?? details.url ?? '',
    line: frame?.lineNumber ?? details.lineNumber,
    column: frame?.columnNumber ?? details.columnNumber,
  };
}
