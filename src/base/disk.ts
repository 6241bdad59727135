import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { isAbsolute, relative, sep } from 'node:path';

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

/** Whether `path` is `folder` or inside it. Both absolute. */
export function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
