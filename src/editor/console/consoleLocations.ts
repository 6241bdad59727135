import { isAbsolute, join, relative, sep } from 'node:path';

/** A line longer than this has no links, in characters. */
const MAX_LINE = 1000;

/** The end of a location: row and column, at the end of the line or before a bracket. */
const END = /:(\d{1,9})(?::(\d{1,9}))?(?=\)|$)/g;

/** The word before a path that is not in brackets. */
const BEFORE = 'at ';

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
    /** Brackets that are closed within what was read, which are part of the path. */
    let depth = 0;
    /** Where the longest path after the word "at" begins. */
    let found: number | undefined;
    for (; start > last; start -= 1) {
      const before = line.charAt(start - 1);
      if (before === ':' || (before === '(' && depth === 0)) break;
      if (depth === 0 && start < end && follows(line, start, last)) found = start;
      if (before === ')') depth += 1;
      else if (before === '(') depth -= 1;
    }
    const isBracketed = depth === 0 && line[start - 1] === '(' && /^\S/.test(line.charAt(start));
    const index = isBracketed ? start : found;
    last = end + whole.length;
    if (index === undefined || index === end) continue;
    locations.push({ index, length: last - index, path: line.slice(index, end), row, column });
  }
  return locations;
}

/** Whether a path may begin at an index: after the word "at", which begins at `from` or later. */
function follows(line: string, index: number, from: number): boolean {
  const word = index - BEFORE.length;
  return (
    word >= from &&
    line.startsWith(BEFORE, word) &&
    /\S/.test(line.charAt(index)) &&
    !(word > from && /\w/.test(line.charAt(word - 1)))
  );
}

/** A workspace folder: its name, and its absolute path. */
export interface NamedRoot {
  name: string;
  root: string;
}

/**
 * What paths below a workspace folder begin with in the console: nothing where it is the only one, else its name, or where others have that
 * name, too, the end of its path that it has alone.
 */
export function prefixOf(root: string, folders: readonly NamedRoot[]): string {
  const folder = folders.length > 1 ? folders.find((candidate) => candidate.root === root) : undefined;
  if (!folder) return '';
  const others = folders.filter((other) => other !== folder);
  const isAlone = others.every(({ name }) => name !== folder.name);
  return `${isAlone ? folder.name : endOf(root, others)}/`;
}

/** The shortest end of a folder's path, with `/`, that is the end of no other one and does not begin with the name of another one. */
function endOf(root: string, others: readonly NamedRoot[]): string {
  const names = root.split(sep);
  for (let count = 1; count < names.length; count++) {
    const end = names.slice(-count);
    const way = end.join(sep);
    if (others.every((other) => other.name !== end[0] && !`${sep}${other.root}`.endsWith(`${sep}${way}`))) {
      return end.join('/');
    }
  }
  return names.join('/');
}

/** The files that a path in the console may mean: more than one where a folder is named like a path in another one. */
export function filesOf(path: string, folders: readonly NamedRoot[]): string[] {
  return folders.flatMap(({ root }) => {
    const prefix = prefixOf(root, folders);
    const file = path.startsWith(prefix) ? fileBelow(root, path.slice(prefix.length)) : undefined;
    return file ?? [];
  });
}

/** The file of a location below a folder; undefined for one that is elsewhere, since a page may write any path. */
export function fileBelow(root: string, path: string): string | undefined {
  const file = join(root, path);
  const way = relative(root, file);
  return way === '' || way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way) ? undefined : file;
}
