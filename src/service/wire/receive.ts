import type { Readable } from 'node:stream';

/** The part of an error's body that is read, in bytes. */
export const ERROR_BYTES = 1024 * 1024;

/** The size at which the memory for an answer of unknown length begins, in bytes. */
const FIRST_BYTES = 16 * 1024;

/** A successful answer is longer than its operation allows. Nothing of it is kept, and its connection is closed. */
export class AnswerTooLargeError extends Error {
  override readonly name = 'AnswerTooLargeError';

  constructor(readonly maxBytes: number) {
    super(`the answer has more than ${maxBytes} bytes`);
  }
}

/**
 * Receives a body of at most `maxBytes`. One that is announced or turns out to be longer is not received any further: `reject` ends it
 * with an AnswerTooLargeError, `cut` with its first `maxBytes`. One that breaks off rejects, unless it `mayBreakOff`: then what has come is
 * all there is.
 */
export async function receive(
  body: Readable,
  announced: string | undefined,
  maxBytes: number,
  tooLong: 'reject' | 'cut',
  mayBreakOff = false,
): Promise<Uint8Array> {
  const expected = Number(announced);
  if (expected > maxBytes && tooLong === 'reject') {
    body.once('error', () => undefined).destroy();
    throw new AnswerTooLargeError(maxBytes);
  }
  // One buffer, not a list of chunks: a chunk of one byte takes a hundred times its size.
  let bytes = new Uint8Array(Math.min(expected >= 0 ? expected : FIRST_BYTES, maxBytes));
  let length = 0;
  try {
    for await (const chunk of body as AsyncIterable<Uint8Array>) {
      const isTooLong = length + chunk.length > maxBytes;
      // To leave the loop destroys the stream, which closes the connection.
      if (isTooLong && tooLong === 'reject') throw new AnswerTooLargeError(maxBytes);
      const taken = isTooLong ? chunk.subarray(0, maxBytes - length) : chunk;
      if (length + taken.length > bytes.length) {
        const larger = new Uint8Array(Math.min(Math.max(2 * bytes.length, length + taken.length), maxBytes));
        larger.set(bytes.subarray(0, length));
        bytes = larger;
      }
      bytes.set(taken, length);
      length += taken.length;
      if (isTooLong) break;
    }
  } catch (error) {
    if (!mayBreakOff || error instanceof AnswerTooLargeError) throw error;
  }
  return bytes.subarray(0, length);
}
