import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { isFileError } from './httpErrors';

/** The records of the service have a few hundred bytes. */
const MAX_BYTES = 1024 * 1024;

/** A path at which the service writes files, but at which something else was found. */
export class NotOwnFileError extends Error {
  constructor(file: string) {
    super(`${file} is not a file that this service has written`);
    this.name = 'NotOwnFileError';
  }
}

/**
 * Reads a small file that the service has written: a record, a lock, a process id. Returns `undefined` when it is missing. Never waits and
 * never follows a link: rejects with `NotOwnFileError` for a folder, a link, a pipe, a device or a file of more than 1 MiB, and with the
 * system's error for a file that cannot be read.
 */
export async function readOwnFile(file: string): Promise<string | undefined> {
  try {
    // On Windows the last two are undefined, which counts as 0. O_NONBLOCK opens a pipe without waiting for its writer.
    const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
    try {
      const stats = await handle.stat();
      if (!stats.isFile() || stats.size > MAX_BYTES) throw new NotOwnFileError(file);
      return await handle.readFile('utf8');
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (isFileError(error, 'ENOENT')) return undefined;
    // A link, a socket, a folder on Windows.
    if (isFileError(error, 'ELOOP', 'ENXIO', 'EISDIR')) throw new NotOwnFileError(file);
    throw error;
  }
}
