import { setImmediate } from 'node:timers/promises';

/** A long computation yields to the event loop after so many milliseconds. */
const YIELD_AFTER_MS = 20;

/** Yields to the event loop of the extension host between the steps of a long computation. */
export class EventLoop {
  #since = performance.now();

  /** Whether {@link yield} would not resolve at once: where steps are short, even awaiting each takes time. */
  get isDue(): boolean {
    return performance.now() - this.#since >= YIELD_AFTER_MS;
  }

  /** Resolves at once, or after a turn of the event loop. Rejects with the signal's reason. */
  async yield(signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    if (!this.isDue) return;
    await setImmediate();
    this.#since = performance.now();
    signal?.throwIfAborted();
  }
}
