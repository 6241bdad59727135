import type { Clock, Timer } from '../../base/clock';

/**
 * A time limit for one operation with all its attempts, combined with the caller's signal. `extend` restarts the time, so that a slow
 * upload is not aborted.
 */
export class Deadline {
  /** Aborts at the end of the time limit, or with the caller's signal. */
  readonly signal: AbortSignal;
  readonly #timeout = new AbortController();
  #timer: Timer;
  #endsAt: number;

  constructor(
    private readonly limitMs: number,
    outer: AbortSignal | undefined,
    private readonly clock: Clock,
  ) {
    this.#endsAt = clock.now() + limitMs;
    this.signal = outer ? AbortSignal.any([outer, this.#timeout.signal]) : this.#timeout.signal;
    this.#timer = this.#begin();
  }

  /** Whether the time ran out, as opposed to an abort by the caller. */
  get isOver(): boolean {
    return this.#timeout.signal.aborted;
  }

  /** Milliseconds until the time runs out. */
  get remainingMs(): number {
    return this.#endsAt - this.clock.now();
  }

  extend(): void {
    if (this.signal.aborted) return;
    this.#endsAt = this.clock.now() + this.limitMs;
    this.#timer.clear();
    this.#timer = this.#begin();
  }

  dispose(): void {
    this.#timer.clear();
  }

  #begin(): Timer {
    const limitMs = this.limitMs;
    return this.clock.after(limitMs, () => this.#timeout.abort(new Error(`no answer within ${limitMs} ms`)));
  }
}
