import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import picomatch from 'picomatch';

export interface LocateOptions {
  signal?: AbortSignal;
}

/** Where build tools and people put an extension, most finished first; each segment is a glob. */
const PLACES = [
  '.',
  '.output/chrome-mv3*',
  'build/chrome-mv3*',
  'dist*',
  'dist*/chrom*',
  'build',
  'build/chrom*',
  'out',
  'extension',
  'app',
  'src',
] as const;

/** Where the packages of a monorepo are; each may hold an extension at any of the places above. */
const PACKAGES = ['packages/*', 'apps/*'] as const;

/** A manifest is far smaller; this only keeps a file that is none from being read whole. */
const MAX_MANIFEST_BYTES = 4 * 1024 * 1024;

/** Read as text and not parsed: a manifest with a syntax error is still the manifest, and is what the user wants to be told about. */
const MANIFEST_VERSION_KEY = /"manifest_version"\s*:/;

/**
 * The folders below a workspace root that hold an extension: a `manifest.json` that has a `manifest_version` (a web app's has none).
 * Absolute paths in the order of preference, each folder once also when a link leads to it; empty when there is none. With several
 * the user has to choose, because a manifest in the root can be the source of the one in `dist`. Parts that cannot be read count as
 * absent; never looks into `node_modules`.
 */
export async function locateExtensionFolders(root: string, { signal }: LocateOptions = {}): Promise<string[]> {
  const base = resolve(root);
  const bases = [base];
  for (const place of PACKAGES) bases.push(...(await expand(base, place)));
  const found = new Map<string, string>();
  for (const candidate of bases) {
    for (const place of PLACES) {
      for (const folder of await expand(candidate, place)) {
        signal?.throwIfAborted();
        const real = await realpath(folder).catch(() => folder);
        if (!found.has(real) && (await holdsExtension(folder))) found.set(real, folder);
      }
    }
  }
  return [...found.values()];
}

/** The existing folders that a place stands for, sorted by name. */
async function expand(base: string, place: string): Promise<string[]> {
  let folders = [base];
  for (const segment of place === '.' ? [] : place.split('/')) {
    const lists = await Promise.all(folders.map((folder) => children(folder, segment)));
    folders = lists.flat();
  }
  return folders;
}

async function children(folder: string, segment: string): Promise<string[]> {
  const matches = picomatch(segment);
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.name !== 'node_modules' && matches(entry.name))
    .filter((entry) => entry.isDirectory() || entry.isSymbolicLink())
    .map((entry) => join(folder, entry.name))
    .sort();
}

async function holdsExtension(folder: string): Promise<boolean> {
  const path = join(folder, 'manifest.json');
  try {
    // Asked before reading: reading a pipe of that name would wait for its other end.
    const stats = await stat(path);
    if (!stats.isFile() || stats.size > MAX_MANIFEST_BYTES) return false;
    return MANIFEST_VERSION_KEY.test(await readFile(path, 'utf8'));
  } catch {
    return false;
  }
}
