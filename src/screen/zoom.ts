import { PIXELS_PER_NOTCH } from './wheel/wheel';

/** The levels between which Chromium zooms by steps, in percent (C-ZOOM-LEVELS). */
export const ZOOM_LEVELS = [25, 33, 50, 67, 75, 80, 90, 100, 110, 125, 150, 175, 200, 250, 300, 400, 500] as const;

/** The largest of them. */
export const MAX_ZOOM = 500;

/** Whether a value is a zoom that Chromium has, in percent. */
export function isZoom(value: unknown): value is number {
  return typeof value === 'number' && value >= ZOOM_LEVELS[0] && value <= MAX_ZOOM;
}

/** The level that is so many steps above another one, in percent; negative: below. */
export function zoomedBy(percent: number, steps: number): number {
  const levels: readonly number[] = ZOOM_LEVELS;
  const at =
    steps > 0 ? levels.findLastIndex((level) => level <= percent) : levels.findIndex((level) => level >= percent);
  const from = at >= 0 ? at : steps > 0 ? 0 : levels.length - 1;
  return levels[Math.min(Math.max(from + steps, 0), levels.length - 1)] ?? 100;
}

/** Sums the pixels by which a wheel is turned to whole steps of zoom: one for each notch. */
export class ZoomWheel {
  #rest = 0;

  /** `down` is positive towards the user, which makes the page smaller. Returns the steps upwards. */
  turn(down: number): number {
    // What is left of the opposite direction belongs to another gesture.
    if (Math.sign(down) !== Math.sign(this.#rest)) this.#rest = 0;
    this.#rest += down;
    const steps = Math.trunc(this.#rest / PIXELS_PER_NOTCH);
    this.#rest -= steps * PIXELS_PER_NOTCH;
    // Never -0.
    return 0 - steps;
  }
}
