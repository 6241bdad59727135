import * as l10n from '@vscode/l10n';
import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { LARGE_BYTES } from './compress';
import { ArchiveError, systemCode } from './error';
import type { SelectedFile } from './selection';

/** Does not follow a link, and does not block on a pipe, that has replaced the file. Windows has neither flag. */
const OPEN_FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/**
 * The content of a file exactly as it was selected. Size and time are compared before and after reading, so that a file that a bundler
 * is writing is never packed half-written; every failure is an {@link ArchiveError} that names the file.
 */
export async function readSelected(folder: string, selected: SelectedFile): Promise<Uint8Array> {
  try {
    const file = await open(join(folder, selected.path), OPEN_FLAGS);
    try {
      await requireSame(file, selected);
      const content = new Uint8Array(memoryFor(selected.size));
      if (!(await fill(content, file))) throw changed(selected.path);
      await requireSame(file, selected);
      return content;
    } finally {
      await file.close();
    }
  } catch (error) {
    throw error instanceof ArchiveError ? error : failed(selected.path, error);
  }
}

/** Large contents are shared with the thread that compresses them: copying 200 MB would hold the extension host. */
function memoryFor(bytes: number): ArrayBufferLike {
  return bytes < LARGE_BYTES ? new ArrayBuffer(bytes) : new SharedArrayBuffer(bytes);
}

async function requireSame(file: FileHandle, selected: SelectedFile): Promise<void> {
  const now = await file.stat();
  if (!now.isFile() || now.size !== selected.size || now.mtimeMs !== selected.mtimeMs) throw changed(selected.path);
}

/** Fills `content` with the beginning of a file. False when the file is shorter. */
async function fill(content: Uint8Array, file: FileHandle): Promise<boolean> {
  let length = 0;
  while (length < content.length) {
    const { bytesRead } = await file.read(content, length);
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
