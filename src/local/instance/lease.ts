/** Times of a shared service's life without anybody who needs it. */
export interface LeaseTimes {
  /** From the start, when nobody ever took a lease. */
  firstMs: number;
  /** From the end of the last lease, or the last request. */
  graceMs: number;
}

export const LEASE_TIMES: LeaseTimes = { firstMs: 30_000, graceMs: 10_000 };

/**
 * Counts who needs the service. A lease is an open connection, so a killed editor gives it back as surely as a closed one.
 * `onUnused` is called once, when nobody has held one for the time allowed.
 */
export class Leases {
  #held = 0;
  #timer: NodeJS.Timeout | undefined;
  #everHeld = false;

  constructor(
    private readonly onUnused: () => void,
    private readonly times: LeaseTimes = LEASE_TIMES,
  ) {
    this.#wait();
  }

  /** Takes a lease; the returned function gives it back. */
  take(): () => void {
    this.#held += 1;
    this.#everHeld = true;
    clearTimeout(this.#timer);
    let given = false;
    return () => {
      if (given) return;
      given = true;
      this.#held -= 1;
      this.#wait();
    };
  }

  /** Somebody talked to the service: the wait begins anew, so that a client has time to take its lease. */
  touch(): void {
    this.#wait();
  }

  /** Stops waiting; `onUnused` is not called any more. */
  dispose(): void {
    this.#held = Number.POSITIVE_INFINITY;
    clearTimeout(this.#timer);
  }

  #wait(): void {
    clearTimeout(this.#timer);
    if (this.#held > 0) return;
    this.#timer = setTimeout(this.onUnused, this.#everHeld ? this.times.graceMs : this.times.firstMs);
  }
}
