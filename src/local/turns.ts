/** Lets asynchronous work run one piece after the other, in the order of arrival. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve();

  /** Runs `work` when everything before it has ended; its outcome is the caller's, and never stops those behind it. */
  run<T>(work: () => Promise<T>): Promise<T> {
    const mine = this.#last.then(work, work);
    this.#last = mine.catch(() => undefined);
    return mine;
  }
}
