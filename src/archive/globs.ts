import picomatch from 'picomatch';
import { RE2JS } from 're2js';
import { RecentMap } from '../base/recentMap';

/**
 * A list of globs over paths relative to the extension folder, always with `/`.
 * A glob without `/` matches a name at any depth; a glob with `/` is anchored at the folder. A glob that matches a folder includes
 * everything below it. Names that begin with a dot are matched like any other.
 */
export interface Globs {
  /** The first glob that matches this very path, if any. */
  match: (path: string) => string | undefined;
  /** True when a glob that begins literally may match something inside this folder. */
  reachesInto: (folder: string) => boolean;
  /** Globs that are malformed or exceed a limit: such a glob matches only the path of exactly its text. */
  unusable: readonly string[];
}

type Matcher = (path: string) => boolean;

/** Globs come from the settings of a workspace. The limits keep compiling and matching within a few milliseconds. */
const MAX_GLOBS = 200;
const MAX_LENGTH = 300;
/** The sum of the lengths of globs that are compiled for RE2, in characters: RE2 compiles slowly. */
const MAX_LINEAR_LENGTH = 2000;

/** The lists that were compiled last, by their texts: a push needs the same two more than once, and mostly those of the push before. */
const recent = new RecentMap<string, Globs>(4);

/** Compiles globs once for many paths. */
export function compileGlobs(globs: readonly string[]): Globs {
  return recent.latest(JSON.stringify(globs), () => compileAll(globs));
}

function compileAll(globs: readonly string[]): Globs {
  const unusable: string[] = [];
  let linearLength = 0;
  const usable: { glob: string; matches: Matcher; start: string; depth: number }[] = [];
  /** The globs that match only their text, by that, and the folders that lead there. There may be very many. */
  const exact = new Map<string, string>();
  const folders = new Set<string>();
  for (const [index, glob] of globs.entries()) {
    const isShort = glob.length <= MAX_LENGTH;
    const { text, isName } = isShort ? normalise(glob) : { text: glob, isName: false };
    if (text === '') continue;
    if (isShort && !isSimple(text)) linearLength += text.length;
    const isBounded = isShort && index < MAX_GLOBS && linearLength <= MAX_LINEAR_LENGTH;
    const matcher = isBounded ? compile(text) : undefined;
    if (matcher) {
      const matches = isName ? (path: string) => matcher(nameOf(path)) : matcher;
      usable.push({ glob, matches, start: isName ? '' : literalStart(text), depth: depthOf(text) });
    } else {
      unusable.push(glob);
      if (!exact.has(text)) exact.set(text, glob);
      if (isShort && !isName) for (const folder of foldersTo(literalStart(text))) folders.add(folder);
    }
  }
  return {
    match: (path) => usable.find(({ matches }) => matches(path))?.glob ?? exact.get(path),
    reachesInto: (folder) =>
      folders.has(folder) ||
      usable.some(
        ({ start, depth }) =>
          start === folder ||
          start.startsWith(`${folder}/`) ||
          (start !== '' && folder.startsWith(`${start}/`) && depthOf(folder) < depth),
      ),
    unusable,
  };
}

/** How many segments a path has; infinitely many may match a glob with `**`, or with a group that has a slash. */
function depthOf(text: string): number {
  return /\*\*|[{(][^{}()/]*\//.test(text) ? Infinity : text.split('/').length;
}

/** A path and all folders above it. */
function foldersTo(path: string): string[] {
  const segments = path.split('/');
  return segments.map((_, at) => segments.slice(0, at + 1).join('/'));
}

/** Drops `./`, a leading and a trailing `/` and a final `/**` (a folder includes its contents). `isName`: it matches at any depth. */
function normalise(glob: string): { text: string; isName: boolean } {
  const written = glob.trim();
  const text = written.replace(/^(\.?\/)+/, '').replace(/(\/(\*\*)?)+$/, '');
  return { text: text === '.' ? '' : text, isName: !text.includes('/') && !/^\.?\//.test(written) };
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** Undefined for a glob that cannot be compiled. */
function compile(glob: string): Matcher | undefined {
  try {
    const negation = NEGATION.exec(glob);
    if (!negation) return isSimple(glob) ? backtracking(glob) : linear(glob);
    const [, start = '', body = '', end = ''] = negation;
    const [any, one] = [linear(`${start}*${end}`), linear(`${start}@(${body})${end}`)];
    return (path) => any(path) && !one(path);
  } catch {
    return undefined;
  }
}

/** One negated group, after a literal beginning. RE2 has no negation. */
const NEGATION = /^([^*?+()[\]{}@!\\]*)!\(([^()]*)\)([^()]*)$/;

/** Whether a backtracking expression matches the glob in no more than quadratic time: at most two wildcards, and none repeated. */
function isSimple(glob: string): boolean {
  return !/[()[\]+!\\]|\*\*.*\*\*/.test(glob) && (glob.match(/\*+|\{/g)?.length ?? 0) <= 2;
}

function backtracking(glob: string): Matcher {
  const expression = picomatch.makeRe(glob, PICOMATCH);
  // V8 compiles an expression when it is first used, and may refuse it only then.
  expression.test('');
  return (path) => expression.test(path);
}

/** Lookahead of picomatch that excludes empty names, `.` and `..`, which no path here contains. RE2 has no lookahead. */
const GUARDS = /\(\?!(?:\(\?:\^\|\\\/\))?\\\.\{1,2\}\(\?:\\\/\|\$\)\)|\(\?=\.\)/g;

/** Matches in time linear in the length of the path, whatever the glob. */
function linear(glob: string): Matcher {
  const expression = RE2JS.compile(picomatch.makeRe(glob, PICOMATCH).source.replace(GUARDS, ''));
  return (path) => expression.matches(path);
}

const PICOMATCH = { dot: true, nonegate: true };

/** The segments before the first one with a wildcard; the whole glob when there is none. */
function literalStart(glob: string): string {
  const segments = glob.split('/');
  const wild = segments.findIndex((segment) => /[*?[\]{}()!+@|\\]/.test(segment));
  return (wild < 0 ? segments : segments.slice(0, wild)).join('/');
}
