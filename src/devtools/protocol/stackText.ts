/** Longest text that is read, in characters, and the most lines of it. */
export const MAX_TEXT = 16_000;
const MAX_LINES = 100;

/** Most places of a stack. */
export const MAX_PLACES = 20;

/** A position in a file of an extension or in a page. Line and column count from 0. */
export interface ErrorLocation {
  url: string;
  line: number;
  /** Undefined when it is not known. */
  column: number | undefined;
}

/** A line of a stack, and the place at its end. A path may hold colons, so its end is looked for. */
const STACK_LINE = /^\s{1,100}at /;
const STACK_PLACE = /((?:chrome-extension|https?|file):\/\/[^\s()]{1,2000}):(\d{1,9}):(\d{1,9})\)?$/;

/**
 * The lines of a text before the first stack in it, and the places in that stack, counted from 0. In linear time of any text: only
 * its beginning is read.
 */
export function splitStack(whole: string): [string, ErrorLocation[]] {
  const lines = whole.slice(0, MAX_TEXT).split('\n', MAX_LINES);
  const first = lines.findIndex((line) => STACK_LINE.test(line));
  if (first < 0) return [whole, []];
  const places = lines.slice(first).flatMap((line) => {
    const [, url, row, column] = STACK_PLACE.exec(line) ?? [];
    return url === undefined ? [] : [{ url, line: fromZero(row), column: fromZero(column) }];
  });
  return [lines.slice(0, first).join('\n'), places.slice(0, MAX_PLACES)];
}

/** A number of a line or column from 1, counted from 0: a text may say anything. */
function fromZero(written: string | undefined): number {
  return Math.max(0, Number(written) - 1);
}
