import { opendir, realpath } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import picomatch from 'picomatch';
import { isWithin, readRegularFile } from '../base/disk';

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

/** Where else an extension may be: in any folder of the root, and in any folder of one of those. */
const ELSEWHERE = ['*', '*/*'] as const;

/** The package folders of a monorepo; each may hold an extension in any of the folders above. */
const PACKAGES = ['packages/*', 'apps/*'] as const;

/** A manifest is far smaller; a larger file is something else and is not read. */
const MAX_MANIFEST_BYTES = 2 * 1024 * 1024;

/** A monorepo has fewer packages. */
const MAX_FOLDERS = 100;

/** So many folders of one depth are searched at most. */
const MAX_SEARCHED = 1000;

/** Entries of a folder that are read in one piece. */
const ENTRIES_AT_ONCE = 256;

/** The manifest is not parsed: one with a syntax error must be found, so that the error can be reported. */
const MANIFEST_VERSION_KEY = /"manifest_version"\s*:/;

/**
 * The folders below a workspace root that hold an extension: a `manifest.json` with a `manifest_version` (the manifest of a web app
 * has none). Absolute paths in the order of preference; a folder with several paths, through links, is returned once, and one outside of
 * the root, through a link, not at all. When there are several folders the user has to choose, because a manifest in the root can be the source of the one in `dist`. Unreadable folders
 * count as absent; `node_modules` is never searched.
 */
export async function locateExtensionFolders(root: string, signal?: AbortSignal): Promise<string[]> {
  const base = resolve(root);
  const bases = [base];
  for (const place of PACKAGES) bases.push(...(await expand(base, place)));
  return await search(base, bases, PLACES, signal);
}

/**
 * The folders with an extension in the first two levels of a workspace root, hidden ones left out, in any place: for a question which one is
 * meant, when none is in the usual places. It may be a fixture of tests, so even the only one is not taken without a question.
 */
export async function locateElsewhere(root: string): Promise<string[]> {
  const base = resolve(root);
  return await search(base, [base], ELSEWHERE);
}

/** The folders with an extension in some places of some folders of a root, each once. */
async function search(
  root: string,
  bases: readonly string[],
  places: readonly string[],
  signal?: AbortSignal,
): Promise<string[]> {
  const realRoot = await realpath(root).catch(() => root);
  const found = new Map<string, string>();
  for (const base of bases) {
    for (const place of places) {
      for (const folder of await expand(base, place)) {
        signal?.throwIfAborted();
        const real = await realpath(folder).catch(() => folder);
        const isNew = isWithin(realRoot, real) && !found.has(real);
        if (isNew && (await holdsExtension(folder))) found.set(real, folder);
      }
    }
  }
  return [...found.values()];
}

/** The existing folders that match a place, sorted by name. */
async function expand(base: string, place: string): Promise<string[]> {
  let folders = [base];
  for (const segment of place === '.' ? [] : place.split('/')) {
    const matches = picomatch(segment);
    const found: string[] = [];
    for (const folder of folders) {
      if (found.length < MAX_SEARCHED) found.push(...(await children(folder, matches)));
    }
    folders = found;
  }
  return folders;
}

/** The first {@link MAX_FOLDERS} folders with a name that matches, sorted. */
async function children(folder: string, matches: (name: string) => boolean): Promise<string[]> {
  const found: string[] = [];
  try {
    for await (const entry of await opendir(folder, { bufferSize: ENTRIES_AT_ONCE })) {
      if (entry.name === 'node_modules' || !matches(entry.name)) continue;
      if (entry.isDirectory() || entry.isSymbolicLink()) found.push(join(folder, entry.name));
      if (found.length === MAX_FOLDERS) break;
    }
  } catch {
    // The folder does not exist or cannot be read.
  }
  return found.sort();
}

/** Whether each of these folders holds an extension and is in the root, also where a link leads, without a search of the root. */
export async function holdExtensions(root: string, folders: readonly string[]): Promise<boolean> {
  const realRoot = await realpath(root).catch(() => root);
  const hold = folders.map(async (folder) => {
    const real = await realpath(folder).catch(() => undefined);
    return real !== undefined && isWithin(realRoot, real) && (await holdsExtension(folder));
  });
  return (await Promise.all(hold)).every(Boolean);
}

/** Whether a folder has a `manifest.json` with a `manifest_version`. */
export async function holdsExtension(folder: string): Promise<boolean> {
  const content = await readRegularFile(join(folder, 'manifest.json'), MAX_MANIFEST_BYTES);
  return content !== undefined && MANIFEST_VERSION_KEY.test(content.toString('utf8'));
}
