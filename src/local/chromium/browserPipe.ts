import type { Readable, Writable } from 'node:stream';

/** With more unsent bytes than this, senders should wait for `onceDrained`. */
const HIGH_WATER_BYTES = 16 * 1024 * 1024;
const END_OF_FRAME = 0;

/**
 * The two ends of Chromium's DevTools pipe (`--remote-debugging-pipe`): JSON texts, each followed by a null character. Frames are kept as
 * bytes, since most of them are only passed on.
 */
export class BrowserPipe {
  /** Gets each frame of the browser, in order. */
  onFrame: (frame: Buffer) => void = () => undefined;
  /** Called once, when the browser has closed its end. */
  onEnd: () => void = () => undefined;
  #unfinished: Buffer[] = [];

  constructor(
    private readonly toBrowser: Writable,
    fromBrowser: Readable,
  ) {
    fromBrowser.on('data', (chunk: Buffer) => this.#read(chunk));
    fromBrowser.once('close', () => this.onEnd());
    // Each client that waits has a listener.
    toBrowser.setMaxListeners(0);
    // An error is followed by the close.
    for (const stream of [toBrowser, fromBrowser]) stream.on('error', () => undefined);
  }

  /** Whether so much is unsent that senders should wait. */
  get isFull(): boolean {
    return this.toBrowser.writableLength > HIGH_WATER_BYTES;
  }

  /** Calls `listener` once, when what has been sent so far has been taken by the browser. */
  onceDrained(listener: () => void): void {
    this.toBrowser.once('drain', listener);
  }

  /** Sends one JSON text, which must not contain a null character. Does nothing when the browser has ended. */
  send(frame: string): void {
    if (this.toBrowser.writable) this.toBrowser.write(`${frame}\0`);
  }

  #read(chunk: Buffer): void {
    let begin = 0;
    for (let end = chunk.indexOf(END_OF_FRAME); end >= 0; end = chunk.indexOf(END_OF_FRAME, begin)) {
      const last = chunk.subarray(begin, end);
      const frame = this.#unfinished.length === 0 ? last : Buffer.concat([...this.#unfinished, last]);
      this.#unfinished = [];
      begin = end + 1;
      this.onFrame(frame);
    }
    if (begin < chunk.length) this.#unfinished.push(chunk.subarray(begin));
  }
}
