import { setTimeout as delay } from 'node:timers/promises';
import { deferred } from '../deferred';
import type { Chromium } from './chromium';

/** The current browser of a session, which changes with restarts. */
export class RunningBrowser {
  readonly #detachListeners: (() => void)[] = [];
  #chromium: Chromium | undefined;
  #next = deferred<Chromium>();

  /** The running browser; `undefined` during a restart and after the end. */
  get current(): Chromium | undefined {
    return this.#chromium;
  }

  /** The running browser; waits up to `limitMs` during a restart, then `undefined`. */
  async waitFor(limitMs: number): Promise<Chromium | undefined> {
    if (this.#chromium) return this.#chromium;
    const timer = new AbortController();
    const timeout = delay(limitMs, undefined, { signal: timer.signal });
    const chromium = await Promise.race([this.#next.promise, timeout]).catch(() => undefined);
    timer.abort();
    return chromium;
  }

  /** Calls `listener` once, when the current browser is detached; the returned function removes it. */
  onceDetached(listener: () => void): () => void {
    this.#detachListeners.push(listener);
    return () => {
      const at = this.#detachListeners.indexOf(listener);
      if (at >= 0) this.#detachListeners.splice(at, 1);
    };
  }

  /** Sets the running browser and resolves all waiters. */
  set(chromium: Chromium): void {
    this.#chromium = chromium;
    this.#next.resolve(chromium);
  }

  /** Detaches the current browser, which the caller then ends. */
  detach(): Chromium | undefined {
    const chromium = this.#chromium;
    if (chromium) {
      this.#chromium = undefined;
      this.#next = deferred<Chromium>();
    }
    for (const listener of this.#detachListeners.splice(0)) listener();
    return chromium;
  }

  /** Rejects all waiters: no browser will be started any more. */
  fail(reason: Error): void {
    this.#next.reject(reason);
  }
}
