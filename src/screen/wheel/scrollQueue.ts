import type { Ticks } from './wheel';

/** Most ticks of one request and axis, and most that wait: a flick must not scroll for half a minute. */
export const MAX_TICKS = 10;

/**
 * Scrolls that wait while a request is under way. One request at a time; the scrolls meanwhile are summed and capped. A sum of zero is
 * never sent.
 */
export class ScrollQueue {
  #right = 0;
  #down = 0;
  #isBusy = false;

  add({ right, down }: Ticks): void {
    this.#right = capped(this.#right + right);
    this.#down = capped(this.#down + down);
  }

  /** The next request, if any; it counts as under way until {@link finish}. */
  take(): Ticks | undefined {
    if (this.#isBusy || (this.#right === 0 && this.#down === 0)) return undefined;
    const ticks = { right: this.#right, down: this.#down };
    this.drop();
    this.#isBusy = true;
    return ticks;
  }

  /** The request under way was answered or has failed. */
  finish(): void {
    this.#isBusy = false;
  }

  /** Drops waiting scrolls, as when the panel is hidden or the browser no longer exists. */
  drop(): void {
    this.#right = 0;
    this.#down = 0;
  }
}

function capped(ticks: number): number {
  return Math.max(-MAX_TICKS, Math.min(MAX_TICKS, ticks));
}
