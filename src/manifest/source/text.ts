import type { Position, Range } from '../finding';

const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);
const LF = 0x0a;
const CR = 0x0d;

/** Distance in bytes between positions whose UTF-16 offset is stored: short walks, little memory. */
const CHECKPOINT_BYTES = 1024;

/**
 * The bytes of a text file, and the position of each in an editor. Lines end at LF, CR LF or CR, as in editors. Bytes that are not UTF-8
 * count roughly as the replacement characters that an editor shows for them.
 */
export class Text {
  /** Without a byte order mark, which Chromium and editors do not count. */
  readonly bytes: Uint8Array;
  readonly hasByteOrderMark: boolean;
  #lineStarts: number[] | undefined;
  #checkpoints: number[] | undefined;

  constructor(content: Uint8Array) {
    this.hasByteOrderMark = BYTE_ORDER_MARK.equals(content.subarray(0, BYTE_ORDER_MARK.length));
    this.bytes = this.hasByteOrderMark ? content.subarray(BYTE_ORDER_MARK.length) : content;
  }

  /** A range from byte offsets, each clamped to the text. */
  range(start: number, end: number): Range {
    return { start: this.position(start), end: this.position(Math.max(start, end)) };
  }

  position(byte: number): Position {
    const clamped = Math.min(Math.max(byte, 0), this.bytes.length);
    const line = this.#lineOf(clamped);
    const offset = this.#utf16Offset(clamped);
    return { offset, line, column: offset - this.#utf16Offset(this.#starts()[line] ?? 0) };
  }

  #lineOf(byte: number): number {
    const starts = this.#starts();
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= byte) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  #starts(): number[] {
    if (this.#lineStarts) return this.#lineStarts;
    const starts = [0];
    for (let at = 0; at < this.bytes.length; at++) {
      const byte = this.bytes[at];
      if (byte === LF || (byte === CR && this.bytes[at + 1] !== LF)) starts.push(at + 1);
    }
    return (this.#lineStarts = starts);
  }

  #utf16Offset(byte: number): number {
    if (!this.#checkpoints) {
      this.#checkpoints = [0];
      for (let at = 0, offset = 0; at < this.bytes.length; at += CHECKPOINT_BYTES) {
        offset += this.#unitsBetween(at, Math.min(at + CHECKPOINT_BYTES, this.bytes.length));
        this.#checkpoints.push(offset);
      }
    }
    const index = Math.floor(byte / CHECKPOINT_BYTES);
    return (this.#checkpoints[index] ?? 0) + this.#unitsBetween(index * CHECKPOINT_BYTES, byte);
  }

  /** The number of UTF-16 code units of the characters that begin in the range: two for characters of four bytes. */
  #unitsBetween(from: number, to: number): number {
    let units = 0;
    for (let at = from; at < to; at++) {
      const byte = this.bytes[at] ?? 0;
      if ((byte & 0xc0) !== 0x80) units += byte >= 0xf0 ? 2 : 1;
    }
    return units;
  }
}
