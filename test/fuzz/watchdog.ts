import { join } from 'node:path';
import { Worker } from 'node:worker_threads';

/** Ends the process, with what it was at, when the thread does not go on: an endless loop leaves nothing else to do so. */
export class Watchdog {
  readonly #thread: Worker;

  /** `limitMs`: how long one piece of work may take. */
  constructor(limitMs: number) {
    this.#thread = new Worker(join(__dirname, 'watchdogThread.mjs'), { workerData: limitMs });
    this.#thread.unref();
  }

  /** Begins another piece of work. */
  begin(what: string): void {
    this.#thread.postMessage(what);
  }

  end(): void {
    void this.#thread.terminate();
  }
}
