import assert from 'node:assert/strict';

/** Where the digits of the port begin in `127.0.0.1:12345`. */
const DIGITS_AT = '127.0.0.1:'.length;

/**
 * Replaces the address `127.0.0.1:from` by `127.0.0.1:to` in a stream of bytes, wherever it stands, and keeps all lengths. Both ports
 * must have as many digits. Only the digits of what may become an address wait for the next chunk.
 */
export class AddressSwap {
  readonly #from: Buffer;
  readonly #to: Buffer;
  /** The last bytes that were passed on. */
  #passed = Buffer.alloc(0);
  #held = Buffer.alloc(0);

  constructor(from: number, to: number) {
    this.#from = Buffer.from(`127.0.0.1:${from}`);
    this.#to = Buffer.from(`127.0.0.1:${to}`);
    assert.equal(this.#from.length, this.#to.length, 'the ports have as many digits');
  }

  /** The bytes that may be passed on now. */
  next(chunk: Buffer): Buffer {
    const text = Buffer.concat([this.#passed, this.#held, chunk]);
    for (let at = text.indexOf(this.#from); at >= 0; at = text.indexOf(this.#from, at + this.#from.length)) {
      this.#to.copy(text, at);
    }
    const end = text.length - this.#digitsAtEnd(text);
    const passing = text.subarray(this.#passed.length, end);
    this.#held = text.subarray(end);
    this.#passed = text.subarray(Math.max(0, end - this.#from.length + 1), end);
    return passing;
  }

  /** What was held back, at the end of the stream. */
  rest(): Buffer {
    const rest = this.#held;
    this.#held = Buffer.alloc(0);
    return rest;
  }

  /** How many digits of an unfinished port the text ends with. */
  #digitsAtEnd(text: Buffer): number {
    for (let length = this.#from.length - 1; length > DIGITS_AT; length--) {
      if (text.length >= length && text.subarray(-length).equals(this.#from.subarray(0, length)))
        return length - DIGITS_AT;
    }
    return 0;
  }
}
