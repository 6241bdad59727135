import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { internal, messageOf } from '../errors';

/** Writes a folder's content into a tar archive, by the `tar` that Linux, macOS and Windows bring along. 500 without one. */
export async function packTar(folder: string, archive: string): Promise<void> {
  try {
    await promisify(execFile)('tar', ['-c', '-f', archive, '-C', folder, '.'], { windowsHide: true });
  } catch (error) {
    throw internal(`The archive could not be made by this machine's tar: ${messageOf(error)}`);
  }
}
