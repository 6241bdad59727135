/** The service puts a session on standby after this time without use. */
const STANDBY_AFTER_MS = 5_000;

/**
 * Measures how long a session has been idle. A use counts from its begin to its end. A keep-alive makes the session not idle while it lasts,
 * but does not restart the idle time.
 */
export class Activity {
  #uses = 0;
  #keepAlives = 0;
  #lastUse: number;

  constructor(private readonly now: () => number = Date.now) {
    this.#lastUse = now();
  }

  /** Begins a use; the returned function ends it, and the idle time counts from then. */
  beginUse(): () => void {
    this.#uses += 1;
    return once(() => {
      this.#uses -= 1;
      this.#lastUse = this.now();
    });
  }

  /** Makes the idle time 0 until the returned function is called; then it counts from the last use again. */
  keepAlive(): () => void {
    this.#keepAlives += 1;
    return once(() => {
      this.#keepAlives -= 1;
    });
  }

  /** Does not count some milliseconds, in which the machine was asleep. */
  skip(ms: number): void {
    this.#lastUse += ms;
  }

  /** Milliseconds since the end of the last use; 0 during a use or a keep-alive. */
  idleMs(): number {
    return this.#uses + this.#keepAlives > 0 ? 0 : this.now() - this.#lastUse;
  }

  /** Milliseconds on standby, which begins 5 s after the last use; `timeout_seconds` limits it. */
  standbyMs(): number {
    return Math.max(0, this.idleMs() - STANDBY_AFTER_MS);
  }
}

function once(end: () => void): () => void {
  let ended = false;
  return () => {
    if (ended) return;
    ended = true;
    end();
  };
}
