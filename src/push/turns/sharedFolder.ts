import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { type Clock, realClock } from '../../base/clock';
import type { BrowserKey } from '../../service/browserKey';
import { shortDigest } from '../folderName';

/** Permissions of files that are the user's only, and of their folders. */
export const OWNER_ONLY = 0o600;
const OWNER_ONLY_FOLDER = 0o700;

/** What was not used for so long is about a browser that has ended, in milliseconds. */
const KEPT_MS = 7 * 24 * 60 * 60 * 1000;

/**
 * The folder in which the programs of one user on one machine, windows and others, leave what they know of pushes: the operating system's
 * folder for the state of programs.
 */
export function sharedFolder(env: NodeJS.ProcessEnv = process.env, platform = process.platform): string {
  const paths = platform === 'win32' ? path.win32 : path.posix;
  const home = homedir();
  if (platform === 'win32')
    return paths.join(env['LOCALAPPDATA'] ?? paths.join(home, 'AppData', 'Local'), 'Sideload Pushes');
  if (platform === 'darwin') return paths.join(home, 'Library', 'Application Support', 'Sideload Pushes');
  const base = env['XDG_STATE_HOME'];
  return paths.join(base && paths.isAbsolute(base) ? base : paths.join(home, '.local', 'state'), 'sideload', 'pushes');
}

/** The folder about one browser. Its name is a digest, because the id of a browser lets people who have a token act in it. */
export async function browserFolder(shared: string, browser: BrowserKey): Promise<string> {
  const folder = path.join(shared, shortDigest(browser));
  await mkdir(folder, { recursive: true, mode: OWNER_ONLY_FOLDER });
  return folder;
}

/** How often and at which interval, in milliseconds, a file is tried that another program has open. */
const ATTEMPTS = 10;
const RETRY_MS = 20;

/** Renames or removes a file by `act`. Windows refuses that while another program, such as a virus scanner, has it open, so there it is tried again. */
export async function patiently<T>(
  act: () => Promise<T>,
  clock: Pick<Clock, 'delay'> = realClock,
  platform = process.platform,
): Promise<T> {
  for (let count = 1; ; count++) {
    try {
      return await act();
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : undefined;
      const isOpen = platform === 'win32' && (code === 'EACCES' || code === 'EBUSY' || code === 'EPERM');
      if (!isOpen || count === ATTEMPTS) throw error;
      await clock.delay(RETRY_MS);
    }
  }
}

/** Removes what is about browsers that nothing was pushed to for a week. Never rejects. */
export async function sweep(shared: string): Promise<void> {
  const names = await readdir(shared).catch(() => []);
  for (const name of names.filter((one) => /^[0-9a-f]+$/.test(one))) {
    const folder = path.join(shared, name);
    const stats = await stat(folder).catch(() => undefined);
    if (!stats?.isDirectory() || Date.now() - stats.mtimeMs < KEPT_MS) continue;
    await rm(folder, { recursive: true, force: true }).catch(() => undefined);
  }
}
