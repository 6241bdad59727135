import { deferred } from '../deferred';
import type { Chromium } from './chromium';

/** The browser of a session as it comes and goes over restarts. */
export class RunningBrowser {
  readonly #gone: (() => void)[] = [];
  #chromium: Chromium | undefined;
  #arrived = deferred<Chromium>();

  /** The one that runs now; `undefined` during a restart and after the end. */
  get current(): Chromium | undefined {
    return this.#chromium;
  }

  /** The one that runs; waits while it restarts, at most `limitMs`, then `undefined`. */
  async within(limitMs: number): Promise<Chromium | undefined> {
    if (this.#chromium) return this.#chromium;
    const timer = deferred<undefined>();
    const handle = setTimeout(() => timer.resolve(undefined), limitMs);
    const chromium = await Promise.race([this.#arrived.promise, timer.promise]).catch(() => undefined);
    clearTimeout(handle);
    return chromium;
  }

  /** Registers what is to happen, once, when the current one goes away; the returned function takes it back. */
  onceGone(listener: () => void): () => void {
    this.#gone.push(listener);
    return () => {
      const at = this.#gone.indexOf(listener);
      if (at >= 0) this.#gone.splice(at, 1);
    };
  }

  /** A new one runs: who waits for it gets it. */
  arrive(chromium: Chromium): void {
    this.#chromium = chromium;
    this.#arrived.resolve(chromium);
  }

  /** The current one is about to be ended and is nobody's from here on; gives it to whoever ends it. */
  leave(): Chromium | undefined {
    const chromium = this.#chromium;
    if (chromium) {
      this.#chromium = undefined;
      this.#arrived = deferred<Chromium>();
    }
    for (const listener of this.#gone.splice(0)) listener();
    return chromium;
  }

  /** There will be no other: who waits is told. */
  giveUp(reason: Error): void {
    this.#arrived.reject(reason);
  }
}
