import * as l10n from '@vscode/l10n';
import fs, { closeSync, constants, fstatSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { LARGE_BYTES } from './compress';
import { ArchiveError, systemCode } from './error';
import type { SelectedFile } from './selection';

/** Does not follow a link, and does not block on a pipe, that has replaced the file. Windows has neither flag. */
const OPEN_FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** The functions in `node:fs/promises` take twice the time. */
const open = promisify(fs.open);
const read = promisify(fs.read);

/** An open file of this size is read at once: a thread of the pool takes several times as long to start. */
const MAX_SYNC_BYTES = 64 * 1024;

/**
 * The content of a file exactly as it was selected. Size and time are compared before and after reading, so that a file that a bundler
 * is writing is never packed half-written; every failure is an {@link ArchiveError} that names the file.
 *
 * Only what may wait long for a disk is passed to the thread pool: to open a file, and to read a large one. The other calls take
 * microseconds, and a tenth of the time that it takes to wake a thread for them (measured: 1,000 files of 4 kB in a quarter of the time).
 */
export async function readSelected(folder: string, selected: SelectedFile): Promise<Uint8Array> {
  try {
    const file = await open(join(folder, selected.path), OPEN_FLAGS);
    try {
      requireSame(file, selected);
      const content = new Uint8Array(memoryFor(selected.size));
      if (!(await fill(content, file))) throw changed(selected.path);
      requireSame(file, selected);
      return content;
    } finally {
      closeSync(file);
    }
  } catch (error) {
    throw error instanceof ArchiveError ? error : failed(selected.path, error);
  }
}

/** Large contents are shared with the thread that compresses them: copying 200 MB would hold the extension host. */
function memoryFor(bytes: number): ArrayBufferLike {
  return bytes < LARGE_BYTES ? new ArrayBuffer(bytes) : new SharedArrayBuffer(bytes);
}

function requireSame(file: number, selected: SelectedFile): void {
  const now = fstatSync(file);
  if (!now.isFile() || now.size !== selected.size || now.mtimeMs !== selected.mtimeMs) throw changed(selected.path);
}

/** Fills `content` with the beginning of a file. False when the file is shorter. */
async function fill(content: Uint8Array, file: number): Promise<boolean> {
  let length = 0;
  while (length < content.length) {
    const bytesRead =
      content.length <= MAX_SYNC_BYTES
        ? readSync(file, content, length, content.length - length, null)
        : (await read(file, content, length, content.length - length, null)).bytesRead;
    if (bytesRead === 0) return false;
    length += bytesRead;
  }
  return true;
}

function changed(path: string): ArchiveError {
  return new ArchiveError(
    'changed',
    path,
    l10n.t('{0} changed while it was being packed. Push again when the build is done.', path),
  );
}

function failed(path: string, cause: unknown): ArchiveError {
  const code = systemCode(cause);
  switch (code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return new ArchiveError(
        'gone',
        path,
        l10n.t('{0} was deleted while it was being packed. Push again when the build is done.', path),
        { cause },
      );
    case 'ELOOP':
    case 'EISDIR':
      return new ArchiveError(
        'changed',
        path,
        l10n.t('{0} is no longer a regular file. Push again when the build is done.', path),
        { cause },
      );
    default:
      return new ArchiveError(
        'unreadable',
        path,
        l10n.t('{0} cannot be read ({1}). Check its permissions, or exclude it.', path, code),
        { cause },
      );
  }
}
