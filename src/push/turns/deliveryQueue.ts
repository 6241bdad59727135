import pLimit from 'p-limit';

interface Waiting<T, Demands> {
  task: (demands: Demands) => Promise<T>;
  demands: Demands;
  end: Promise<T>;
}

/**
 * Runs deliveries one at a time, with at most one waiting per key. A request with the key of a waiting one replaces its task, and
 * all who asked for it share its result; so the newest state of each key is always delivered last, and never twice at once. What the
 * replaced requests demanded is demanded of the new task, too.
 */
export class DeliveryQueue<T, Demands> {
  readonly #limit = pLimit(1);
  readonly #waiting = new Map<string, Waiting<T, Demands>>();

  /** `join`: what two requests demand together. */
  constructor(private readonly join: (earlier: Demands, later: Demands) => Demands) {}

  /** Runs `task` now, or after the deliveries before it. Settles as the task that was run for this request did. */
  add(key: string, demands: Demands, task: (demands: Demands) => Promise<T>): Promise<T> {
    const waiting = this.#waiting.get(key);
    if (waiting) {
      waiting.task = task;
      waiting.demands = this.join(waiting.demands, demands);
      return waiting.end;
    }
    const end = this.#limit(() => {
      const latest = this.#waiting.get(key) ?? { task, demands };
      this.#waiting.delete(key);
      return latest.task(latest.demands);
    });
    this.#waiting.set(key, { task, demands, end });
    return end;
  }
}
