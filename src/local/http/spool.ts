import { lstat, readdir } from 'node:fs/promises';
import path from 'node:path';
import { isId } from '../randomId';
import { removeFolder } from '../removeFolder';

/** A request lasts for ten minutes at most, so what is older belongs to none of this or of another service. */
const ABANDONED_AFTER_MS = 24 * 60 * 60 * 1000;

/** Removes the uploads and downloads that killed services have left in the folder for them; one that cannot be removed is passed over. */
export async function removeAbandoned(spoolFolder: string): Promise<void> {
  for (const name of await readdir(spoolFolder)) {
    const entry = path.join(spoolFolder, name);
    const stats = await lstat(entry).catch(() => undefined);
    const isAbandoned = stats !== undefined && Date.now() - stats.mtimeMs > ABANDONED_AFTER_MS;
    if (isAbandoned && isId(name.replace(/\.tar$/, ''))) await removeFolder(entry).catch(() => undefined);
  }
}
