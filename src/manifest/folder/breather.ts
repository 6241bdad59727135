import { setImmediate } from 'node:timers/promises';

/** A long computation lets others run after so many milliseconds. */
const BREATH_MS = 20;

/** Lets the event loop of the extension host run between the steps of a long computation. */
export class Breather {
  #since = performance.now();

  /** Resolves at once, or after everything that waits has run. Rejects with the signal's reason. */
  async pause(signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    if (performance.now() - this.#since < BREATH_MS) return;
    await setImmediate();
    this.#since = performance.now();
    signal?.throwIfAborted();
  }
}
