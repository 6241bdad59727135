import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { ArchiveError, systemCode } from './error';
import type { SelectedFile } from './selection';

/** Opened without following a link that took the file's place, and without waiting on a pipe that did. Windows knows neither. */
const OPEN_FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/**
 * The content of a file exactly as it was selected. Size and time are compared before and after reading, so that a file a bundler is
 * still writing is never packed half; every failure is an {@link ArchiveError} that names the file.
 */
export async function readSelected(folder: string, selected: SelectedFile): Promise<Uint8Array> {
  try {
    const file = await open(join(folder, selected.path), OPEN_FLAGS);
    try {
      const before = await file.stat();
      if (!before.isFile() || !isSame(before, selected)) throw changed(selected.path);
      const content = await file.readFile();
      if (content.byteLength !== selected.size || !isSame(await file.stat(), selected)) throw changed(selected.path);
      return content;
    } finally {
      await file.close();
    }
  } catch (error) {
    throw error instanceof ArchiveError ? error : failed(selected.path, error);
  }
}

function isSame(now: { size: number; mtimeMs: number }, selected: SelectedFile): boolean {
  return now.size === selected.size && now.mtimeMs === selected.mtimeMs;
}

function changed(path: string): ArchiveError {
  return new ArchiveError(
    'changed',
    path,
    `${path} changed while it was being packed. Push again when the build is done.`,
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
        `${path} vanished while it was being packed. Push again when the build is done.`,
        { cause },
      );
    case 'ELOOP':
    case 'EISDIR':
      return new ArchiveError(
        'changed',
        path,
        `${path} is no longer a regular file. Push again when the build is done.`,
        { cause },
      );
    default:
      return new ArchiveError(
        'unreadable',
        path,
        `${path} cannot be read (${code}). Check its permissions, or exclude it.`,
        { cause },
      );
  }
}
