/** Resources that start and stop slowly, such as browsers: each is started while the previous one is in use, and stopped while the next one is. */
export class Ahead<T> {
  #left: number;
  #next: Promise<T> | undefined;
  readonly #ending = new Set<Promise<void>>();
  readonly #failures: unknown[] = [];

  /** `count` is how many will be taken: none is started in vain. */
  constructor(
    count: number,
    private readonly start: () => Promise<T>,
    private readonly stop: (value: T) => Promise<void>,
  ) {
    this.#left = count;
    this.#startNext();
  }

  /** Gives one, and starts the next. Rejects when it could not be started. */
  take(): Promise<T> {
    const taken = this.#next ?? this.start();
    this.#left -= 1;
    this.#startNext();
    return taken;
  }

  /** Ends one that is no longer used, without waiting for it. */
  release(value: T): void {
    const ended = this.stop(value).catch((error: unknown) => void this.#failures.push(error));
    this.#ending.add(ended);
    void ended.then(() => this.#ending.delete(ended));
  }

  /** Ends what has not been taken and waits for all ends. Rejects when one of them failed. */
  async close(): Promise<void> {
    await this.#next?.then(
      (value) => this.release(value),
      () => undefined,
    );
    this.#next = undefined;
    await Promise.all(this.#ending);
    if (this.#failures.length > 0) throw new AggregateError(this.#failures, 'Not all that was started could be ended.');
  }

  #startNext(): void {
    this.#next = this.#left > 0 ? this.start() : undefined;
    // Who takes it gets the error.
    this.#next?.catch(() => undefined);
  }
}

/** How many tests the suite of a hook has, those of suites inside it included. */
export function testsOf(hook: Mocha.Context): number {
  return hook.test?.parent?.total() ?? 0;
}
