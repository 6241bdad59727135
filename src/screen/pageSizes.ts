/** A size in CSS pixels. */
interface Size {
  width: number;
  height: number;
}

/** A size that a page is shown in, in CSS pixels, and how many device pixels each has; a `ratio` of 0 is that of the browser's window. */
export interface ShownSize extends Size {
  ratio: number;
}

/** How many pixels the view of a page has for each CSS pixel of the size that it is shown in: it is made larger for a display with more pixels. */
export function viewScale(size: ShownSize | undefined): number {
  return Math.max(size?.ratio ?? 1, 1);
}

/** The sizes that a page can be shown in, in CSS pixels: `fit` is that of the place where the screen is shown, `window` that of the browser's window. */
export const SIZES = {
  fit: undefined,
  window: undefined,
  laptop: { width: 1280, height: 800 },
  desktop: { width: 1920, height: 1080 },
  tablet: { width: 768, height: 1024 },
  phone: { width: 390, height: 844 },
} as const;
export type SizeName = keyof typeof SIZES;

/** The size of a page for which no other was chosen. */
export const USUAL_SIZE: SizeName = 'fit';

/** What a page gets at least, in CSS pixels: in less room, it is shown smaller. */
const LEAST_FIT = { width: 320, height: 240 };

/** What a page gets at most, in CSS pixels. */
export const MAX_FIT = 4096;

/** How far a length may be from a whole number of device pixels. */
const TOLERANCE = 0.01;

/** How many CSS pixels may be left out, so that a length is a whole number of device pixels. */
const MOST_LEFT_OUT = 8;

/** Whether a value names a size of the page. */
export function isSizeName(value: unknown): value is SizeName {
  return typeof value === 'string' && Object.hasOwn(SIZES, value);
}

/** A size of the list, turned by a quarter for `isRotated`; undefined for those that are not in the list. */
export function fixedSize(size: SizeName, { isRotated }: { isRotated: boolean }): ShownSize | undefined {
  const preset = SIZES[size];
  if (!preset) return undefined;
  const { width, height } = preset;
  return { ...(isRotated ? { width: height, height: width } : { width, height }), ratio: 0 };
}

/**
 * The size that a page gets in a place of `room` CSS pixels, of which each has `ratio` device pixels. Its lengths are whole numbers of device
 * pixels where that is possible: a picture of another length would be blurred.
 */
export function fitSize(room: Size, ratio: number): ShownSize {
  return {
    width: wholeLength(Math.max(room.width, LEAST_FIT.width), ratio),
    height: wholeLength(Math.max(room.height, LEAST_FIT.height), ratio),
    ratio,
  };
}

function wholeLength(room: number, ratio: number): number {
  const most = Math.min(Math.floor(room), MAX_FIT);
  for (let length = most; length > most - MOST_LEFT_OUT; length -= 1) {
    if (Math.abs(length * ratio - Math.round(length * ratio)) < TOLERANCE) return length;
  }
  return most;
}
