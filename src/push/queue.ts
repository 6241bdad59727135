/**
 * Runs deliveries one at a time, with at most one waiting. A request that comes while one waits takes its place, and all who
 * asked for it share its end; so the newest state is always delivered last, and never twice at once.
 */
export class DeliveryQueue<T> {
  #running: Promise<T> | undefined;
  #waiting: { task: () => Promise<T>; end: Promise<T> } | undefined;

  /** Whether a delivery is under way. */
  get isBusy(): boolean {
    return this.#running !== undefined;
  }

  /** Runs `task` now, or after the delivery under way. Resolves or rejects as the task that stood for this request did. */
  add(task: () => Promise<T>): Promise<T> {
    // The waiting one is asked first: between the end of one delivery and its start there is a moment when nothing runs.
    if (this.#waiting) {
      this.#waiting.task = task;
      return this.#waiting.end;
    }
    if (!this.#running) return this.#start(task);
    const waiting = { task, end: this.#afterRunning() };
    this.#waiting = waiting;
    return waiting.end;
  }

  async #afterRunning(): Promise<T> {
    // How the one before ended is told to those who asked for it.
    await this.#running?.catch(() => undefined);
    const waiting = this.#waiting;
    this.#waiting = undefined;
    if (!waiting) throw new Error('the waiting delivery was taken twice');
    return await this.#start(waiting.task);
  }

  #start(task: () => Promise<T>): Promise<T> {
    const running = task().finally(() => {
      if (this.#running === running) this.#running = undefined;
    });
    this.#running = running;
    return running;
  }
}
