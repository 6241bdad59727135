import { rename as renameAtOnce } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { isFileError } from './httpErrors';

/** How often and at which interval, in milliseconds, a file that another program has open is tried: a virus scanner looks at each new one. */
const ATTEMPTS = 20;
const RETRY_MS = 50;

/** Where files are, and how time passes, other than in tests here. */
interface Patience {
  platform?: NodeJS.Platform;
  pause?: (ms: number) => Promise<unknown>;
}

/**
 * Does something with files that `act` may do several times. Windows refuses to rename, replace or read many a file that another program has open, so there
 * it is tried for a second.
 */
export async function patiently<T>(
  act: () => Promise<T>,
  { platform = process.platform, pause = delay }: Patience = {},
): Promise<T> {
  for (let count = 1; ; count += 1) {
    try {
      return await act();
    } catch (error) {
      const isOpen = platform === 'win32' && isFileError(error, 'EACCES', 'EBUSY', 'EPERM');
      if (!isOpen || count === ATTEMPTS) throw error;
      await pause(RETRY_MS);
    }
  }
}

/** Renames a file or folder, over another file if need be, patiently. */
export function rename(from: string, to: string): Promise<void> {
  return patiently(() => renameAtOnce(from, to));
}
