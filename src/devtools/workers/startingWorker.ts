import { realClock, type Clock, type Timer, inTime } from '../../base/clock';
import { decidedState } from '../inPage/workerCalls';
import { type CDPSession, isClosed, type Protocol } from '../protocol/connect';
import { peek } from '../protocol/evaluate';
import { callOf } from '../protocol/pageCall';
import { splitStack } from '../protocol/stackText';
import type { WorkerPauses } from './workerDebuggers';

/** How long a worker may take to report its state, in milliseconds, before it is asked again: a busy one answers late. */
const STATE_LIMIT_MS = 1000;

/** Pause before a worker is asked again that could not report its state, in milliseconds. */
const STATE_POLL_MS = 5;

/**
 * How long a paused worker may take to acknowledge that it resumes, in milliseconds (C-TIME-RESUME). One that has ended never answers, and not every
 * end is reported.
 */
const RESUME_LIMIT_MS = 15_000;

/**
 * Resumes a worker that waits for the debugger before its first statement. Resolves when the worker has acknowledged the command, or has
 * ended. Await it before detaching: a detach may drop the pending command (C-DETACH-DROPS), and the worker would wait without end.
 */
export async function resume(session: CDPSession, clock: Clock): Promise<void> {
  const resumed = session.send('Runtime.runIfWaitingForDebugger').catch(() => undefined);
  const ended = new Promise((resolve) => session.once('Inspector.targetCrashed', resolve));
  await inTime(Promise.race([resumed, ended]), RESUME_LIMIT_MS, clock);
}

/** How long a worker that runs and answers may be without its script, in milliseconds (C-WORKER-NO-SCRIPT). */
const SCRIPT_LIMIT_MS = 5000;

/** How long Chromium may take to accept API calls of a worker that is activated, in milliseconds. */
const API_LIMIT_MS = 500;

/** A script or WebAssembly module that a worker has loaded. `hash` is V8's (C-SCRIPT-HASH): of a script the SHA-256 of its text, in hex. */
export interface WorkerScript {
  url: string;
  hash: string;
  /** The text as the browser runs it; of a WebAssembly module, its bytes. */
  read(): Promise<string | Buffer>;
}

/** An uncaught error while a worker started. Line and column count from 0. */
export interface WorkerFault {
  /** Without the stack; of several lines, where the error is about source text, as one of a bundler. */
  text: string;
  url: string;
  line: number;
  column: number;
}

/**
 * How a worker started: `running` means that its script ran to the end and the worker is activated; `failed`, that the script
 * threw, could not be parsed or lacked an import; `apiRefused`, that it runs, but cannot call the extension API; `noScript`, that it runs, but
 * Chromium does not give it its script; `absent`, that no worker appeared in time; `endless`, that it has begun its script, and its start does not
 * end; `paused`, that a debugger has paused it, with the scripts that it has loaded so far.
 */
export type WorkerStart =
  | { state: 'running'; scripts: WorkerScript[] }
  | { state: 'failed'; faults: WorkerFault[] }
  | { state: 'apiRefused' }
  | { state: 'noScript' }
  | { state: 'absent' }
  | { state: 'endless' }
  | { state: 'paused'; scripts: WorkerScript[]; at: string };

/** What comes of a question to a worker: what it says of itself, its end, or nothing in time (`silent`), and why (`noScript`). */
type Answer = Said | 'silent' | 'noScript' | 'superseded';

/** The state that a worker reports; `unknown`: the caller polls again. */
type Said = 'activated' | 'apiRefused' | 'ended' | 'unknown';

/** What is known of a worker when it is attached to. */
export interface WorkerOrigin {
  url: string;
  targetId: string;
  /** The debuggers of the browser; one of them lets the worker run when its breakpoints are set. Undefined when there is none. */
  debuggers: WorkerPauses | undefined;
  /** Expressions that are evaluated in it before its first statement. */
  first?: readonly string[];
  /** Resolves when the worker may run; at once without it. Does not reject. */
  mayRun?: Promise<unknown> | undefined;
  clock?: Clock;
}

/** One worker, attached to before its first statement. */
export class StartingWorker {
  readonly #scripts: WorkerScript[] = [];
  readonly #faults: WorkerFault[] = [];
  #end: (end: 'ended' | 'superseded') => void = () => undefined;
  readonly #ended = new Promise<'ended' | 'superseded'>((resolve) => {
    this.#end = resolve;
  });

  readonly #resumed: Promise<void>;
  /** By the clock; undefined before it has, and where debuggers let it run. */
  #resumedAt: number | undefined;

  /** A question to a worker that has not begun its script is a script, too, and would be paused in place of it. */
  #prepared: Promise<void> = Promise.resolve();

  readonly url: string;
  readonly #debuggers: WorkerPauses | undefined;
  readonly #targetId: string;
  readonly #clock: Clock;
  /** Whether it is paused for what is evaluated first. */
  readonly #mayPause: boolean;

  constructor(
    { url, targetId, debuggers, first = [], mayRun, clock = realClock }: WorkerOrigin,
    private readonly session: CDPSession,
  ) {
    this.url = url;
    this.#targetId = targetId;
    this.#debuggers = debuggers;
    this.#clock = clock;
    session.on('Debugger.scriptParsed', this.#onScript);
    session.on('Runtime.exceptionThrown', this.#onFault);
    // A worker's end may be reported like this, too; pending commands are not answered then.
    session.once('Inspector.targetCrashed', () => this.#end('ended'));
    this.#mayPause = first.length > 0;
    this.#observe();
    if (this.#mayPause) this.#prepared = this.#evaluateFirst(first);
    if (debuggers) this.#resumed = Promise.resolve();
    else if (mayRun) {
      this.#resumed = mayRun.then(() => resume(session, clock));
      this.#prepared = Promise.all([this.#prepared, mayRun]).then(() => undefined);
    } else this.#resumed = resume(session, clock);
    if (!debuggers) void this.#resumed.then(() => (this.#resumedAt = clock.now()));
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

  /** Detaches from the worker once it has resumed, or has ended. Rejects when the session is closed already. */
  async detach(): Promise<void> {
    await Promise.race([this.#resumed, this.#ended]);
    await this.session.detach();
  }

  /** How this worker starts. A worker that ends before its start is decided has failed; one that is superseded is absent. */
  async waitForStart(limitMs: number, signal: AbortSignal | undefined): Promise<WorkerStart> {
    const deadline = this.#clock.now() + limitMs;
    await inTime(Promise.race([this.#prepared, this.#ended]), limitMs, this.#clock);
    for (;;) {
      signal?.throwIfAborted();
      const answer = await this.#ask();
      const at = this.#debuggers?.pausedAt(this.#targetId);
      const start = this.#startBy(answer, at, this.#clock.now() > deadline);
      if (start) return start;
      if (answer === 'silent') this.#beginAgain();
      if (answer === 'unknown') await this.#clock.delay(STATE_POLL_MS);
    }
  }

  /** Has the worker report what it loads, and its errors. */
  #observe(): void {
    this.session.send('Runtime.enable').catch(ignored);
    this.session.send('Debugger.enable').catch(ignored);
    // Else a `debugger` statement would pause the worker for good.
    if (!this.#mayPause) this.session.send('Debugger.setSkipAllPauses', { skip: true }).catch(ignored);
  }

  /**
   * Repeats what was asked of the worker at its beginning, which may be lost where it has come to the target of another one
   * (C-WORKER-SAME-TARGET): it would wait for good. It changes nothing for a worker that runs.
   */
  #beginAgain(): void {
    this.#observe();
    if (!this.#debuggers) this.session.send('Runtime.runIfWaitingForDebugger').catch(ignored);
  }

  /** How the worker has started, by what is seen of it; undefined while that is undecided. `at`: where a debugger has paused it. */
  #startBy(answer: Answer, at: string | undefined, isLate: boolean): WorkerStart | undefined {
    const [scripts, faults] = [[...this.#scripts], [...this.#faults]];
    if (at) return { state: 'paused', scripts, at };
    switch (answer) {
      case 'superseded':
        return { state: 'absent' };
      case 'activated':
        return { state: 'running', scripts };
      case 'apiRefused':
        return { state: 'apiRefused' };
      case 'noScript':
        return { state: 'noScript' };
      case 'ended':
        return { state: 'failed', faults };
      case 'silent':
      case 'unknown':
        if (!isLate) return undefined;
        if (faults.length > 0) return { state: 'failed', faults };
        return { state: this.#hasScript() ? 'endless' : 'absent' };
    }
  }

  /** Whether the worker is activated, as it says itself: then its script has run to the end. */
  async #ask(): Promise<Answer> {
    const { expression } = callOf(decidedState, API_LIMIT_MS);
    const asked = this.session.send('Runtime.evaluate', { expression, awaitPromise: true }).then(
      ({ result }) => stateOf(result.value),
      // The promise may have been collected before it was resolved (C-EVALUATE-COLLECTED).
      (error: unknown) => (isClosed(error) ? 'ended' : 'unknown'),
    );
    // A worker that is listed may have ended: then it never answers (C-WORKER-LISTED).
    let timer: Timer | undefined;
    let stopListening: (() => void) | undefined;
    const paused = new Promise<'unknown'>((resolve) => {
      stopListening = this.#debuggers?.onChange(() => resolve('unknown'));
    });
    const late = (ms: number): Promise<'silent'> =>
      new Promise((resolve) => {
        timer = this.#clock.after(ms, () => resolve('silent'));
      });
    try {
      const state = await Promise.race([this.#ended, asked, paused, late(STATE_LIMIT_MS)]);
      if (state !== 'silent') return state;
      // One that a debugger has paused resolves no promise, but gives at once what it has.
      const workerState = await peek(this.session, 'self.serviceWorker.state', this.#clock);
      if (workerState === 'parsed' && this.#lacksScript()) return 'noScript';
      if (workerState !== 'activated') return state;
      // One that has been activated late may still be calling the API.
      const decided = await Promise.race([this.#ended, asked, paused, late(API_LIMIT_MS + STATE_LIMIT_MS)]);
      return decided === 'silent' ? 'activated' : decided;
    } finally {
      timer?.clear();
      stopListening?.();
    }
  }

  /** Whether no script of a file has come since the worker was let run, and none is going to. */
  #lacksScript(): boolean {
    const ranMs = this.#clock.now() - (this.#resumedAt ?? Infinity);
    return ranMs > SCRIPT_LIMIT_MS && !this.#hasScript();
  }

  /** Whether a script of a file has come. */
  #hasScript(): boolean {
    return this.#scripts.some(({ url }) => url !== '');
  }

  /**
   * Pauses the worker before its first statement, where it has the API of extensions, evaluates what is to come first, and lets it go on for good
   * (C-WORKER-BEFORE-SCRIPT). Resolves when that is done, or the worker fails before.
   */
  async #evaluateFirst(expressions: readonly string[]): Promise<void> {
    const breakpoint = { instrumentation: 'beforeScriptExecution' } as const;
    const set = this.session.send('Debugger.setInstrumentationBreakpoint', breakpoint).catch(() => undefined);
    const evaluateAll = async (): Promise<void> => {
      for (const expression of expressions) await peek(this.session, expression, this.#clock);
      const id = await set;
      if (id) await this.session.send('Debugger.removeBreakpoint', id).catch(() => undefined);
    };
    await new Promise<void>((resolve) => {
      let evaluating: Promise<void> | undefined;
      this.session.on('Debugger.paused', () => {
        evaluating ??= evaluateAll();
        void evaluating.then(() => this.session.send('Debugger.resume').catch(() => undefined)).then(() => resolve());
      });
      this.session.once('Runtime.exceptionThrown', () => resolve());
    });
  }

  async #readScript(scriptId: string): Promise<string | Buffer> {
    const { scriptSource, bytecode } = await this.session.send('Debugger.getScriptSource', { scriptId });
    return bytecode === undefined ? scriptSource : Buffer.from(bytecode, 'base64');
  }
}

/** The session of a worker that ends at once is closed; `waitForStart` finds that out. */
const ignored = (): void => undefined;

/** What a value of `decidedState` means. */
function stateOf(value: unknown): Said {
  if (value === 'activated' || value === 'apiRefused') return value;
  return value === 'redundant' ? 'ended' : 'unknown';
}

function faultOf(details: Protocol.Runtime.ExceptionDetails): WorkerFault {
  const description = details.exception?.description ?? details.text;
  const frame = details.stackTrace?.callFrames[0];
  return {
    // What follows is its stack, whose top frame is the position.
    text: splitStack(description)[0],
    url: frame?.url ?? details.url ?? '',
    line: frame?.lineNumber ?? details.lineNumber,
    column: frame?.columnNumber ?? details.columnNumber,
  };
}
