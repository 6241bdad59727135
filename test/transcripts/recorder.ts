import assert from 'node:assert/strict';
import { openSocket, type OpenSocket } from '../../src/devtools/protocol/connect';
import type { MessageTransport } from '../../src/devtools/protocol/webSocket';
import { isJsonObject, type Json, type JsonObject, jsonOf } from '../support/json';
import { Normaliser } from './normalise';
import { type Entry, type Transcript, abbreviated, stableText } from './transcript';

/** What was seen, as it was. */
type Seen =
  | { kind: 'send'; via: string; message: JsonObject }
  | { kind: 'receive'; via: string; message: JsonObject }
  | { kind: 'opened'; via: string }
  | { kind: 'closed'; via: string }
  | { kind: 'mark'; name: string };

/** What is stored of a connection. */
export interface StoredPart {
  /** Whether an event of this name is stored: whether anybody reads it. */
  reads: (event: string) => boolean;
  /** Whether an event only tells a state: of two with the same in a row, the second is not stored. */
  isState: (event: string) => boolean;
  /** The parts of an answer or of an event's parameters that are stored. */
  trim: (name: string, value: JsonObject) => JsonObject;
  /** Whether a command is sent again and again until its answer is another one: only the last of equal ones is stored. */
  isPoll: (command: string, params: JsonObject) => boolean;
  /** Whether a command is sent at a time that has nothing to do with what happens; it is not stored. */
  isIncidental: (command: string, params: JsonObject) => boolean;
}

/** Longer texts from the browser are cut, in characters. */
const LONGEST_TEXT = 2000;

/** How long nothing may come until a browser counts as quiet, in milliseconds. */
const QUIET_MS = 120;
const QUIET_LIMIT_MS = 10_000;

/** Records what goes over connections to a browser. */
export class TranscriptRecorder {
  readonly #seen: Seen[] = [];
  readonly #labels = new Map<string, number>();
  #lastAt = performance.now();
  /** The sessions of the commands that wait for their answers, by connection and number. */
  readonly #pending = new Map<string, Json | undefined>();

  /** Opens connections that are recorded: the first under the name `label`, the next as `label 2`. */
  opener(label = 'push', open: OpenSocket = openSocket): OpenSocket {
    return async (url, signal, filter) => {
      const inner = await open(url, signal, filter);
      const count = (this.#labels.get(label) ?? 0) + 1;
      this.#labels.set(label, count);
      return this.#recorded(inner, count === 1 ? label : `${label} ${count}`);
    };
  }

  /** Notes that something is done to the browser over another way: what follows may be its consequence. */
  mark(name: string): void {
    this.#note({ kind: 'mark', name });
  }

  /**
   * Resolves when no command waits for its answer and nothing has come for a moment. `mayWait`: whether commands may wait, as those to a worker
   * that is paused.
   */
  async quiet(mayWait = false): Promise<void> {
    const end = performance.now() + QUIET_LIMIT_MS;
    const isQuiet = (): boolean => (mayWait || this.#pending.size === 0) && performance.now() - this.#lastAt > QUIET_MS;
    while (!isQuiet() && performance.now() < end) await new Promise((resolve) => setTimeout(resolve, 20));
  }

  /** The transcript of all connections so far. */
  transcript(title: string, chromium: string, part: StoredPart): Transcript {
    return { title, chromium, entries: entriesOf(this.#seen, part) };
  }

  #recorded(inner: MessageTransport, via: string): MessageTransport {
    this.#note({ kind: 'opened', via });
    let isClosed = false;
    const outer: MessageTransport = {
      send: (text) => {
        const message = messageOf(text);
        this.#pending.set(`${via} ${JSON.stringify(message['id'])}`, message['sessionId']);
        this.#note({ kind: 'send', via, message });
        inner.send(text);
      },
      ping: () => {
        inner.ping();
      },
      close: () => {
        isClosed = true;
        inner.close();
      },
    };
    inner.onmessage = (text) => {
      const message = messageOf(text);
      this.#pending.delete(`${via} ${JSON.stringify(message['id'])}`);
      if (message['method'] === 'Target.detachedFromTarget') this.#forget(objectOf(message['params'])['sessionId']);
      this.#note({ kind: 'receive', via, message });
      outer.onmessage?.(text);
    };
    inner.onclose = () => {
      this.#pending.clear();
      if (!isClosed) this.#note({ kind: 'closed', via });
      outer.onclose?.();
    };
    return outer;
  }

  /** What a target that has gone was asked is never answered. */
  #forget(ended: Json | undefined): void {
    for (const [command, session] of this.#pending) if (session === ended) this.#pending.delete(command);
  }

  #note(seen: Seen): void {
    this.#seen.push(seen);
    this.#lastAt = performance.now();
  }
}

function messageOf(text: string): JsonObject {
  const message = jsonOf(text);
  assert.ok(message !== undefined && isJsonObject(message), 'A message of DevTools is an object.');
  return message;
}

/** The entries of what was seen: what nobody reads is left out, and what differs from run to run is made the same. */
function entriesOf(seen: readonly Seen[], { reads, isState, trim, isPoll, isIncidental }: StoredPart): Entry[] {
  const ids = new Normaliser();
  const entries: Entry[] = [];
  const counts = new Map<string, number>();
  /** The commands that wait for an answer, by connection, session and number. */
  const waiting = new Map<string, { method: string; nth: number; poll?: { key: string; at: number } }>();
  const polls = new Map<string, { sent: number; answered: number; result: string }>();
  const needless = new Set<number>();
  const states = new Map<string, string>();
  for (const one of seen) {
    if (one.kind === 'mark') entries.push({ mark: one.name });
    else if (one.kind === 'opened') entries.push({ opened: one.via });
    else if (one.kind === 'closed') entries.push({ closed: one.via });
    else {
      const { via, message } = one;
      const { id, method, sessionId } = message;
      const on = typeof sessionId === 'string' && sessionId !== '' ? ids.text(sessionId, 'sessionId') : undefined;
      const where = { ...(on !== undefined && { on }), via };
      const params = isJsonObject(message['params'] ?? null) ? objectOf(message['params']) : undefined;
      if (one.kind === 'send' && typeof method === 'string') {
        if (isIncidental(method, params ?? {})) continue;
        const stored = params && objectOf(abbreviated(ids.object(params)));
        const counted = JSON.stringify([via, on, method]);
        const nth = (counts.get(counted) ?? 0) + 1;
        counts.set(counted, nth);
        const poll = isPoll(method, params ?? {}) && { key: stableText([counted, stored ?? null]), at: entries.length };
        waiting.set(JSON.stringify([via, on, id]), { method, nth, ...(poll && { poll }) });
        entries.push({ send: method, ...where, ...(stored && { params: stored }) });
      } else if (typeof id === 'number') {
        const command = waiting.get(JSON.stringify([via, on, id]));
        if (!command) continue;
        const { result, error } = message;
        const { method: answer, nth, poll } = command;
        const stored = result === undefined ? undefined : cut(ids.value(trim(answer, objectOf(result))));
        if (poll) {
          const text = stableText(stored ?? null);
          const before = polls.get(poll.key);
          if (before?.result === text) needless.add(before.sent).add(before.answered);
          polls.set(poll.key, { sent: poll.at, answered: entries.length, result: text });
        }
        const outcome = { ...(stored !== undefined && { result: stored }), ...(error !== undefined && { error }) };
        entries.push({ answer, nth, ...where, ...outcome });
      } else if (typeof method === 'string' && reads(method)) {
        const stored = params && objectOf(cut(ids.object(trim(method, params))));
        const state = stableText(stored ?? null);
        const subject = JSON.stringify([via, on, method]);
        if (isState(method) && states.get(subject) === state) continue;
        states.set(subject, state);
        entries.push({ event: method, ...where, ...(stored && { params: stored }) });
      }
    }
  }
  return renumbered(
    entries.filter((_entry, at) => !needless.has(at)),
    entries,
    needless,
  );
}

/** Answers count the commands before them, of which some were left out. */
function renumbered(kept: readonly Entry[], all: readonly Entry[], needless: ReadonlySet<number>): Entry[] {
  const numbers = new Map<string, number[]>();
  for (const [at, entry] of all.entries()) {
    if (!('send' in entry)) continue;
    const key = JSON.stringify([entry.via, entry.on, entry.send]);
    const list = numbers.get(key) ?? [];
    const before = list.filter((number) => number > 0).length;
    numbers.set(key, [...list, needless.has(at) ? 0 : before + 1]);
  }
  return kept.map((entry) => {
    if (!('answer' in entry)) return entry;
    const nth = numbers.get(JSON.stringify([entry.via, entry.on, entry.answer]))?.[entry.nth - 1];
    return { ...entry, nth: nth ?? entry.nth };
  });
}

function objectOf(value: Json | undefined): JsonObject {
  return value !== undefined && isJsonObject(value) ? value : {};
}

function cut(value: Json): Json {
  if (typeof value === 'string') return value.length > LONGEST_TEXT ? `${value.slice(0, LONGEST_TEXT)}…` : value;
  if (Array.isArray(value)) return value.map(cut);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, cut(inner)]));
}
