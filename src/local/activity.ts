/** Tells how long something has been left alone. What goes on for a while counts from its start to its end. */
export class Activity {
  #open = 0;
  #last: number;

  constructor(private readonly now: () => number = Date.now) {
    this.#last = now();
  }

  /** Something begins; it ends when the returned function is called. */
  begin(): () => void {
    this.#open += 1;
    let ended = false;
    return () => {
      if (ended) return;
      ended = true;
      this.#open -= 1;
      this.#last = this.now();
    };
  }

  /** Milliseconds since the last thing ended; 0 while one goes on. */
  idleMs(): number {
    return this.#open > 0 ? 0 : this.now() - this.#last;
  }
}
