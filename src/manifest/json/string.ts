import { isUtf8 } from 'node:buffer';
import type { Cursor } from './cursor';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const LF = 0x0a;
const CR = 0x0d;
const FIRST_PRINTABLE = 0x20;
const FIRST_BEYOND_ASCII = 0x80;

const SIMPLE_ESCAPES: ReadonlyMap<number, string> = new Map(
  Object.entries({ '"': '"', '\\': '\\', '/': '/', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }).map(
    ([letter, means]) => [letter.charCodeAt(0), means],
  ),
);
const LETTER_U = 0x75;
const LETTER_X = 0x78;

/** Reads a string whose opening quote is at the cursor, and stops after the closing one. */
export function readString(cursor: Cursor): string {
  cursor.at++;
  let before = '';
  let plainFrom = cursor.at;
  let bits = 0;
  for (;;) {
    const byte = cursor.peek();
    if (byte === undefined) throw cursor.fault('EOF while parsing a string');
    if (byte === QUOTE || byte === BACKSLASH) {
      const end = cursor.at++;
      let plain: string;
      if (bits < FIRST_BEYOND_ASCII) plain = cursor.buffer.toString('latin1', plainFrom, end);
      else {
        if (!isUtf8(cursor.buffer.subarray(plainFrom, end))) throw invalidUtf8(cursor, byte);
        plain = cursor.buffer.toString('utf8', plainFrom, end);
      }
      if (byte === QUOTE) return before + plain;
      before += plain + readEscape(cursor);
      plainFrom = cursor.at;
      bits = 0;
    } else {
      cursor.at++;
      bits |= byte;
      if ((byte === LF || byte === CR) && cursor.isLenient) {
        cursor.leniencies.push({ what: 'line break in a string', start: cursor.at - 1, end: cursor.at });
      } else if (byte < FIRST_PRINTABLE) {
        throw cursor.fault('control character (\\u0000-\\u001F) found while parsing a string');
      }
    }
  }
}

/** Chromium checks the bytes of a string when it is complete: it reports other faults first, and the position is the end of the string. */
function invalidUtf8(cursor: Cursor, stoppedAt: number): Error {
  if (stoppedAt === BACKSLASH) {
    cursor.at--;
    skipRest(cursor);
  }
  return cursor.fault('invalid unicode code point');
}

function skipRest(cursor: Cursor): void {
  for (;;) {
    const byte = cursor.peek();
    if (byte === undefined) throw cursor.fault('EOF while parsing a string');
    cursor.at++;
    if (byte === QUOTE) return;
    if (byte === BACKSLASH) readEscape(cursor);
    else if (byte < FIRST_PRINTABLE && !(cursor.isLenient && (byte === LF || byte === CR))) {
      throw cursor.fault('control character (\\u0000-\\u001F) found while parsing a string');
    }
  }
}

/** Reads an escape after its backslash. */
function readEscape(cursor: Cursor): string {
  const start = cursor.at - 1;
  const letter = cursor.peek();
  if (letter === undefined) throw cursor.fault('EOF while parsing a string');
  cursor.at++;
  const simple = SIMPLE_ESCAPES.get(letter);
  if (simple !== undefined) return simple;
  if (letter === LETTER_X && cursor.isLenient) {
    const code = readHex(cursor, 2);
    cursor.leniencies.push({ what: '\\x escape', start, end: cursor.at });
    return String.fromCharCode(code);
  }
  if (letter !== LETTER_U) throw cursor.fault('invalid escape');
  return readUnicode(cursor);
}

/** Reads what follows `\u`, with the second half of a surrogate pair. */
function readUnicode(cursor: Cursor): string {
  const unit = readHex(cursor, 4);
  if (unit >= 0xdc00 && unit <= 0xdfff) throw cursor.fault('lone leading surrogate in hex escape');
  if (unit < 0xd800 || unit > 0xdfff) return String.fromCharCode(unit);
  for (const expected of [BACKSLASH, LETTER_U]) {
    const byte = cursor.peek();
    if (byte === undefined) throw cursor.fault('EOF while parsing a string');
    cursor.at++;
    if (byte !== expected) throw cursor.fault('unexpected end of hex escape');
  }
  const second = readHex(cursor, 4);
  if (second < 0xdc00 || second > 0xdfff) throw cursor.fault('lone leading surrogate in hex escape');
  return String.fromCharCode(unit, second);
}

/** A backslash and a letter, before the digits. */
const ESCAPE_BYTES = 2;

function readHex(cursor: Cursor, digits: number): number {
  const end = cursor.at + digits;
  if (end > cursor.bytes.length) {
    cursor.at = cursor.bytes.length;
    throw cursor.fault('EOF while parsing a string');
  }
  const text = Buffer.from(cursor.bytes.subarray(cursor.at, end)).toString('latin1');
  cursor.at = end;
  if (!/^[0-9a-fA-F]+$/.test(text)) throw cursor.fault('invalid escape', end - digits - ESCAPE_BYTES);
  return Number.parseInt(text, 16);
}
