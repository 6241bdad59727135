import assert from 'node:assert/strict';
import type { RelayClientEvents, RelayPort } from '../../src/debugger/relayServer';
import { isJsonObject, type Json, type JsonObject, jsonOf } from '../support/json';

/** A message of DevTools. */
export interface Message {
  id: number | undefined;
  method: string;
  sessionId: string;
  params: JsonObject;
  result: Json | undefined;
  error: Json | undefined;
}

/** Reads a message. */
export function messageOf(text: string): Message {
  const message = jsonOf(text);
  assert.ok(message !== undefined && isJsonObject(message));
  const { id, method, sessionId, params, result, error } = message;
  return {
    id: typeof id === 'number' ? id : undefined,
    method: typeof method === 'string' ? method : '',
    sessionId: typeof sessionId === 'string' ? sessionId : '',
    params: params !== undefined && isJsonObject(params) ? params : {},
    result,
    error,
  };
}

/** The session that an event or a command is about; empty for none. */
function about({ sessionId }: JsonObject): string {
  return typeof sessionId === 'string' ? sessionId : '';
}

/** The debugger's end, in memory: it knows a session from its first command there until it hears of its end, and fails at all others. */
export class MemoryDebugger implements RelayPort {
  readonly received: Message[] = [];
  /** What js-debug would have failed at. */
  readonly faults: string[] = [];
  readonly #known = new Set<string>(['']);
  events: RelayClientEvents | undefined;
  /** Whether nothing can listen. */
  isRefused = false;
  #lastId = 0;
  browser = '';
  root = '';
  port = 1;
  address = 'ws://127.0.0.1:1/secret';

  readonly listen = (events: RelayClientEvents): Promise<RelayPort> => {
    if (this.isRefused) return Promise.reject(new Error('no port'));
    this.events = events;
    return Promise.resolve(this);
  };

  send(text: string): void {
    if (this.port === 0) return;
    const message = messageOf(text);
    const { sessionId, method, params } = message;
    if (!this.#known.has(sessionId)) this.faults.push(`${sessionId}: ${method}`);
    if (method === 'Target.attachedToTarget' && params['waitingForDebugger'] !== true)
      this.faults.push('it runs already');
    if (method === 'Target.detachedFromTarget') this.#known.delete(about(params));
    this.received.push(message);
  }

  close(): void {
    this.port = 0;
  }

  /** Sends a command, with which its session begins; returns its number. */
  command(method: string, params: object = {}, sessionId = ''): number {
    this.#known.add(sessionId);
    this.#lastId += 1;
    this.events?.onMessage(
      JSON.stringify({ id: this.#lastId, method, params, ...(sessionId !== '' && { sessionId }) }),
    );
    return this.#lastId;
  }

  /** The answer to a command. */
  answer(id: number): Message | undefined {
    return this.received.find((message) => message.id === id);
  }

  /** Attaches to the made-up page, sets breakpoints there as in all pages, and attaches to all that it has. */
  attach(breakpoints: readonly object[] = []): void {
    this.browser = this.#sessionOf(this.command('Target.attachToBrowserTarget'));
    this.command('Target.setDiscoverTargets', { discover: true }, this.browser);
    const created = this.received.find(({ method }) => method === 'Target.targetCreated')?.params['targetInfo'];
    assert.ok(created !== undefined && isJsonObject(created));
    this.root = this.#sessionOf(this.command('Target.attachToTarget', { targetId: created['targetId'] }, this.browser));
    for (const breakpoint of breakpoints) this.command('Debugger.setBreakpointByUrl', breakpoint, this.root);
    this.command('Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: true, flatten: true }, this.root);
  }

  /** Begins the session of a target as js-debug does. */
  begin(sessionId: string, type = 'page', breakpoints = 1): void {
    if (type === 'service_worker') this.command('Runtime.runIfWaitingForDebugger', {}, sessionId);
    this.command('Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: true, flatten: true }, sessionId);
    this.command('Debugger.enable', {}, sessionId);
    for (let line = 0; line < breakpoints; line++) {
      this.command('Debugger.setBreakpointByUrl', { urlRegex: '.*', lineNumber: line }, sessionId);
    }
    this.command('Runtime.runIfWaitingForDebugger', {}, sessionId);
  }

  /** The events on a session, each with the session that it is about if there is one. */
  seen(sessionId: string): string[] {
    return this.received
      .filter((message) => message.id === undefined && message.sessionId === sessionId)
      .map(({ method, params }) => `${method} ${about(params)}`.trim());
  }

  /** The sessions of the targets that there are. */
  get sessions(): string[] {
    const sessions: string[] = [];
    for (const { method, params } of this.received) {
      const session = about(params);
      if (method === 'Target.attachedToTarget') sessions.push(session);
      if (method === 'Target.detachedFromTarget' && sessions.includes(session)) {
        sessions.splice(sessions.indexOf(session), 1);
      }
    }
    return sessions;
  }

  #sessionOf(id: number): string {
    const { result } = this.answer(id) ?? {};
    assert.ok(result !== undefined && isJsonObject(result));
    const session = result['sessionId'];
    assert.ok(typeof session === 'string');
    this.#known.add(session);
    return session;
  }
}
