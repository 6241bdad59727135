import pLimit from 'p-limit';

interface Waiting<T> {
  task: () => Promise<T>;
  end: Promise<T>;
}

/**
 * Runs deliveries one at a time, with at most one waiting per key. A request with the key of a waiting one replaces its task, and
 * all who asked for it share its result; so the newest state of each key is always delivered last, and never twice at once.
 */
export class DeliveryQueue<T> {
  readonly #limit = pLimit(1);
  readonly #waiting = new Map<string, Waiting<T>>();

  /** Runs `task` now, or after the deliveries before it. Settles as the task that was run for this request did. */
  add(key: string, task: () => Promise<T>): Promise<T> {
    const waiting = this.#waiting.get(key);
    if (waiting) {
      waiting.task = task;
      return waiting.end;
    }
    const end = this.#limit(() => {
      const latest = this.#waiting.get(key)?.task ?? task;
      this.#waiting.delete(key);
      return latest();
    });
    this.#waiting.set(key, { task, end });
    return end;
  }
}
