import type { Cursor } from './cursor';
import type { JsonNode } from './node';

const ZERO = 0x30;
const NINE = 0x39;
const MINUS = 0x2d;
const PLUS = 0x2b;
const DOT = 0x2e;
const INT32_MIN = -(2 ** 31);
const INT32_MAX = 2 ** 31 - 1;

/** Reads a number whose first byte (a digit or a minus sign) is at the cursor. */
export function readNumber(cursor: Cursor): JsonNode {
  const start = cursor.at;
  if (cursor.peek() === MINUS) cursor.at++;
  const first = cursor.peek();
  if (first === undefined) throw cursor.fault('EOF while parsing a value');
  cursor.at++;
  if (!isDigit(first)) throw cursor.fault('invalid number');
  if (first === ZERO) {
    if (isDigit(cursor.peek())) throw cursor.faultAtNext('invalid number');
  } else skipDigits(cursor);

  let isWhole = true;
  if (cursor.peek() === DOT) {
    isWhole = false;
    cursor.at++;
    if (skipDigits(cursor) === 0) {
      throw cursor.faultAtNext(cursor.peek() === undefined ? 'EOF while parsing a value' : 'invalid number');
    }
  }
  if (isLetterE(cursor.peek())) {
    isWhole = false;
    readExponent(cursor, start);
  }
  return number(cursor, start, isWhole);
}

/** Reads an exponent. One beyond 32 bits is refused at the digit that exceeds them, unless the number is zero. */
function readExponent(cursor: Cursor, start: number): void {
  const significand = textBetween(cursor, start, cursor.at);
  cursor.at++;
  const sign = cursor.peek();
  if (sign === PLUS || sign === MINUS) cursor.at++;
  const digit = cursor.peek();
  if (digit === undefined) throw cursor.fault('EOF while parsing a value');
  if (!isDigit(digit)) {
    cursor.at++;
    throw cursor.fault('invalid number');
  }
  const mayOverflow = sign !== MINUS && /[1-9]/.test(significand);
  let exponent = 0;
  for (let next = cursor.peek(); next !== undefined && isDigit(next); next = cursor.peek()) {
    cursor.at++;
    exponent = exponent * 10 + (next - ZERO);
    if (mayOverflow && exponent > INT32_MAX) throw cursor.fault('number out of range');
  }
}

function textBetween(cursor: Cursor, start: number, end: number): string {
  return Buffer.from(cursor.bytes.subarray(start, end)).toString('latin1');
}

function number(cursor: Cursor, start: number, isWhole: boolean): JsonNode {
  const end = cursor.at;
  const value = Number(textBetween(cursor, start, end));
  if (!Number.isFinite(value)) throw cursor.fault('number out of range');
  const isInteger = isWhole && value >= INT32_MIN && value <= INT32_MAX && !Object.is(value, -0);
  return { kind: isInteger ? 'integer' : 'double', value, start, end };
}

function skipDigits(cursor: Cursor): number {
  const start = cursor.at;
  while (isDigit(cursor.peek())) cursor.at++;
  return cursor.at - start;
}

/** True for the bytes of `0` to `9`. */
export function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= ZERO && byte <= NINE;
}

function isLetterE(byte: number | undefined): boolean {
  return byte === 0x65 || byte === 0x45;
}
