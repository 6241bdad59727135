import { lstat, readdir } from 'node:fs/promises';
import path from 'node:path';
import { isId } from './randomId';
import { removeFolder } from './removeFolder';

/** A request lasts for ten minutes at most, so what is older belongs to none of this or of another service. */
const ABANDONED_AFTER_MS = 24 * 60 * 60 * 1000;

/** Removes the uploads and downloads that killed services have left in the folder for them; one that cannot be removed is passed over. */
export async function removeAbandonedTransfers(spoolFolder: string): Promise<void> {
  await removeAbandoned(spoolFolder, await readdir(spoolFolder), (name) => isId(name.replace(/\.tar$/, '')));
}

/**
 * Removes what killed services have left in a folder of records: drafts of records, and what is named by the id of one that is not there. What
 * cannot be removed is passed over.
 */
export async function removeAbandonedFiles(recordFolder: string): Promise<void> {
  const names = await readdir(recordFolder).catch((): string[] => []);
  const records = new Set(names.filter((name) => name.endsWith('.json')).map((name) => name.split('.', 1)[0]));
  await removeAbandoned(recordFolder, names, (name) => {
    const [id = '', ...rest] = name.split('.');
    const isDraft = rest[0] === 'json' && rest.at(-1) === 'tmp';
    return isId(id) && (isDraft || !records.has(id));
  });
}

async function removeAbandoned(
  folder: string,
  names: readonly string[],
  isOurs: (name: string) => boolean,
): Promise<void> {
  for (const name of names.filter(isOurs)) {
    const entry = path.join(folder, name);
    const stats = await lstat(entry).catch(() => undefined);
    const isAbandoned = stats !== undefined && Date.now() - stats.mtimeMs > ABANDONED_AFTER_MS;
    if (isAbandoned) await removeFolder(entry).catch(() => undefined);
  }
}
