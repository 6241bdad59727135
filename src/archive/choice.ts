import * as l10n from '@vscode/l10n';
import { defaultExclusions, isNeededThoughHidden } from './exclusions';
import { compileGlobs, type Globs } from './globs';
import type { LeftOutRule } from './selection';

/** The user's additions to the rules for the files of an archive. */
export interface ChoiceOptions {
  /** More globs to leave out, in the form of {@link Globs}. */
  exclude?: readonly string[];
  /** Globs that override every exclusion. An excluded folder is opened only for globs that name a path inside it. */
  include?: readonly string[];
}

/**
 * The decision on a path: `include` packs it because a setting says so, `take` unless its content is a private key; an object leaves it out for a reason that is reported (a folder may be opened nevertheless,
 * for what is included below it); `skip` leaves it out without a report, because its folder has been reported.
 */
export type Choice = 'include' | 'take' | 'skip' | LeavingOut;

/** Why a path is left out. `open`: paths below it may be included. */
export interface LeavingOut {
  reason: string;
  rule: LeftOutRule;
  open: boolean;
  isSecret?: true;
}

/** Decides on one path, relative with `/`. `onlyIncluded`: the path is below an excluded folder that was opened. */
export type Choose = (path: string, isFolder: boolean, onlyIncluded: boolean) => Choice;

interface CompiledExclusion {
  globs: Globs;
  reason: string;
  isSecret?: true;
}

let compiledDefaults: readonly CompiledExclusion[] | undefined;

function compileDefaults(): readonly CompiledExclusion[] {
  return defaultExclusions().map(({ glob, ...rest }) => ({ globs: compileGlobs([glob]), ...rest }));
}

/** The globs of the options that are malformed or exceed a limit. */
export function unusableGlobs({ exclude = [], include = [] }: ChoiceOptions): string[] {
  return [exclude, include].flatMap((globs) => compileGlobs(globs).unusable);
}

/** The rules for one archive, compiled once for many paths. */
export function chooser({ exclude = [], include = [] }: ChoiceOptions): Choose {
  const included = compileGlobs(include);
  const excluded = compileGlobs(exclude);
  const defaults = (compiledDefaults ??= compileDefaults());

  return (path, isFolder, onlyIncluded) => {
    if (included.match(path) !== undefined) return 'include';
    const open = isFolder && included.reachesInto(path);
    if (onlyIncluded) return open ? { reason: l10n.t('only a part of it is included'), rule: 'setting', open } : 'skip';
    const glob = excluded.match(path);
    if (glob !== undefined) return { reason: l10n.t('excluded by your pattern "{0}"', glob), rule: 'setting', open };
    if (isNeededThoughHidden(path)) return 'take';
    const name = path.toLowerCase();
    const exclusion = defaults.find(({ globs }) => globs.match(name) !== undefined);
    if (!exclusion) return 'take';
    const { reason, isSecret } = exclusion;
    return { reason, rule: 'builtIn', open, ...(isSecret && !isFolder && { isSecret }) };
  };
}

/**
 * A predicate for the paths of files: whether the settings allow a file in an archive. It does not read the disk, so files that cannot
 * be packed for other reasons count as allowed.
 */
export function deliveryFilter(options: ChoiceOptions): (path: string) => boolean {
  const choiceOf = fileChooser(options);
  return (path) => isTaken(choiceOf(path));
}

/** The decision on the path of a file, by the settings and the rules for names alone. */
export function fileChooser(options: ChoiceOptions): (path: string) => Choice {
  const choose = chooser(options);
  const folders = new Map<string, Choice>();
  const folderChoice = (path: string): Choice => {
    const known = folders.get(path);
    if (known !== undefined) return known;
    const choice = choiceOf(path, { isFolder: true });
    folders.set(path, choice);
    return choice;
  };
  const choiceOf = (path: string, { isFolder }: { isFolder: boolean }): Choice => {
    const slash = path.lastIndexOf('/');
    const parent = slash < 0 ? 'take' : folderChoice(path.slice(0, slash));
    if (parent === 'skip' || (typeof parent === 'object' && !parent.open)) return 'skip';
    return choose(path, isFolder, !isTaken(parent));
  };
  return (path) => choiceOf(path, { isFolder: false });
}

/** Whether a file with such a decision is packed. */
export function isTaken(choice: Choice): boolean {
  return choice === 'take' || choice === 'include';
}
