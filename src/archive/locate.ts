import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import picomatch from 'picomatch';

export interface LocateOptions {
  signal?: AbortSignal;
}

/** The usual folders of an extension, build outputs before sources; each segment is a glob. */
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

/** The package folders of a monorepo; each may hold an extension in any of the folders above. */
const PACKAGES = ['packages/*', 'apps/*'] as const;

/** A manifest is far smaller; a larger file is something else and is not read. */
const MAX_MANIFEST_BYTES = 4 * 1024 * 1024;

/** The manifest is not parsed: one with a syntax error must be found, so that the error can be reported. */
const MANIFEST_VERSION_KEY = /"manifest_version"\s*:/;

/**
 * The folders below a workspace root that hold an extension: a `manifest.json` with a `manifest_version` (the manifest of a web app
 * has none). Absolute paths in the order of preference; a folder with several paths, through links, is returned once. When there are
 * several folders the user has to choose, because a manifest in the root can be the source of the one in `dist`. Unreadable folders
 * count as absent; `node_modules` is never searched.
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

/** The existing folders that match a place, sorted by name. */
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
    // Checked before reading: reading a named pipe would block until it has a writer.
    const stats = await stat(path);
    if (!stats.isFile() || stats.size > MAX_MANIFEST_BYTES) return false;
    return MANIFEST_VERSION_KEY.test(await readFile(path, 'utf8'));
  } catch {
    return false;
  }
}
