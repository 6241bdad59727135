import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
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
  const home = homedir();
  if (platform === 'win32')
    return path.join(env['LOCALAPPDATA'] ?? path.join(home, 'AppData', 'Local'), 'Sideload Pushes');
  if (platform === 'darwin') return path.join(home, 'Library', 'Application Support', 'Sideload Pushes');
  const base = env['XDG_STATE_HOME'];
  return path.join(base && path.isAbsolute(base) ? base : path.join(home, '.local', 'state'), 'sideload', 'pushes');
}

/** The folder about one browser. Its name is a digest, because the id of a browser lets people who have a token act in it. */
export async function browserFolder(shared: string, browser: BrowserKey): Promise<string> {
  const folder = path.join(shared, shortDigest(browser));
  await mkdir(folder, { recursive: true, mode: OWNER_ONLY_FOLDER });
  return folder;
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
