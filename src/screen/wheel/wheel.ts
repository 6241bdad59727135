/** Wheel notches: whole numbers, positive is right and down. One notch is one tick of the service's scroll operation. */
export interface Ticks {
  right: number;
  down: number;
}

/** The fields of a wheel event, without the DOM. `deltaMode` is 0 for pixels, 1 for lines, 2 for pages. */
export interface WheelTurn {
  deltaX: number;
  deltaY: number;
  deltaMode: number;
  shiftKey: boolean;
}

/** What one click of a mouse wheel scrolls in Chromium, in CSS pixels (C-WHEEL-TICK); also what one tick scrolls in the remote browser. */
export const PIXELS_PER_NOTCH = 120;

/** Three lines are one click of a wheel by the usual setting of desktops. */
export const PIXELS_PER_LINE = PIXELS_PER_NOTCH / 3;

/** A page has no size here: as many notches as the PageDown key. */
export const NOTCHES_PER_PAGE = 5;

/** By `deltaMode`. */
const PIXELS_PER_UNIT = [1, PIXELS_PER_LINE, PIXELS_PER_NOTCH * NOTCHES_PER_PAGE];

/** After this time without an event, the next one begins a new gesture, without the remainder of the last, in milliseconds. */
const PAUSE_MS = 250;

/**
 * Converts wheel events of any device into whole notches. The remainder is kept per axis, so that a slow trackpad adds up, and dropped
 * when the direction flips or after a pause. A wheel turned with Shift held scrolls sideways.
 */
export class WheelPad {
  #restX = 0;
  #restY = 0;
  #lastMs = Number.NEGATIVE_INFINITY;

  /** `nowMs` is any clock in milliseconds that does not go back. Both results may be 0. */
  turn(event: WheelTurn, nowMs: number): Ticks {
    if (nowMs - this.#lastMs > PAUSE_MS) this.reset();
    this.#lastMs = nowMs;
    // Most systems swap the axes themselves; then the vertical delta is already 0.
    const isSwapped = event.shiftKey && event.deltaX === 0;
    const unit = PIXELS_PER_UNIT[event.deltaMode] ?? 1;
    const x = finite(isSwapped ? event.deltaY : event.deltaX) * unit;
    const y = finite(isSwapped ? 0 : event.deltaY) * unit;
    const sumX = added(this.#restX, x);
    const sumY = added(this.#restY, y);
    const right = wholeNotches(sumX);
    const down = wholeNotches(sumY);
    this.#restX = sumX - right * PIXELS_PER_NOTCH;
    this.#restY = sumY - down * PIXELS_PER_NOTCH;
    return { right, down };
  }

  reset(): void {
    this.#restX = 0;
    this.#restY = 0;
  }
}

function added(rest: number, delta: number): number {
  return rest * delta < 0 ? delta : rest + delta;
}

/** Rounded towards zero, and never -0. */
function wholeNotches(pixels: number): number {
  return Math.trunc(pixels / PIXELS_PER_NOTCH) + 0;
}

function finite(value: number): number {
  return Number.isFinite(value) ? value : 0;
}
