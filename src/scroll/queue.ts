import type { Ticks } from './wheel';

/** Most ticks of one request and axis, and most that wait: a flick must not scroll for half a minute. */
export const MAX_TICKS = 10;

/**
 * What waits to be scrolled while a request is under way. One request at a time; what comes meanwhile is summed and capped. Nothing is ever
 * sent whose sum is zero.
 */
export class ScrollQueue {
  #right = 0;
  #down = 0;
  #isBusy = false;

  get isBusy(): boolean {
    return this.#isBusy;
  }

  add({ right, down }: Ticks): void {
    this.#right = capped(this.#right + right);
    this.#down = capped(this.#down + down);
  }

  /** What is to be sent now, if anything; it counts as under way until {@link finish}. */
  take(): Ticks | undefined {
    if (this.#isBusy || (this.#right === 0 && this.#down === 0)) return undefined;
    const ticks = { right: this.#right, down: this.#down };
    this.drop();
    this.#isBusy = true;
    return ticks;
  }

  /** The request under way has been answered, well or badly. */
  finish(): void {
    this.#isBusy = false;
  }

  /** Forgets what waits, as when the panel is hidden or the browser is gone. */
  drop(): void {
    this.#right = 0;
    this.#down = 0;
  }
}

function capped(ticks: number): number {
  return Math.max(-MAX_TICKS, Math.min(MAX_TICKS, ticks));
}
