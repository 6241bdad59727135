/** The time without use after which the service puts a session on standby. */
const STANDBY_AFTER_MS = 5_000;

/**
 * Tells how long something has been left alone. What goes on for a while counts from its start to its end. Some things
 * only keep it from being given up while they go on, without counting as use afterwards.
 */
export class Activity {
  #uses = 0;
  #holds = 0;
  #last: number;

  constructor(private readonly now: () => number = Date.now) {
    this.#last = now();
  }

  /** A use begins; it ends when the returned function is called, and the time alone counts from there. */
  begin(): () => void {
    this.#uses += 1;
    return once(() => {
      this.#uses -= 1;
      this.#last = this.now();
    });
  }

  /** Something goes on that is no use; until the returned function is called the time alone is 0, then what it was. */
  hold(): () => void {
    this.#holds += 1;
    return once(() => {
      this.#holds -= 1;
    });
  }

  /** Milliseconds since the last use ended; 0 while a use or a hold goes on. */
  idleMs(): number {
    return this.#uses + this.#holds > 0 ? 0 : this.now() - this.#last;
  }

  /** Milliseconds on standby, which begins 5 s after the last use: what a session's `timeout_seconds` bounds. */
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
