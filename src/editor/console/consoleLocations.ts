import { isAbsolute, join, relative, sep } from 'node:path';

/** A line longer than this has no links, in characters. */
const MAX_LINE = 1000;

/** The end of a location: row and column, at the end of the line or before a bracket. */
const END = /:(\d{1,9})(?::(\d{1,9}))?(?=\)|$)/g;

/** What is before a path that is not in brackets. */
const BEFORE = /\bat (?=\S)/;

/** A location in a line of text: `src/worker.ts:3:5`, in a frame of a stack or at its end. */
export interface ConsoleLocation {
  /** Where it begins in the line. */
  index: number;
  length: number;
  path: string;
  row: string;
  column: string;
}

/** The locations in a line of the console, whose text may be anything. Reads it once from its begin to its end. */
export function locationsIn(line: string): ConsoleLocation[] {
  if (line.length > MAX_LINE) return [];
  const locations: ConsoleLocation[] = [];
  let last = 0;
  for (const { index: end, 0: whole, 1: row = '1', 2: column = '1' } of line.matchAll(END)) {
    let start = end;
    while (start > last && !'():'.includes(line.charAt(start - 1))) start -= 1;
    const words = line.slice(start, end);
    const isBracketed = line[start - 1] === '(' && /^\S/.test(words);
    const found = isBracketed ? undefined : BEFORE.exec(words);
    last = end + whole.length;
    if (!isBracketed && !found) continue;
    const index = start + (found ? found.index + found[0].length : 0);
    if (index < end) locations.push({ index, length: last - index, path: line.slice(index, end), row, column });
  }
  return locations;
}

/** The file of a location below a folder; undefined for one that is elsewhere, since a page may write any path. */
export function fileBelow(root: string, path: string): string | undefined {
  const file = join(root, path);
  const way = relative(root, file);
  return way === '' || way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way) ? undefined : file;
}
