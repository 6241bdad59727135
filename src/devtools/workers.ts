import * as l10n from '@vscode/l10n';
import { setTimeout as delay } from 'node:timers/promises';
import { type CDPSession, type Connection, DevToolsError, isClosed, onDisconnected, type Protocol } from './connect';

/** How long a new worker may take from the reload to its activation, in milliseconds. */
export const WORKER_LIMIT_MS = 10_000;

/** How long after a worker's error its successor may appear, in milliseconds (measured: 300 at most). */
const SUCCESSOR_LIMIT_MS = 1000;

/**
 * The same after a worker that ended without an error, in milliseconds: the reload has most likely terminated it (measured: 900
 * on a busy machine).
 */
const SUCCESSOR_OF_TERMINATED_LIMIT_MS = 5000;

/** How long a worker may take to report its state, in milliseconds, before it is asked again: a busy one answers late. */
const STATE_LIMIT_MS = 1000;

/** Pause before a worker is asked again that could not tell its state, in milliseconds. */
const STATE_POLL_MS = 5;

/** In a worker: its `ServiceWorker.state` as soon as that is decided. */
const DECIDED_STATE = `new Promise((resolve) => {
  const { serviceWorker } = self;
  const look = () => {
    if (['activated', 'redundant'].includes(serviceWorker.state)) resolve(serviceWorker.state);
  };
  serviceWorker.addEventListener('statechange', look);
  look();
})`;

/** A script or WebAssembly module that a worker has loaded. `hash` is V8's: of a script the SHA-256 of its text, in hex. */
export interface WorkerScript {
  url: string;
  hash: string;
  /** The text as the browser runs it; of a WebAssembly module, its bytes. */
  read(): Promise<string | Buffer>;
}

/** An uncaught error while a worker started. Line and column count from 0. */
export interface WorkerFault {
  text: string;
  url: string;
  line: number;
  column: number;
}

/**
 * How a worker started: `running` means that its script ran to the end and the worker is activated; `failed`, that the script
 * threw, could not be parsed or lacked an import; `absent`, that no worker appeared in time.
 */
export type WorkerStart =
  { state: 'running'; scripts: WorkerScript[] } | { state: 'failed'; faults: WorkerFault[] } | { state: 'absent' };

/**
 * Watches the extension workers that start from now on. Begin before a reload and dispose after it: it attaches to every new
 * worker, which keeps the worker awake and slows its start a little.
 */
export class WorkerWatch {
  readonly #connection: Connection;
  #workers: StartingWorker[] = [];
  #changed: () => void = () => undefined;
  #isLost = false;
  #isDisposed = false;
  readonly #stopListening: () => void;

  private constructor(connection: Connection) {
    this.#connection = connection;
    this.#stopListening = onDisconnected(connection, () => {
      this.#isLost = true;
      this.#changed();
    });
  }

  /** Begins to watch. Workers that run already are not attached to. */
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
    let deadline = performance.now() + WORKER_LIMIT_MS;
    let worker = newest();
    for (;;) {
      signal?.throwIfAborted();
      if (worker) {
        const start = await worker.waitForStart(deadline - performance.now(), signal);
        if (start.state === 'running') return start;
        failure = start;
        // The failed worker may be the previous build's, terminated by the reload: then its successor is about to start.
        const wasTerminated = start.state === 'failed' && start.faults.length === 0;
        const limitMs = wasTerminated ? SUCCESSOR_OF_TERMINATED_LIMIT_MS : SUCCESSOR_LIMIT_MS;
        deadline = Math.min(deadline, performance.now() + limitMs);
      }
      const last = worker;
      while (newest() === last) {
        const remainingMs = deadline - performance.now();
        if (this.#isLost)
          throw new DevToolsError(l10n.t('the connection was lost, because the browser has ended or restarted'));
        if (remainingMs <= 0) return failure;
        await this.#change(remainingMs, signal);
        signal?.throwIfAborted();
      }
      worker = newest();
      deadline = performance.now() + WORKER_LIMIT_MS;
    }
  }

  /** Stops watching and detaches from the workers; the second time it does nothing. Never rejects. */
  async dispose(): Promise<void> {
    if (this.#isDisposed) return;
    this.#isDisposed = true;
    this.#stopListening();
    this.#connection.off('Target.attachedToTarget', this.#onAttached);
    // The connection may be closed already; then nothing is attached any more.
    await this.#connection
      .send('Target.setAutoAttach', { autoAttach: false, waitForDebuggerOnStart: false, flatten: true })
      .catch(() => undefined);
  }

  readonly #onAttached = (event: Protocol.Target.AttachedToTargetEvent): void => {
    // Pages that somebody else attached to over this connection must not be detached from.
    if (event.targetInfo.type !== 'service_worker') return;
    const session = this.#connection.session(event.sessionId);
    if (!session) return;
    const isNewExtensionWorker = event.waitingForDebugger && event.targetInfo.url.startsWith('chrome-extension://');
    if (isNewExtensionWorker) {
      this.#track(event.targetInfo.url, session);
      return;
    }
    // A worker of another origin, or one that ran before: let it run and detach from it.
    session.send('Runtime.runIfWaitingForDebugger').catch(() => undefined);
    this.#connection.send('Target.detachFromTarget', { sessionId: event.sessionId }).catch(() => undefined);
  };

  /**
   * Tracks a worker that is paused before its first statement. Chromium may start the next worker of the same script in the target
   * of one that has just ended: then there is no new attachment but the event of a reload, and the new worker is paused, too.
   */
  #track(url: string, session: CDPSession): void {
    const worker = new StartingWorker(url, session);
    for (const earlier of this.#workers) if (hostOf(earlier.url) === hostOf(url)) earlier.supersede();
    this.#workers.push(worker);
    session.once('Inspector.targetReloadedAfterCrash', () => {
      worker.end();
      this.#track(url, session);
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
class StartingWorker {
  readonly #scripts: WorkerScript[] = [];
  readonly #faults: WorkerFault[] = [];
  #end: (end: 'ended' | 'superseded') => void = () => undefined;
  readonly #ended = new Promise<'ended' | 'superseded'>((resolve) => {
    this.#end = resolve;
  });

  constructor(
    readonly url: string,
    private readonly session: CDPSession,
  ) {
    session.on('Debugger.scriptParsed', this.#onScript);
    session.on('Runtime.exceptionThrown', this.#onFault);
    // A worker's end may be reported like this, too; pending commands are not answered then.
    session.once('Inspector.targetCrashed', () => {
      this.#end('ended');
    });
    for (const method of ['Runtime.enable', 'Debugger.enable', 'Runtime.runIfWaitingForDebugger'] as const) {
      // The session of a worker that ends at once is closed; `waitForStart` finds that out.
      session.send(method).catch(() => undefined);
    }
  }

  readonly #onScript = ({ url, hash, scriptId }: Protocol.Debugger.ScriptParsedEvent): void => {
    this.#scripts.push({ url, hash, read: () => this.#readScript(scriptId) });
  };

  readonly #onFault = ({ exceptionDetails }: Protocol.Runtime.ExceptionThrownEvent): void => {
    this.#faults.push(faultOf(exceptionDetails));
  };

  /** To be called when another worker continues in this session: its scripts and errors are not this worker's. */
  end(): void {
    this.session.off('Debugger.scriptParsed', this.#onScript);
    this.session.off('Runtime.exceptionThrown', this.#onFault);
    this.#end('ended');
  }

  /** To be called when a newer worker of the same extension starts: nobody needs to wait for this one any more. */
  supersede(): void {
    this.#end('superseded');
  }

  /** How this worker starts. A worker that ends before its start is decided has failed; one that is superseded is absent. */
  async waitForStart(limitMs: number, signal: AbortSignal | undefined): Promise<WorkerStart> {
    const deadline = performance.now() + limitMs;
    for (;;) {
      signal?.throwIfAborted();
      const state = await this.#state();
      if (state === 'superseded') return { state: 'absent' };
      if (state === 'activated') return { state: 'running', scripts: [...this.#scripts] };
      if (state === 'ended') return { state: 'failed', faults: [...this.#faults] };
      if (performance.now() > deadline) {
        return this.#faults.length > 0 ? { state: 'failed', faults: [...this.#faults] } : { state: 'absent' };
      }
      if (state === 'unknown') await delay(STATE_POLL_MS);
    }
  }

  /** Whether the worker is activated, as it says itself: then its script has run to the end. */
  async #state(): Promise<'activated' | 'ended' | 'silent' | 'superseded' | 'unknown'> {
    const asked = this.session.send('Runtime.evaluate', { expression: DECIDED_STATE, awaitPromise: true }).then(
      ({ result }) => (result.value === 'activated' ? 'activated' : result.value === 'redundant' ? 'ended' : 'unknown'),
      // V8 may collect the promise before it is resolved.
      (error: unknown) => (isClosed(error) ? 'ended' : 'unknown'),
    );
    // Chromium may still list a worker that has ended: such a worker never answers.
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<'silent'>((resolve) => {
      timer = setTimeout(resolve, STATE_LIMIT_MS, 'silent');
    });
    try {
      return await Promise.race([this.#ended, asked, late]);
    } finally {
      clearTimeout(timer);
    }
  }

  async #readScript(scriptId: string): Promise<string | Buffer> {
    const { scriptSource, bytecode } = await this.session.send('Debugger.getScriptSource', { scriptId });
    return bytecode === undefined ? scriptSource : Buffer.from(bytecode, 'base64');
  }
}

/** The id of the extension that a worker's script belongs to. */
function hostOf(url: string): string {
  return new URL(url).host;
}

function faultOf(details: Protocol.Runtime.ExceptionDetails): WorkerFault {
  const description = details.exception?.description ?? details.text;
  const frame = details.stackTrace?.callFrames[0];
  return {
    // The first line is the error; the rest is its stack, whose top frame is the position.
    text: description.split('\n', 1)[0] ?? description,
    url: frame?.url ?? details.url ?? '',
    line: frame?.lineNumber ?? details.lineNumber,
    column: frame?.columnNumber ?? details.columnNumber,
  };
}
