/**
 * A time limit for one operation with all its attempts, combined with the caller's signal. `extend` restarts the time, so that a slow
 * upload is not aborted.
 */
export class Deadline {
  /** Aborts at the end of the time limit, or with the caller's signal. */
  readonly signal: AbortSignal;
  readonly #limitMs: number;
  readonly #timeout = new AbortController();
  readonly #timer: NodeJS.Timeout;
  #endsAt: number;

  constructor(limitMs: number, outer?: AbortSignal) {
    this.#limitMs = limitMs;
    this.#endsAt = performance.now() + limitMs;
    this.signal = outer ? AbortSignal.any([outer, this.#timeout.signal]) : this.#timeout.signal;
    this.#timer = setTimeout(() => this.#timeout.abort(new Error(`no answer within ${limitMs} ms`)), limitMs);
  }

  /** Whether the time ran out, as opposed to an abort by the caller. */
  get isOver(): boolean {
    return this.#timeout.signal.aborted;
  }

  /** Milliseconds until the time runs out. */
  get remainingMs(): number {
    return this.#endsAt - performance.now();
  }

  extend(): void {
    if (this.signal.aborted) return;
    this.#endsAt = performance.now() + this.#limitMs;
    this.#timer.refresh();
  }

  dispose(): void {
    clearTimeout(this.#timer);
  }
}
