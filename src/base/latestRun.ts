/**
 * Work that runs once at a time, and once more after a run during which it was asked for, however often. The work must not ask for itself
 * before it first waits.
 */
export class LatestRun {
  #current: Promise<void> | undefined;
  /** The run after the current one. */
  #next: Promise<void> | undefined;

  constructor(private readonly work: () => Promise<void>) {}

  /** Whether a run is under way, or about to begin. */
  get isRunning(): boolean {
    return (this.#next ?? this.#current) !== undefined;
  }

  /** Runs the work now, or after the run that is under way. Settles as the run does that began after the call. */
  run(): Promise<void> {
    if (this.#next) return this.#next;
    const begin = (): Promise<void> => this.#begin();
    if (!this.#current) return begin();
    this.#next = this.#current.then(begin, begin);
    return this.#next;
  }

  #begin(): Promise<void> {
    this.#next = undefined;
    const run = this.work().finally(() => {
      this.#current = undefined;
    });
    this.#current = run;
    return run;
  }
}
