import * as l10n from '@vscode/l10n';
import { extensionOf } from '../values/resource';
import type { ExtensionFolder } from './folder';

/** Extensions of source files, which a build turns into files that browsers load. */
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

/** Names that differ in up to this many letters count as a misspelling. */
const MAX_EDITS = 2;

/** After so many findings of one rule similar names are no longer looked for: a hostile manifest may name 100,000 missing files. */
export const MAX_HINTS = 50;

/** Longer names are not compared letter by letter. */
const MAX_COMPARED_LENGTH = 64;

/** What to do about a missing file of which nothing else is known. */
export function createAdvice(): string {
  return l10n.t('Create it, or correct the name.');
}

/** What to do about a missing file: a sentence, and the edit that it proposes. */
export interface MissingAdvice {
  advice: string;
  fix?: { do: 'replace'; by: string };
}

/**
 * What to do about a missing file, which the manifest names as `written`. The sentence names the file that is probably meant: one of the same name in other case, its source,
 * or one whose name differs in a letter or two.
 */
export async function adviceForMissing(
  folder: ExtensionFolder,
  path: string,
  written: string | undefined,
): Promise<MissingAdvice> {
  const slash = path.lastIndexOf('/');
  const parent = slash < 0 ? '' : path.slice(0, slash);
  const name = path.slice(slash + 1);
  const names = await folder.list(parent);
  const show = (found: string) => (parent === '' ? found : `${parent}/${found}`);

  const sameLetters = names.find((other) => other !== name && other.toLowerCase() === name.toLowerCase());
  if (sameLetters) {
    const advice = l10n.t('{0} exists: upper and lower case count.', show(sameLetters));
    return { advice, ...renamed(written, name, sameLetters) };
  }
  const source = names.find((other) => isSourceOf(other, name));
  if (source) {
    return {
      advice: l10n.t(
        '{0} exists, which browsers cannot load: build it, and push the folder with the build.',
        show(source),
      ),
    };
  }
  const near = names.find((other) => isNear(other, name));
  if (!near) return { advice: createAdvice() };
  return { advice: l10n.t('Did you mean {0}?', show(near)), ...renamed(written, name, near) };
}

/** The written name with another name for the file in place of `name`. */
function renamed(written: string | undefined, name: string, other: string): Pick<MissingAdvice, 'fix'> {
  if (written === undefined) return {};
  const parent = written.slice(0, written.lastIndexOf('/') + 1);
  if (written === parent + name) return { fix: { do: 'replace', by: parent + other } };
  // A page may be written with backslashes for slashes, with escapes such as %20, and with a query.
  const [, start = '', rest = ''] = /^([^?#]*[/\\])?([^?#]*)/.exec(written) ?? [];
  const by = rest === name ? other : encodeURI(other);
  return { fix: { do: 'replace', by: start + by + written.slice(start.length + rest.length) } };
}

function isSourceOf(other: string, name: string): boolean {
  const extension = extensionOf(other);
  return SOURCE_EXTENSIONS.has(extension) && stem(other, extension) === stem(name, extensionOf(name));
}

function stem(name: string, extension: string): string {
  return extension === '' ? name : name.slice(0, -extension.length - 1);
}

/** What to do about a name that Chromium does not know: the known name that is probably meant, if there is one. */
export function adviceForUnknown(meant: string | undefined): string {
  return meant === undefined ? l10n.t('Remove it, or correct its name.') : l10n.t('Did you mean "{0}"?', meant);
}

/** The only candidate that differs from the name in a letter or two, or in case; undefined when there is none, or more than one. */
export function nearest(name: string, candidates: Iterable<string>): string | undefined {
  const near = [...candidates].filter((other) => other.toLowerCase() === name.toLowerCase() || isNear(other, name));
  return near.length === 1 ? near[0] : undefined;
}

/** True when the edit distance is at most two, and most of the name is the same. */
function isNear(other: string, name: string): boolean {
  if (Math.max(other.length, name.length) > MAX_COMPARED_LENGTH) return false;
  if (Math.abs(other.length - name.length) > MAX_EDITS || name.length <= 2 * MAX_EDITS) return false;
  return editDistance(other.toLowerCase(), name.toLowerCase()) <= MAX_EDITS;
}

/** Levenshtein distance, row by row. */
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
