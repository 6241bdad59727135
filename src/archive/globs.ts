import picomatch from 'picomatch';

/**
 * A list of globs over paths relative to the extension folder, always with `/`.
 * A glob without `/` matches a name at any depth; one with `/` is anchored at the folder. A glob that matches a folder stands for all
 * that is in it. Names that begin with a dot are matched like any other.
 */
export interface Globs {
  /** The first glob that matches this very path, if any. */
  match: (path: string) => string | undefined;
  /** True when a glob names, by its literal beginning, something inside this folder. */
  reachesInto: (folder: string) => boolean;
}

/** Compiles globs once for many paths. A glob that cannot be compiled is treated as a literal path. */
export function compileGlobs(globs: readonly string[]): Globs {
  const compiled = globs
    .map((glob) => ({ glob, normal: normalise(glob) }))
    .filter(({ normal }) => normal !== '')
    .map(({ glob, normal }) => ({ glob, matches: compile(normal), start: literalStart(normal) }));
  return {
    match: (path) => compiled.find(({ matches }) => matches(path))?.glob,
    reachesInto: (folder) => compiled.some(({ start }) => start === folder || start.startsWith(`${folder}/`)),
  };
}

/** Drops `./`, a leading and a trailing `/`, `/**` at the end (a folder stands for its content), and gives bare names any depth. */
function normalise(glob: string): string {
  const path = glob
    .trim()
    .replace(/^(\.?\/)+/, '')
    .replace(/(\/(\*\*)?)+$/, '');
  if (path === '' || path === '.') return '';
  const anchored = path.includes('/') || /^(\.?\/)/.test(glob.trim());
  return anchored ? path : `**/${path}`;
}

function compile(glob: string): (path: string) => boolean {
  try {
    return picomatch(glob, { dot: true, nonegate: true });
  } catch {
    // A glob is a user's setting: too long or malformed ones still mean something when taken as they are written.
    return (path) => path === glob;
  }
}

/** The segments before the first one with a wildcard; the whole glob when there is none. */
function literalStart(glob: string): string {
  const segments = glob.split('/');
  const wild = segments.findIndex((segment) => /[*?[\]{}()!+@|\\]/.test(segment));
  return (wild < 0 ? segments : segments.slice(0, wild)).join('/');
}
