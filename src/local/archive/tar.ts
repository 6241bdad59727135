import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { internalError, messageOf } from '../httpErrors';

/** Writes a folder's content into a tar archive with the `tar` of Linux, macOS and Windows; 500 without one. */
export async function packTar(folder: string, archive: string): Promise<void> {
  try {
    await promisify(execFile)('tar', ['-c', '-f', archive, '-C', folder, '.'], { windowsHide: true });
  } catch (error) {
    throw internalError(`The tar of this machine could not write the archive: ${messageOf(error)}`);
  }
}
