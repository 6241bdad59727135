/** How long a shared service runs without a lease. */
export interface LeaseTimes {
  /** From the start, before the first lease. */
  firstMs: number;
  /** From the end of the last lease, or from the last request. */
  graceMs: number;
  /** How long whoever has released a lease, and may come back, is waited for, as a window that reloads. */
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

const LEASE_TIMES: LeaseTimes = { firstMs: 30_000, graceMs: 10_000, returnMs: 120_000 };

/**
 * Counts the leases of the service. A lease is an open connection, so a killed editor releases it as well as a closed one.
 * `onUnused` is called once, when there has been no lease for the allowed time, or by `end`.
 */
export class Leases {
  #held = 0;
  #timer: ReturnType<After> | undefined;
  #everHeld = false;
  /** Who has released a lease lately and may come back, and the time that each has left. */
  readonly #returning = new Map<() => boolean, ReturnType<After>>();

  constructor(
    private readonly onUnused: () => void,
    private readonly times: LeaseTimes = LEASE_TIMES,
    private readonly after: After = afterTimeout,
  ) {
    this.#wait();
  }

  /**
   * Takes a lease; the returned function releases it. `mayReturn`: whether there is something that whoever has released it may come back for. It is
   * asked again and again then, so that the end of an editor is noticed. Others do not change that: the programs of a window that reloads end after it.
   */
  take(mayReturn?: () => boolean): () => void {
    this.#held += 1;
    this.#everHeld = true;
    this.#timer?.clear();
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      this.#held -= 1;
      // The end of the service closes the connections of all leases.
      if (mayReturn && Number.isFinite(this.#held)) this.#expect(mayReturn);
      this.#wait();
    };
  }

  /** Restarts the time after a request, so that the client has time to take a lease. */
  touch(): void {
    if (this.#held > 0) return;
    for (const mayReturn of [...this.#returning.keys()]) this.#expect(mayReturn);
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
    for (const timer of this.#returning.values()) timer.clear();
    this.#returning.clear();
  }

  #expect(mayReturn: () => boolean): void {
    this.#returning.get(mayReturn)?.clear();
    this.#returning.set(
      mayReturn,
      this.after(this.times.returnMs, () => this.#returning.delete(mayReturn)),
    );
  }

  #wait(): void {
    this.#timer?.clear();
    if (this.#held > 0) return;
    const { firstMs, graceMs } = this.times;
    this.#timer = this.after(this.#everHeld ? graceMs : firstMs, () => {
      if ([...this.#returning.keys()].some((mayReturn) => mayReturn())) this.#wait();
      else this.onUnused();
    });
  }
}
