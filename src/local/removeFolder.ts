import type { Dirent } from 'node:fs';
import { chmod, lstat, readdir, rmdir, unlink } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isFileError } from './httpErrors';

/** What the owner needs to list and empty a folder. */
const OWNER_ALL = 0o700;
/** Where another program still has a file open or writes one, mostly on Windows, the folder is tried again. */
const PASSING = ['EBUSY', 'EMFILE', 'ENFILE', 'ENOTEMPTY', 'EPERM'];
const ATTEMPTS = 5;
const RETRY_MS = 100;

/**
 * Removes a folder of the service with all its content; does nothing when it is missing. Permissions that keep the owner out are changed on
 * the way, since clients may set any. Links are removed, not followed, and other file systems that are mounted in the folder are left alone.
 * When it rejects, with the first obstacle, everything that can be removed is gone.
 * @param last the name of an entry that is removed after all others, and stays as long as one of them does.
 */
export async function removeFolder(folder: string, last?: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const stats = await lstat(folder);
      return await (stats.isDirectory() ? removeTree(folder, stats.dev, last) : unlink(folder));
    } catch (error) {
      if (isFileError(error, 'ENOENT')) return;
      if (attempt === ATTEMPTS || !isFileError(error, ...PASSING)) throw error;
      await delay(RETRY_MS);
    }
  }
}

async function removeTree(folder: string, device: number, last?: string): Promise<void> {
  const { dev, mode } = await lstat(folder);
  if (dev !== device) throw new Error(`another file system is mounted at ${folder}`);
  if ((mode & OWNER_ALL) !== OWNER_ALL) await chmod(folder, OWNER_ALL);
  const entries = await readdir(folder, { withFileTypes: true });
  const others = entries.filter(({ name }) => name !== last);
  const removed = await Promise.allSettled(others.map((entry) => removeEntry(folder, entry, device)));
  const failed = removed.find((result) => result.status === 'rejected');
  if (failed) throw failed.reason;
  for (const entry of entries) if (entry.name === last) await removeEntry(folder, entry, device);
  await rmdir(folder);
}

async function removeEntry(folder: string, entry: Dirent, device: number): Promise<void> {
  const file = path.join(folder, entry.name);
  try {
    await (entry.isDirectory() ? removeTree(file, device) : unlink(file));
  } catch (error) {
    if (!isFileError(error, 'ENOENT')) throw error;
  }
}
