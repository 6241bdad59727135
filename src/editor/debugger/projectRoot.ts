import { access, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { succeeds } from '../../base/succeeds';
import { foldersUp } from '../../base/disk';

/**
 * The folder relative to which bundlers name the sources of a build: the nearest one with a `package.json` at or above the extension folder,
 * within the workspace folder `root`; else `root`. Never rejects.
 */
export async function projectRoot(folder: string, root: string): Promise<string> {
  for (const at of foldersUp(folder, root)) if (await succeeds(access(join(at, 'package.json')))) return at;
  return root;
}

/**
 * What a source of a build may begin with that is named from a folder above, with the absolute path of each: the names in the folders above the
 * extension folder, up to the workspace folder `root`, the nearest first. Parcel names sources from the folder of its lock file, and says
 * nowhere which one that is. Names that the extension folder has as well are its own. Never rejects.
 */
export async function namesAbove(folder: string, root: string): Promise<ReadonlyMap<string, string>> {
  const own = new Set(await namesIn(folder));
  const found = new Map<string, string>();
  for (const above of foldersUp(dirname(folder), root)) {
    for (const name of await namesIn(above)) {
      if (!own.has(name) && !found.has(name)) found.set(name, join(above, name));
    }
  }
  return found;
}

async function namesIn(folder: string): Promise<readonly string[]> {
  return readdir(folder).catch(() => []);
}
