/** For tests in the extension host: where VS Code's JavaScript debugger stops. */
import assert from 'node:assert/strict';
import { basename } from 'node:path';
import { debug, Disposable, type DebugSession } from 'vscode';
import { fieldOf } from '../../src/base/fields';
import { eventually } from '../support/eventually';

/** How long the debugger may take for a stop, in milliseconds. */
const STOP_LIMIT_MS = 90_000;

/** How long a session that refuses requests may take to end, in milliseconds. */
const END_LIMIT_MS = 10_000;

/** Where a session has stopped. */
export interface Stop {
  session: DebugSession;
  threadId: number;
  /** The name of the file. */
  file: string;
  /** From 1. */
  line: number;
  frameId: number;
}

interface Stopped {
  session: DebugSession;
  threadId: number;
  isTaken: boolean;
}

/** What a session has written to the Debug Console, and the place that it belongs to. */
export interface Output {
  text: string;
  /** The name of the file; empty when there is none. */
  file: string;
  /** From 1; 0 when there is none. */
  line: number;
}

/** Follows the debug sessions of the window, and what their adapters say. */
export class DebuggerStops implements Disposable {
  /** The names of the sessions that live. */
  readonly sessions: DebugSession[] = [];
  readonly #outputs: Output[] = [];
  readonly #stopped: Stopped[] = [];
  readonly #messages: string[] = [];
  /** The sessions that have told of a breakpoint that is set. */
  readonly #bound = new Set<string>();
  readonly #subscription: Disposable;

  constructor() {
    this.#subscription = Disposable.from(
      debug.onDidStartDebugSession((session) => {
        this.sessions.push(session);
      }),
      debug.onDidTerminateDebugSession((session) => {
        const at = this.sessions.findIndex(({ id }) => id === session.id);
        if (at >= 0) this.sessions.splice(at, 1);
        for (const stopped of this.#stopped) stopped.isTaken ||= stopped.session.id === session.id;
      }),
      debug.registerDebugAdapterTrackerFactory('*', {
        createDebugAdapterTracker: (session) => ({
          onWillReceiveMessage: (message: unknown) => {
            this.#messages.push(`${session.name} <- ${JSON.stringify(message).slice(0, 300)}`);
          },
          onDidSendMessage: (message: unknown) => {
            this.#onMessage(session, message);
          },
        }),
      }),
    );
  }

  /**
   * Waits for the next stop that no earlier call has returned. One whose session ends at that moment is none: a reload may start two
   * workers, one after the other, and the debug session of the first ends.
   */
  async next(): Promise<Stop> {
    for (;;) {
      const stopped = await this.#nextStopped();
      const stop = await this.#placeOf(stopped).catch(async (error: unknown) => {
        await eventually(
          () => `the session ends that refuses: ${String(error)}`,
          () => !this.sessions.includes(stopped.session),
          END_LIMIT_MS,
        );
      });
      if (stop) return stop;
    }
  }

  async #nextStopped(): Promise<Stopped> {
    let found: Stopped | undefined;
    await eventually(
      () => `the debugger stops; sessions: ${this.names.join(', ')}; last: ${this.last}`,
      () => {
        found = this.#stopped.find(({ isTaken }) => !isTaken);
        return found !== undefined;
      },
      STOP_LIMIT_MS,
    );
    assert(found);
    found.isTaken = true;
    return found;
  }

  async #placeOf({ session, threadId }: Stopped): Promise<Stop> {
    const trace: unknown = await this.#ask(session, 'stackTrace', { threadId, startFrame: 0, levels: 20 });
    const frames = fieldOf(trace, 'stackFrames');
    const frame: unknown = Array.isArray(frames) ? frames[0] : undefined;
    const path = fieldOf(fieldOf(frame, 'source'), 'path');
    const [line, frameId] = [fieldOf(frame, 'line'), fieldOf(frame, 'id')];
    assert(typeof path === 'string' && typeof line === 'number' && typeof frameId === 'number', JSON.stringify(trace));
    return { session, threadId, file: basename(path), line, frameId };
  }

  /** Whether a stop has come that no call has returned. */
  get hasMore(): boolean {
    return this.#stopped.some(({ isTaken }) => !isTaken);
  }

  /** The last messages of the debugger. */
  get last(): string {
    return this.#messages.slice(-40).join('\n');
  }

  get names(): string[] {
    return this.sessions.map(({ name }) => name);
  }

  /** Waits until the debugger has a session for each of these parts, by their names. */
  async untilSessions(...names: string[]): Promise<void> {
    await eventually(
      () => `sessions ${names.join()} among ${this.names.join()}`,
      () => names.every((name) => this.names.includes(name)),
      STOP_LIMIT_MS,
    );
  }

  /** Waits until the debugger has set a breakpoint in so many parts of this name: a session begins before that. */
  async untilBound(name: string, count = 1): Promise<void> {
    await eventually(
      () => `a breakpoint is set in ${count} of ${name}; last: ${this.last}`,
      () => this.sessions.filter((session) => session.name === name && this.#bound.has(session.id)).length === count,
      STOP_LIMIT_MS,
    );
  }

  /** The session of a part, by its name. */
  session(name: string): DebugSession {
    const found = this.sessions.find((session) => session.name === name);
    assert(found, `${name} among ${this.names.join()}`);
    return found;
  }

  /** Waits until a text like this was written to the Debug Console. */
  async output(pattern: RegExp): Promise<Output> {
    let found: Output | undefined;
    await eventually(
      () => `output like ${pattern.source}; last: ${this.last}`,
      () => (found = this.#outputs.find(({ text }) => pattern.test(text))) !== undefined,
      STOP_LIMIT_MS,
    );
    assert(found);
    return found;
  }

  /** The value of a variable at a stop, as the debugger shows it. */
  async value({ session, frameId }: Stop, name: string): Promise<string | undefined> {
    const answer: unknown = await this.#ask(session, 'scopes', { frameId });
    const scopes: unknown = fieldOf(answer, 'scopes');
    assert(Array.isArray(scopes));
    for (const scope of scopes as unknown[]) {
      const variablesReference = fieldOf(scope, 'variablesReference');
      if (fieldOf(scope, 'expensive') === true) continue;
      const found: unknown = await this.#ask(session, 'variables', { variablesReference });
      const variables: unknown = fieldOf(found, 'variables');
      assert(Array.isArray(variables));
      const variable = (variables as unknown[]).find((each) => fieldOf(each, 'name') === name);
      if (variable !== undefined) return String(fieldOf(variable, 'value'));
    }
    return undefined;
  }

  /** What the Debug Console shows for an expression at a stop. */
  async evaluate({ session, frameId }: Stop, expression: string): Promise<string> {
    const answer: unknown = await this.#ask(session, 'evaluate', { expression, frameId, context: 'repl' });
    return String(fieldOf(answer, 'result'));
  }

  async goOn({ session, threadId }: Stop): Promise<void> {
    await this.#ask(session, 'continue', { threadId });
  }

  /** Lets all go on that has stopped, which a failed test may have left. */
  async goOnAll(): Promise<void> {
    const living = this.#stopped.splice(0).filter(({ session }) => this.sessions.some(({ id }) => id === session.id));
    await Promise.allSettled(
      living.map(async ({ session, threadId }) => {
        await session.customRequest('continue', { threadId });
      }),
    );
  }

  async stepOver({ session, threadId }: Stop): Promise<Stop> {
    await this.#ask(session, 'next', { threadId });
    return await this.next();
  }

  /** Ends all sessions. */
  async end(): Promise<void> {
    await debug.stopDebugging();
    await eventually(
      () => `all sessions end: ${this.names.join()}`,
      () => this.sessions.length === 0,
      STOP_LIMIT_MS,
    );
  }

  dispose(): void {
    this.#subscription.dispose();
  }

  /** Sends a request to the debug adapter. VS Code does not say which one was refused, or that the session was about to end. */
  async #ask(session: DebugSession, request: string, given: object): Promise<unknown> {
    try {
      return await session.customRequest(request, given);
    } catch (error) {
      throw new Error(`${request} of ${session.name}: ${String(error)}; last: ${this.last}`, { cause: error });
    }
  }

  #onMessage(session: DebugSession, message: unknown): void {
    const text = JSON.stringify(message);
    if (!text.includes('loadedSource')) this.#messages.push(`${session.name}: ${text.slice(0, 300)}`);
    const [event, body] = [fieldOf(message, 'event'), fieldOf(message, 'body')];
    const threadId = fieldOf(body, 'threadId');
    if (isBound(body)) this.#bound.add(session.id);
    if (event === 'output') {
      const path = fieldOf(fieldOf(body, 'source'), 'path');
      const line = fieldOf(body, 'line');
      this.#outputs.push({
        text: String(fieldOf(body, 'output')),
        file: typeof path === 'string' ? basename(path) : '',
        line: typeof line === 'number' ? line : 0,
      });
    }
    if (event === 'stopped' && typeof threadId === 'number') {
      this.#stopped.push({ session, threadId, isTaken: false });
    }
  }
}

/** Whether a message tells of a breakpoint that is set: the answer to the command, or an event after it. */
function isBound(body: unknown): boolean {
  const list = fieldOf(body, 'breakpoints');
  const all: unknown[] = Array.isArray(list) ? list : [fieldOf(body, 'breakpoint')];
  return all.some((breakpoint) => fieldOf(breakpoint, 'verified') === true);
}
