import { access, open, rm } from 'node:fs/promises';
import { errorMessage } from '../base/errorMessage';
import { succeeds } from '../base/succeeds';
import { UsageError } from './cliOptions';

/**
 * Finds out whether a file can be written, before the work begins. Leaves no file: an empty one would be read as a report when that fails.
 * @throws UsageError
 */
export async function checkWritable(path: string): Promise<void> {
  try {
    const isThere = await succeeds(access(path));
    await (await open(path, 'a')).close();
    if (!isThere) await rm(path);
  } catch (error) {
    const reason = errorMessage(error);
    throw new UsageError(`The file cannot be written: ${reason}. Name a file in a folder that exists.`);
  }
}
