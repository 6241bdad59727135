/** A time limit for one request, combined with the caller's signal. `extend` restarts the time, so that a slow upload is not aborted. */
export class Deadline {
  /** Aborts at the end of the time limit, or with the caller's signal. */
  readonly signal: AbortSignal;
  readonly #timeout = new AbortController();
  readonly #timer: NodeJS.Timeout;

  constructor(limitMs: number, outer?: AbortSignal) {
    this.signal = outer ? AbortSignal.any([outer, this.#timeout.signal]) : this.#timeout.signal;
    this.#timer = setTimeout(() => this.#timeout.abort(new Error(`no answer within ${limitMs} ms`)), limitMs);
  }

  /** Whether the time ran out, as opposed to an abort by the caller. */
  get isOver(): boolean {
    return this.#timeout.signal.aborted;
  }

  extend(): void {
    if (!this.signal.aborted) this.#timer.refresh();
  }

  dispose(): void {
    clearTimeout(this.#timer);
  }
}
