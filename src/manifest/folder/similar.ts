import { extensionOf } from '../values/resource';
import type { ExtensionFolder } from './folder';

/** Extensions of sources that a build turns into what a browser loads. */
const SOURCE_EXTENSIONS: ReadonlySet<string> = new Set([
  'ts',
  'tsx',
  'mts',
  'cts',
  'jsx',
  'coffee',
  'scss',
  'sass',
  'less',
  'styl',
]);

/** How many letters two names may differ in to pass for a slip of the pen. */
const MAX_EDITS = 2;

/** After so many findings of one rule no more similar names are looked for: a hostile manifest names 100,000 missing files. */
export const MAX_HINTS = 50;

/** Names longer than this are not compared letter by letter. */
const MAX_COMPARED_LENGTH = 64;

/**
 * A sentence about a file that is probably meant by the name of a missing one: the same name in other case, its source, or a name that
 * differs in a letter or two. Empty when the folder holds nothing of the kind.
 */
export async function hintForMissing(folder: ExtensionFolder, path: string): Promise<string> {
  const slash = path.lastIndexOf('/');
  const parent = slash < 0 ? '' : path.slice(0, slash);
  const name = path.slice(slash + 1);
  const names = await folder.list(parent);
  const show = (found: string) => (parent === '' ? found : `${parent}/${found}`);

  const sameLetters = names.find((other) => other !== name && other.toLowerCase() === name.toLowerCase());
  if (sameLetters) return ` ${show(sameLetters)} exists: upper and lower case count.`;
  const source = names.find((other) => isSourceOf(other, name));
  if (source)
    return ` ${show(source)} exists, which browsers cannot load: build it, and push the folder with the build.`;
  const near = names.find((other) => isNear(other, name));
  return near ? ` Did you mean ${show(near)}?` : '';
}

function isSourceOf(other: string, name: string): boolean {
  const extension = extensionOf(other);
  return SOURCE_EXTENSIONS.has(extension) && stem(other, extension) === stem(name, extensionOf(name));
}

function stem(name: string, extension: string): string {
  return extension === '' ? name : name.slice(0, -extension.length - 1);
}

/** The only name that differs from this one in a letter or two, or in case; undefined when there is none, or more than one. */
export function nearest(name: string, candidates: Iterable<string>): string | undefined {
  const near = [...candidates].filter((other) => other.toLowerCase() === name.toLowerCase() || isNear(other, name));
  return near.length === 1 ? near[0] : undefined;
}

/** True when at most two letters were added, dropped or changed, and most of the name is the same. */
function isNear(other: string, name: string): boolean {
  if (Math.max(other.length, name.length) > MAX_COMPARED_LENGTH) return false;
  if (Math.abs(other.length - name.length) > MAX_EDITS || name.length <= 2 * MAX_EDITS) return false;
  return editDistance(other.toLowerCase(), name.toLowerCase()) <= MAX_EDITS;
}

/** Levenshtein's distance, row by row. */
function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const change = (previous[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1);
      current.push(Math.min(change, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    previous = current;
  }
  return previous[b.length] ?? 0;
}
