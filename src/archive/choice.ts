import { DEFAULT_EXCLUSIONS } from './exclusions';
import { compileGlobs } from './globs';

/** What a user adds to the rules of what goes into an archive. */
export interface ChoiceOptions {
  /** More globs to leave out, in the form of {@link Globs}. */
  exclude?: readonly string[];
  /** Globs that win over every exclusion. A folder that is left out is opened only for globs that name a path inside it. */
  include?: readonly string[];
}

/** What is to be done with a path: in; out and said so (a folder perhaps opened all the same); out, and said already by its parent. */
export type Choice = 'take' | 'skip' | { reason: string; open: boolean };

/** Decides about one path, relative with `/`. `onlyIncluded`: it lies below a folder that is left out but was opened. */
export type Choose = (path: string, isFolder: boolean, onlyIncluded: boolean) => Choice;

/** The rules for one archive, compiled once for many paths. */
export function chooser({ exclude = [], include = [] }: ChoiceOptions): Choose {
  const included = compileGlobs(include);
  const excluded = compileGlobs(exclude);
  const defaults = DEFAULT_EXCLUSIONS.map(({ glob, reason }) => ({ globs: compileGlobs([glob]), reason }));

  return (path, isFolder, onlyIncluded) => {
    if (included.match(path) !== undefined) return 'take';
    const open = isFolder && included.reachesInto(path);
    if (onlyIncluded) return open ? { reason: 'only a part of it is included', open } : 'skip';
    const glob = excluded.match(path);
    if (glob !== undefined) return { reason: `excluded by your setting "${glob}"`, open };
    const exclusion = defaults.find(({ globs }) => globs.match(path) !== undefined);
    return exclusion ? { reason: exclusion.reason, open } : 'take';
  };
}

/**
 * Tells by the path of a file alone whether the settings let it into an archive, without a look at the disk: what cannot be
 * packed for other reasons counts as in.
 */
export function deliveryFilter(options: ChoiceOptions): (path: string) => boolean {
  const choose = chooser(options);
  const folders = new Map<string, Choice>();
  const folderChoice = (path: string): Choice => {
    const known = folders.get(path);
    if (known !== undefined) return known;
    const choice = choiceOf(path, true);
    folders.set(path, choice);
    return choice;
  };
  const choiceOf = (path: string, isFolder: boolean): Choice => {
    const slash = path.lastIndexOf('/');
    const parent = slash < 0 ? 'take' : folderChoice(path.slice(0, slash));
    if (parent === 'skip' || (parent !== 'take' && !parent.open)) return 'skip';
    return choose(path, isFolder, parent !== 'take');
  };
  return (path) => choiceOf(path, false) === 'take';
}
