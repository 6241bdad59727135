import type { Leniency } from './node';

const LF = 0x0a;

/** Ends parsing from any depth; caught by the parser and nowhere else. */
export class SyntaxFault extends Error {
  constructor(
    /** The parser's text with line and column, as Chromium shows it. */
    override readonly message: string,
    /** Byte offset just after the offending byte. */
    readonly at: number,
    /** Byte offset of the byte to correct, where that is not the one before `at`. */
    readonly offender = Math.max(at - 1, 0),
  ) {
    super(message);
  }
}

/**
 * A position in the bytes of a JSON text, which moves forward over white space and comments.
 *
 * Error positions follow serde_json, the parser in Chromium: lines count from 1 and end at LF only, the column counts bytes on the line, and
 * names either what was just read (`fault`) or one byte further (`faultAtNext`).
 */
export class Cursor {
  at = 0;
  readonly leniencies: Leniency[] = [];

  /** Whether to accept what Chromium accepts beyond the standard. */
  readonly isLenient: boolean;
  readonly takesTrailingCommas: boolean;

  /** The same bytes as a Buffer, to decode parts of them. */
  readonly buffer: Buffer;

  constructor(
    readonly bytes: Uint8Array,
    dialect: 'lenient' | 'strict' | 'relaxed',
  ) {
    this.buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    this.isLenient = dialect !== 'strict';
    this.takesTrailingCommas = dialect === 'relaxed';
  }

  /** The byte at the cursor; undefined at the end. */
  peek(): number | undefined {
    return this.bytes[this.at];
  }

  fault(phrase: string, offender?: number): SyntaxFault {
    return this.#faultAt(phrase, this.at, offender);
  }

  faultAtNext(phrase: string): SyntaxFault {
    return this.#faultAt(phrase, Math.min(this.at + 1, this.bytes.length));
  }

  /** The fault of a comma at offset `comma` that only a closing bracket follows. Chromium reports it at the bracket. */
  trailingComma(comma: number): SyntaxFault {
    return this.#faultAt('trailing comma', Math.min(this.at + 1, this.bytes.length), comma);
  }

  #faultAt(phrase: string, end: number, offender?: number): SyntaxFault {
    let line = 1;
    let lineStart = 0;
    for (let at = 0; at < end; at++) {
      if (this.bytes[at] !== LF) continue;
      line++;
      lineStart = at + 1;
    }
    return new SyntaxFault(`${phrase} at line ${line} column ${end - lineStart}`, end, offender);
  }

  /** Skips white space and comments, and returns the next byte; undefined at the end. */
  skipSpace(): number | undefined {
    for (;;) {
      const byte = this.bytes[this.at];
      if (byte === 0x20 || byte === LF || byte === 0x09 || byte === 0x0d) this.at++;
      else if (byte === 0x2f && this.isLenient) this.#skipComment();
      else return byte;
    }
  }

  #skipComment(): void {
    const start = this.at++;
    switch (this.peek()) {
      case 0x2f: {
        const end = this.bytes.indexOf(LF, this.at);
        this.at = end < 0 ? this.bytes.length : end;
        break;
      }
      case 0x2a: {
        // The star that opens may also close: to Chromium the three characters "/*/" are a whole comment.
        const end = Buffer.from(this.bytes.buffer, this.bytes.byteOffset, this.bytes.length).indexOf('*/', this.at);
        this.at = end < 0 ? this.bytes.length : end + 2;
        if (end < 0) throw this.fault('EOF while parsing a block comment');
        break;
      }
      default:
        throw this.faultAtNext('expected `/` or `*` after `/`');
    }
    this.leniencies.push({ what: 'comment', start, end: this.at });
  }
}
