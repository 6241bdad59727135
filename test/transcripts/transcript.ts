import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { isJsonObject, type Json, type JsonObject, jsonOf } from '../support/json';

/**
 * One entry of a transcript. `via`: the connection, `on`: the session on it; none for the browser itself. Of the entries, `send`, `opened` and
 * `mark` come from our side: whatever follows them in the transcript may be their consequence.
 */
export type Entry =
  /** A command. */
  | { send: string; on?: string; via: string; params?: JsonObject }
  /** The answer to the `nth` command of this name in the session, counted from 1. */
  | { answer: string; nth: number; on?: string; via: string; result?: Json; error?: Json }
  | { event: string; on?: string; via: string; params?: JsonObject }
  /** A connection was opened. */
  | { opened: string }
  /** The browser, or the network, has closed a connection. */
  | { closed: string }
  /** The test, or the service, did something to the browser. */
  | { mark: string };

/** An entry that comes from the browser. */
export type Received = Extract<Entry, { answer: string } | { event: string } | { closed: string }>;

/** What was said between Sideload and a Chromium, in the order in which Sideload saw it. */
export interface Transcript {
  title: string;
  /** The version of Chromium, for example `156.0.7650.2`. */
  chromium: string;
  entries: readonly Entry[];
}

/** Texts of commands up to this length are stored whole, in characters; of others the beginning and a digest. */
const WHOLE_LENGTH = 100;
const BEGINNING_LENGTH = 60;

export function isReceived(entry: Entry): entry is Received {
  return 'answer' in entry || 'event' in entry || 'closed' in entry;
}

/** A transcript as JSON lines. */
export function transcriptText({ title, chromium, entries }: Transcript): string {
  return [{ transcript: title, chromium }, ...entries].map((line) => `${JSON.stringify(line)}\n`).join('');
}

/** Reads what {@link transcriptText} has written. */
export function parseTranscript(text: string): Transcript {
  const [head, ...lines] = text.trim().split('\n').map(jsonOf);
  assert.ok(head !== undefined && isJsonObject(head), 'A transcript begins with a line about itself.');
  const { transcript: title, chromium } = head;
  assert.ok(typeof title === 'string' && typeof chromium === 'string');
  return { title, chromium, entries: lines.map(entryOf) };
}

function entryOf(line: Json | undefined): Entry {
  assert.ok(line !== undefined && isJsonObject(line), 'A line of a transcript is not an object.');
  const { send, answer, nth, event, opened, closed, mark, via, on, params, result, error } = line;
  if (typeof opened === 'string') return { opened };
  if (typeof closed === 'string') return { closed };
  if (typeof mark === 'string') return { mark };
  assert.ok(typeof via === 'string', `Without a connection: ${JSON.stringify(line)}`);
  const where = { ...(typeof on === 'string' && { on }), via };
  const withParams = { ...where, ...(params !== undefined && isJsonObject(params) && { params }) };
  if (typeof send === 'string') return { send, ...withParams };
  if (typeof event === 'string') return { event, ...withParams };
  assert.ok(typeof answer === 'string' && typeof nth === 'number', `Not an entry: ${JSON.stringify(line)}`);
  return { answer, nth, ...where, ...(result !== undefined && { result }), ...(error !== undefined && { error }) };
}

/** A value with its long texts made short, so that two commands are the same when their values are. */
export function abbreviated(value: Json): Json {
  if (typeof value === 'string') return abbreviatedText(value);
  if (Array.isArray(value)) return value.map(abbreviated);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, abbreviated(inner)]));
}

function abbreviatedText(text: string): string {
  if (text.length <= WHOLE_LENGTH) return text;
  const oneLine = text.replace(/\s+/g, ' ').trim();
  const digest = createHash('sha256').update(oneLine).digest('hex').slice(0, 8);
  return `${oneLine.slice(0, BEGINNING_LENGTH)}… #${digest}`;
}

/** JSON with the keys of each object in order, so that equal values have equal texts. */
export function stableText(value: Json): string {
  return JSON.stringify(value, (_key, inner: Json) =>
    isJsonObject(inner) ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1))) : inner,
  );
}

/** A copy with each entry changed by `change`; entries for which it gives undefined are left out. */
export function edited(transcript: Transcript, change: (entry: Entry, at: number) => Entry | undefined): Transcript {
  return { ...transcript, entries: transcript.entries.flatMap((entry, at) => change(entry, at) ?? []) };
}
