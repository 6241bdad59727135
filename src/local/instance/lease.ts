/** How long a shared service runs without a lease. */
export interface LeaseTimes {
  /** From the start, before the first lease. */
  firstMs: number;
  /** From the end of the last lease, or from the last request. */
  graceMs: number;
  /** The same while whoever had the last lease may come back, as a window that reloads; a multiple of `graceMs`. */
  returnMs: number;
}

/** Calls `act` after `ms` milliseconds, unless that is cleared before. */
type After = (ms: number, act: () => void) => { clear: () => void };

const afterTimeout: After = (ms, act) => {
  const timer = setTimeout(act, ms);
  return {
    clear: () => clearTimeout(timer),
  };
};

const LEASE_TIMES: LeaseTimes = { firstMs: 30_000, graceMs: 10_000, returnMs: 60_000 };

/**
 * Counts the leases of the service. A lease is an open connection, so a killed editor releases it as well as a closed one.
 * `onUnused` is called once, when there has been no lease for the allowed time, or by `end`.
 */
export class Leases {
  #held = 0;
  #timer: ReturnType<After> | undefined;
  #everHeld = false;
  #mayReturn: () => boolean = () => false;

  constructor(
    private readonly onUnused: () => void,
    private readonly times: LeaseTimes = LEASE_TIMES,
    private readonly after: After = afterTimeout,
  ) {
    this.#wait();
  }

  /**
   * Takes a lease; the returned function releases it. `mayReturn`: whether there is something that whoever has released it may come back for. It is
   * asked again and again then, so that the end of an editor is noticed.
   */
  take(mayReturn: () => boolean = () => false): () => void {
    this.#held += 1;
    this.#everHeld = true;
    this.#timer?.clear();
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      this.#held -= 1;
      this.#mayReturn = mayReturn;
      this.#wait();
    };
  }

  /** Restarts the time after a request, so that the client has time to take a lease. */
  touch(): void {
    this.#wait();
  }

  /** Calls `onUnused` now, also while there are leases. */
  end(): void {
    this.dispose();
    this.onUnused();
  }

  /** Stops the time; `onUnused` is no longer called. */
  dispose(): void {
    this.#held = Number.POSITIVE_INFINITY;
    this.#timer?.clear();
  }

  /** `waited`: how long there has been no lease and no request, in milliseconds. */
  #wait(waited = 0): void {
    this.#timer?.clear();
    if (this.#held > 0) return;
    const { firstMs, graceMs, returnMs } = this.times;
    const ms = this.#everHeld ? graceMs : firstMs;
    this.#timer = this.after(ms, () => {
      if (waited + ms < returnMs && this.#mayReturn()) this.#wait(waited + ms);
      else this.onUnused();
    });
  }
}
