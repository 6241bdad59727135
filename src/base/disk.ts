import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname, isAbsolute, posix, relative, sep, win32 } from 'node:path';

/** Does not block on a pipe. Windows does not have the flag. */
export const NONBLOCKING = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/**
 * The content of a regular file of at most `maxBytes`, to which a link may lead. Undefined for everything else: pipes, devices and
 * sockets are never waited for. Never rejects.
 */
export async function readRegularFile(path: string, maxBytes: number): Promise<Buffer | undefined> {
  try {
    const file = await open(path, NONBLOCKING);
    try {
      const stats = await file.stat();
      if (!stats.isFile() || stats.size > maxBytes) return undefined;
      const { buffer, bytesRead } = await file.read(Buffer.alloc(stats.size), 0, stats.size, 0);
      return buffer.subarray(0, bytesRead);
    } finally {
      await file.close();
    }
  } catch {
    return undefined;
  }
}

/** A path as people and reports name it: relative to a folder, with `/`, and `.` for the folder itself. */
export function pathFrom(folder: string, path: string): string {
  const below = relative(folder, path);
  return below === '' ? '.' : below.split(sep).join('/');
}

/** Whether `path` is `folder` or inside it. Both absolute. */
export function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** `folder` and the folders above it, up to `root`, the nearest first; none when it is not within `root`. All absolute. */
export function* foldersUp(folder: string, root: string): Generator<string> {
  for (let at = folder; isWithin(root, at); at = dirname(at)) {
    yield at;
    if (at === dirname(at)) return;
  }
}

/** `text` as a part of the name of a file: other characters than letters, digits, `.`, `_` and `-` become a `-`. */
export function inFileName(text: string): string {
  return text.replaceAll(/[^\p{L}\p{N}._-]+/gu, '-');
}

/**
 * Whether two absolute paths are the same to a system: the disks of Windows and macOS mostly take no account of case, and programs on Windows do not agree
 * on that of a drive.
 */
export function isSamePath(one: string, other: string, platform = process.platform): boolean {
  const paths = platform === 'win32' ? win32 : posix;
  const spelled = (path: string): string => (platform === 'darwin' ? path.normalize().toLowerCase() : path);
  return paths.relative(spelled(one), spelled(other)) === '';
}
