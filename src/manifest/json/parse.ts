import type { Text } from '../source/text';
import { Cursor, SyntaxFault } from './cursor';
import type { JsonFault, JsonNode, Leniency, Member } from './node';
import { isDigit, readNumber } from './number';
import { readString } from './string';

/** The deepest nesting of lists and dictionaries that loads (R-JSON-DEPTH). */
const MAX_DEPTH = 199;

const QUOTE = 0x22;
const COMMA = 0x2c;
const MINUS = 0x2d;
const COLON = 0x3a;
const LIST_START = 0x5b;
const LIST_END = 0x5d;
const DICTIONARY_START = 0x7b;
const DICTIONARY_END = 0x7d;

/**
 * `lenient` is how Chromium reads manifests and catalogues; `strict`, how it reads rulesets: standard JSON, but for a byte order
 * mark; `relaxed`, how it reads schemas of managed storage: leniently, and with trailing commas.
 */
export type JsonDialect = 'lenient' | 'strict' | 'relaxed';

/** Either a tree, with its deviations from the standard, or the first fault, with Chromium's text. */
export type ParseResult = { root: JsonNode; leniencies: Leniency[] } | { fault: JsonFault };

/**
 * Parses a text exactly as leniently as Chromium parses a manifest: it accepts comments, raw line breaks in strings and `\x41`, and refuses
 * trailing commas, single quotes and invalid UTF-8. Never throws, and its depth is limited like Chromium's.
 *
 * Source: rules R-JSON, R-JSON-DEPTH, R-JSON-LENIENT, R-JSON-STRICT, measured on Chromium 156.
 */
export function parseJson(text: Text, dialect: JsonDialect = 'lenient'): ParseResult {
  const cursor = new Cursor(text.bytes, dialect);
  try {
    const root = readValue(cursor, 0);
    if (cursor.skipSpace() !== undefined) throw cursor.faultAtNext('trailing characters');
    return { root, leniencies: cursor.leniencies };
  } catch (error) {
    if (!(error instanceof SyntaxFault)) throw error;
    const { message, offender, at } = error;
    return { fault: { text: message, start: offender, end: Math.min(offender + 1, at) } };
  }
}

function readValue(cursor: Cursor, depth: number): JsonNode {
  const byte = cursor.skipSpace();
  const start = cursor.at;
  switch (byte) {
    case undefined:
      throw cursor.faultAtNext('EOF while parsing a value');
    case QUOTE:
      return { kind: 'string', value: readString(cursor), start, end: cursor.at };
    case LIST_START:
    case DICTIONARY_START: {
      cursor.at++;
      if (depth >= MAX_DEPTH) throw tooDeep(cursor, byte);
      return byte === LIST_START
        ? { kind: 'list', items: readItems(cursor, depth + 1), start, end: cursor.at }
        : { kind: 'dictionary', members: readMembers(cursor, depth + 1), start, end: cursor.at };
    }
    case 0x6e:
      readWord(cursor, 'null');
      return { kind: 'null', start, end: cursor.at };
    case 0x74:
      readWord(cursor, 'true');
      return { kind: 'boolean', value: true, start, end: cursor.at };
    case 0x66:
      readWord(cursor, 'false');
      return { kind: 'boolean', value: false, start, end: cursor.at };
    default:
      if (byte === MINUS || isDigit(byte)) return readNumber(cursor);
      throw cursor.faultAtNext('expected value');
  }
}

/** Chromium first looks for the end of the list or dictionary that it refuses, and reports the position where it stops. */
function tooDeep(cursor: Cursor, opening: number): SyntaxFault {
  const phrase = 'recursion limit exceeded';
  let next: number | undefined;
  try {
    next = cursor.skipSpace();
  } catch {
    // Of the depth and an unfinished comment, Chromium reports the depth.
    return cursor.fault(phrase);
  }
  if (next === (opening === LIST_START ? LIST_END : DICTIONARY_END)) cursor.at++;
  else if (next === COMMA && opening === LIST_START) {
    cursor.at++;
    cursor.skipSpace();
  }
  return cursor.fault(phrase);
}

function readWord(cursor: Cursor, word: string): void {
  cursor.at++;
  for (const letter of word.slice(1)) {
    const byte = cursor.peek();
    if (byte === undefined) throw cursor.fault('EOF while parsing a value');
    cursor.at++;
    if (byte !== letter.charCodeAt(0)) throw cursor.fault('expected ident');
  }
}

function readItems(cursor: Cursor, depth: number): JsonNode[] {
  const items: JsonNode[] = [];
  for (;;) {
    let byte = cursor.skipSpace();
    if (byte === undefined) throw cursor.faultAtNext('EOF while parsing a list');
    if (byte === LIST_END) {
      cursor.at++;
      return items;
    }
    if (items.length > 0) {
      if (byte !== COMMA) throw cursor.faultAtNext('expected `,` or `]`');
      const comma = cursor.at++;
      byte = cursor.skipSpace();
      if (byte === LIST_END && !cursor.takesTrailingCommas) throw cursor.trailingComma(comma);
      if (byte === LIST_END) continue;
      if (byte === undefined) throw cursor.faultAtNext('EOF while parsing a list');
    }
    items.push(readValue(cursor, depth));
  }
}

function readMembers(cursor: Cursor, depth: number): Map<string, Member> {
  const members = new Map<string, Member>();
  for (let isFirst = true; ; isFirst = false) {
    let byte = cursor.skipSpace();
    if (byte === undefined) throw cursor.faultAtNext('EOF while parsing an object');
    if (byte === DICTIONARY_END) {
      cursor.at++;
      return members;
    }
    if (!isFirst) {
      if (byte !== COMMA) throw cursor.faultAtNext('expected `,` or `}`');
      const comma = cursor.at++;
      byte = cursor.skipSpace();
      if (byte === DICTIONARY_END && !cursor.takesTrailingCommas) throw cursor.trailingComma(comma);
      if (byte === DICTIONARY_END) continue;
      if (byte === undefined) throw cursor.faultAtNext('EOF while parsing an object');
    }
    if (byte !== QUOTE) throw cursor.faultAtNext('key must be a string');
    const start = cursor.at;
    const key = readString(cursor);
    const span = { start, end: cursor.at };
    const colon = cursor.skipSpace();
    if (colon === undefined) throw cursor.faultAtNext('EOF while parsing an object');
    if (colon !== COLON) throw cursor.faultAtNext('expected `:`');
    cursor.at++;
    const value = readValue(cursor, depth);
    members.set(key, { key: span, value, ...(members.has(key) && { isRepeated: true }) });
  }
}
