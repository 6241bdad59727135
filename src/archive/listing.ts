import type { Stats } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { ArchiveError, systemCode } from './error';
import { unsafeName } from './names';

/** An entry of a folder. `stats` is missing for a name that is unsafe: the system may not find it again under the name it gave. */
export interface Entry {
  name: string;
  stats?: Stats;
}

/** The entries of one folder below `root`; a phrase when it cannot be read. `root` itself (path `''`) must be readable. */
export async function listFolder(root: string, path: string): Promise<Entry[] | string> {
  try {
    const names = await readdir(join(root, path));
    const entries = await Promise.all(names.map((name) => inspect(join(root, path), name)));
    return entries.filter((found) => found !== undefined);
  } catch (error) {
    const code = systemCode(error);
    if (path !== '') return `cannot be read (${code})`;
    throw new ArchiveError('folder', root, folderSentence(root, code), { cause: error });
  }
}

/** What the system says of a path that is not there, or no longer by way of folders alone. */
const GONE = ['ENOENT', 'ENOTDIR', 'ELOOP'];

/** One entry of the folder `parent`; undefined when it is not there (any more). */
export async function inspect(parent: string, name: string): Promise<Entry | undefined> {
  if (unsafeName(name) !== undefined) return { name };
  try {
    return { name, stats: await lstat(join(parent, name)) };
  } catch (error) {
    if (GONE.includes(systemCode(error))) return undefined;
    throw error;
  }
}

/** Why an entry cannot be packed although no rule leaves it out, as a phrase. */
export function entryRefusal({ name, stats }: Entry): string | undefined {
  const unsafe = unsafeName(name);
  if (unsafe !== undefined) return unsafe;
  if (!stats) return 'its name cannot be used';
  if (stats.isSymbolicLink()) return 'symbolic links are never followed; put the file itself there';
  return stats.isFile() || stats.isDirectory() ? undefined : 'not a regular file';
}

function folderSentence(folder: string, code: string): string {
  if (code === 'ENOENT')
    return `The extension folder ${folder} does not exist. Choose another folder or build the extension first.`;
  if (code === 'ENOTDIR') return `${folder} is a file. Choose the folder that holds manifest.json.`;
  return `The extension folder ${folder} cannot be read (${code}). Check its permissions.`;
}
