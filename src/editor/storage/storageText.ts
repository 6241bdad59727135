import { isDeepStrictEqual } from 'node:util';
import * as l10n from '@vscode/l10n';
import { visit } from 'jsonc-parser';
import { EventLoop } from '../../base/eventLoop';
import { isObject } from '../../base/fields';
import { itemsOf, type StorageChange, type StorageItems } from '../../devtools/storage/extensionStorage';
import { parseJson } from '../../manifest/json/parse';
import { Text } from '../../manifest/source/text';
import { isWithinLimits, type JsonText } from '../../base/jsonLimits';
import { shortened } from '../../base/units';
import { objectPieces } from './objectPieces';

/** The deepest nesting that Chromium stores; it drops deeper parts without an error (C-STORAGE-DEPTH). */
export const MOST_LEVELS = 99;

/** Deeper texts are not walked to find the place: the walk calls itself. */
const MOST_READ_LEVELS = 500;

function tooManyLevels(): string {
  return l10n.t('Chromium stores no more than {0} levels', MOST_LEVELS);
}

/** A text beyond this length is parsed in pieces of it, in characters: one takes some milliseconds. */
const PIECE_LENGTH = 64 * 1024;

/** Longest key in a message, in characters, and the most keys. */
const KEY_LENGTH = 60;
const MOST_KEYS = 5;

/** What is wrong with a text; line and column count from 1. */
export interface TextProblem {
  line: number;
  column: number;
  message: string;
}

/**
 * The items of an area as a document, with the keys in their order. It has none of the lengths `others`, in bytes, but line ends more. That of a
 * large area takes turns of the event loop.
 */
export async function documentOf(items: StorageItems, others: readonly number[] = []): Promise<Buffer> {
  const eventLoop = new EventLoop();
  const parts = await partsOf(items, eventLoop);
  let length = parts.reduce((sum, part) => sum + part.bytes, 0);
  while (others.includes(length)) {
    parts.push({ text: '\n', bytes: 1 });
    length += 1;
  }
  const bytes = Buffer.allocUnsafeSlow(length);
  let at = 0;
  for (const { text } of parts) {
    if (eventLoop.isDue) await eventLoop.yield();
    at += bytes.write(text, at);
  }
  return bytes;
}

/** The text of a document in parts, and their lengths in bytes. */
async function partsOf(items: StorageItems, eventLoop: EventLoop): Promise<{ text: string; bytes: number }[]> {
  const parts: { text: string; bytes: number }[] = [];
  const add = (text: string): void => void parts.push({ text, bytes: Buffer.byteLength(text) });
  let members: string[] = [];
  let length = 0;
  const close = (): void => {
    if (members.length > 0) add(`${parts.length === 0 ? '{' : ','}\n${members.join(',\n')}`);
    members = [];
    length = 0;
  };
  for (const [key, value] of items) {
    if (eventLoop.isDue) await eventLoop.yield();
    const member = `  ${JSON.stringify(key)}: ${JSON.stringify(value, null, 2).replaceAll('\n', '\n  ')}`;
    members.push(member);
    length += member.length;
    if (length > PIECE_LENGTH) close();
  }
  close();
  add(parts.length === 0 ? '{}\n' : '\n}\n');
  return parts;
}

/** How many characters of a text are compared at once. */
const COMPARED_LENGTH = 16 * 1024;

/** Whether a document holds this text. Nothing is made of all of it: memory for a large text holds the thread longer than to read it. */
export function holdsText(bytes: Uint8Array, text: string): boolean {
  const encoder = new TextEncoder();
  const part = Buffer.allocUnsafe(3 * (COMPARED_LENGTH + 1));
  let at = 0;
  for (let start = 0; start < text.length;) {
    const end = start + COMPARED_LENGTH;
    // A character of two is not cut.
    const next = text.codePointAt(end - 1) === text.charCodeAt(end - 1) ? end : end + 1;
    const { written } = encoder.encodeInto(text.slice(start, next), part);
    if (part.compare(bytes, at, Math.min(at + written, bytes.length), 0, written) !== 0) return false;
    start = next;
    at += written;
  }
  return at === bytes.length;
}

/** What a text stands for. */
type ParsedItems = { items: StorageItems } | { problem: TextProblem };

/**
 * The items that a document, or its text, stands for, or the first reason why it stands for none that could be stored. Both without loss. A long
 * one takes turns of the event loop, unless it has a problem, or one item that is as long.
 */
export async function parseItems(document: string | Uint8Array): Promise<ParsedItems> {
  const text =
    typeof document === 'string' ? document : Buffer.from(document.buffer, document.byteOffset, document.length);
  const items = text.length > PIECE_LENGTH ? await parsedInPieces(text) : undefined;
  return items ?? parsedWhole(text.toString());
}

/** Undefined where a piece has a problem, of which only the whole text says where it is. */
async function parsedInPieces(text: JsonText): Promise<ParsedItems | undefined> {
  const eventLoop = new EventLoop();
  const items = new Map<string, unknown>();
  for (const piece of objectPieces(text, PIECE_LENGTH)) {
    if (eventLoop.isDue) await eventLoop.yield();
    const parsed = parsedWhole(piece);
    if ('problem' in parsed || parsed.items.size === 0) return undefined;
    for (const [key, value] of parsed.items) {
      if (items.has(key)) return undefined;
      items.set(key, value);
    }
  }
  return items.size === 0 ? undefined : { items };
}

function parsedWhole(text: string): ParsedItems {
  const value = parsed(text);
  if ('problem' in value) return value;
  if (!isObject(value.value)) return { problem: problemAt(text, 0, l10n.t('an object with the keys is expected')) };
  const problem = isAsWritten(text, value.value) ? undefined : problemOfValues(text, MOST_LEVELS + 1);
  return problem ? { problem } : { items: itemsOf(value.value) };
}

/** Whether a text, but for blanks at its end, is what a document writes for its value: then nothing of it is lost, and it need not be walked. */
function isAsWritten(text: string, value: object): boolean {
  if (!isWithinLimits(text, { depth: MOST_LEVELS + 1, values: Infinity })) return false;
  return `${text.slice(0, text.lastIndexOf('}')).trimEnd()}\n}` === JSON.stringify(value, null, 2);
}

/** The value of a JSON text, or where and why it is none. */
export function parsed(text: string): { value: unknown } | { problem: TextProblem } {
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    const bytes = new Text(Buffer.from(text));
    const result = parseJson(bytes, 'strict');
    if (!('fault' in result)) return { problem: problemAt(text, 0, String(error)) };
    const { line, column } = bytes.position(result.fault.start);
    // It ends with the line and column again, which counts bytes.
    const said = result.fault.text.replace(/ at line \d+ column \d+$/, '');
    return { problem: { line: line + 1, column: column + 1, message: said } };
  }
}

/**
 * What in a JSON text could not be stored as it is: a key that an object has twice, a number that is too large, and nesting of more than
 * `mostLevels`.
 */
export function problemOfValues(text: string, mostLevels: number): TextProblem | undefined {
  if (!isWithinLimits(text, { depth: MOST_READ_LEVELS, values: Infinity })) return problemAt(text, 0, tooManyLevels());
  let problem: TextProblem | undefined;
  const note = (offset: number, message: string): void => {
    problem ??= problemAt(text, offset, message);
  };
  // The keys of each open object; undefined for an array.
  const open: (Set<string> | undefined)[] = [];
  const enter = (keys: Set<string> | undefined, offset: number): void => {
    open.push(keys);
    if (open.length > mostLevels) note(offset, tooManyLevels());
  };
  visit(text, {
    onObjectBegin: (offset) => enter(new Set(), offset),
    onArrayBegin: (offset) => enter(undefined, offset),
    onObjectEnd: () => open.pop(),
    onArrayEnd: () => open.pop(),
    onObjectProperty: (key, offset) => {
      const keys = open.at(-1);
      if (keys?.has(key) === true) note(offset, l10n.t('the key {0} is there twice', keysText([key])));
      keys?.add(key);
    },
    onLiteralValue: (value: unknown, offset) => {
      if (typeof value === 'number' && !Number.isFinite(value)) note(offset, l10n.t('the number is too large'));
    },
  });
  return problem;
}

/** What turns the items `from` into `to`: only keys whose values differ. For large areas, it takes turns of the event loop. */
export async function changeBetween(from: StorageItems, to: StorageItems): Promise<StorageChange> {
  const eventLoop = new EventLoop();
  const set = new Map<string, unknown>();
  for (const [key, value] of to) {
    if (eventLoop.isDue) await eventLoop.yield();
    if (!isSame(key, from, to)) set.set(key, value);
  }
  return { set, remove: [...from.keys()].filter((key) => !to.has(key)) };
}

/** The keys that a change of `base` is about and that have another value `now`, which is not the changed one either. */
export function conflictsOf({ set, remove }: StorageChange, base: StorageItems, now: StorageItems): string[] {
  return [...set.keys(), ...remove].filter(
    (key) =>
      !isSame(key, base, now) && !(now.has(key) === set.has(key) && isDeepStrictEqual(now.get(key), set.get(key))),
  );
}

/** Whether two areas hold the same; the order of keys does not count. For large areas, it takes turns of the event loop. */
export async function isSameItems(a: StorageItems, b: StorageItems): Promise<boolean> {
  if (a.size !== b.size) return false;
  const eventLoop = new EventLoop();
  for (const key of a.keys()) {
    if (eventLoop.isDue) await eventLoop.yield();
    if (!isSame(key, a, b)) return false;
  }
  return true;
}

/** The values of the keys of a change, undefined for those that are absent. */
export function valuesFor({ set, remove }: StorageChange, items: StorageItems): Map<string, unknown> {
  return new Map([...set.keys(), ...remove].map((key) => [key, items.get(key)]));
}

/** Keys in a message, shortened. */
export function keysText(keys: readonly string[]): string {
  const shown = keys.slice(0, MOST_KEYS).map((key) => JSON.stringify(shortened(key, KEY_LENGTH)));
  return [...shown, ...(keys.length > MOST_KEYS ? ['…'] : [])].join(', ');
}

function isSame(key: string, a: StorageItems, b: StorageItems): boolean {
  return a.has(key) === b.has(key) && isDeepStrictEqual(a.get(key), b.get(key));
}

function problemAt(text: string, offset: number, message: string): TextProblem {
  const before = text.slice(0, offset).split('\n');
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1, message };
}
