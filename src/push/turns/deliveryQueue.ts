import pLimit from 'p-limit';

/** A request that waits, and all whose requests it has replaced. */
interface Waiting<T, Demands> {
  demands: Demands;
  end: Promise<T>;
  settle: (end: Promise<T>) => void;
}

/**
 * Runs deliveries one at a time, in the order of the requests, with at most one waiting per key. A request with the key of a waiting one
 * replaces that, and all who asked for it share its result; so the newest state of each key is always delivered last, and never twice at once.
 * What the replaced requests demanded is demanded of the new task, too.
 */
export class DeliveryQueue<T, Demands> {
  readonly #limit = pLimit(1);
  readonly #waiting = new Map<string, Waiting<T, Demands>>();

  /** `join`: what two requests demand together. */
  constructor(private readonly join: (earlier: Demands, later: Demands) => Demands) {}

  /** Runs `task` now, or after the deliveries before it. Settles as the task that was run for this request did. */
  add(key: string, demands: Demands, task: (demands: Demands) => Promise<T>): Promise<T> {
    const replaced = this.#waiting.get(key);
    const { end, settle } = replaced ?? sharedEnd<T>();
    const request = { demands: replaced ? this.join(replaced.demands, demands) : demands, end, settle };
    this.#waiting.set(key, request);
    void this.#limit(async () => {
      // A later request is run in its own turn: what was asked for between the two may have older files of the same folder.
      if (this.#waiting.get(key) !== request) return;
      this.#waiting.delete(key);
      const running = task(request.demands);
      settle(running);
      await running.catch(() => undefined);
    });
    return end;
  }

  /** Runs something else between the deliveries. */
  between<R>(act: () => Promise<R>): Promise<R> {
    return this.#limit(act);
  }
}

/** A promise that settles as another one, which is given later. */
function sharedEnd<T>(): Pick<Waiting<T, never>, 'end' | 'settle'> {
  let settle: (end: Promise<T>) => void = () => undefined;
  const end = new Promise<T>((resolve) => {
    settle = resolve;
  });
  return { end, settle };
}
