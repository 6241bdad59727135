import picomatch from 'picomatch';

/**
 * A list of globs over paths relative to the extension folder, always with `/`.
 * A glob without `/` matches a name at any depth; a glob with `/` is anchored at the folder. A glob that matches a folder includes
 * everything below it. Names that begin with a dot are matched like any other.
 */
export interface Globs {
  /** The first glob that matches this very path, if any. */
  match: (path: string) => string | undefined;
  /** True when the literal beginning of a glob is inside this folder. */
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

/** Drops `./`, a leading and a trailing `/` and a final `/**` (a folder includes its contents); a bare name matches at any depth. */
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
    // Globs come from settings: a glob that is too long or malformed matches the path of exactly this text.
    return (path) => path === glob;
  }
}

/** The segments before the first one with a wildcard; the whole glob when there is none. */
function literalStart(glob: string): string {
  const segments = glob.split('/');
  const wild = segments.findIndex((segment) => /[*?[\]{}()!+@|\\]/.test(segment));
  return (wild < 0 ? segments : segments.slice(0, wild)).join('/');
}
