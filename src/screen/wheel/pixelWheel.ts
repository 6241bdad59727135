import { PIXELS_PER_LINE, type WheelTurn } from './wheel';

/** The part of a page that one page of a wheel scrolls, as in Chromium (C-WHEEL-PAGE). */
const PAGE_PART = 0.875;

/** A distance in CSS pixels; positive is right and down. */
export interface Pixels {
  right: number;
  down: number;
}

/**
 * Wheel events of any device as whole CSS pixels, one batch under way at a time. What comes meanwhile is summed, and fractions of a pixel are
 * kept for the next batch: what is sent of a gesture is what the gesture was, less than one pixel apart.
 */
export class PixelWheel {
  #right = 0;
  #down = 0;
  #isBusy = false;

  /** `page`: the size of the page's viewport, which a wheel in page mode scrolls by. A wheel turned with Shift held scrolls sideways. */
  add(event: WheelTurn, page: { width: number; height: number }): void {
    // Most systems swap the axes themselves; then the vertical delta is already 0.
    const isSwapped = event.shiftKey && event.deltaX === 0;
    const right = isSwapped ? event.deltaY : event.deltaX;
    const down = isSwapped ? 0 : event.deltaY;
    this.#right += pixelsOf(right, event.deltaMode, page.width);
    this.#down += pixelsOf(down, event.deltaMode, page.height);
  }

  /** The next batch, if there is a whole pixel and none is under way; it counts as under way until {@link finish}. */
  take(): Pixels | undefined {
    if (this.#isBusy) return undefined;
    // Never -0.
    const batch = { right: Math.trunc(this.#right) + 0, down: Math.trunc(this.#down) + 0 };
    if (batch.right === 0 && batch.down === 0) return undefined;
    this.#right -= batch.right;
    this.#down -= batch.down;
    this.#isBusy = true;
    return batch;
  }

  /** The batch under way was answered, or will not be. */
  finish(): void {
    this.#isBusy = false;
  }

  /** Drops what waits, as when the panel is hidden. */
  drop(): void {
    this.#right = 0;
    this.#down = 0;
    this.#isBusy = false;
  }
}

function pixelsOf(delta: number, mode: number, page: number): number {
  if (!Number.isFinite(delta)) return 0;
  if (mode === 1) return delta * PIXELS_PER_LINE;
  return mode === 2 ? delta * page * PAGE_PART : delta;
}
