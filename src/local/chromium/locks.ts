import { lstat, readdir, readlink, rm, rmdir } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isAlive } from '../processes';

/** Links in the profile, to files of the same name in the folder of the socket. */
const SOCKET = 'SingletonSocket';
const COOKIE = 'SingletonCookie';

/** A link in the profile whose target ends with the process id of the browser. Windows has none. */
const LOCK = 'SingletonLock';

/** How long a browser may take to end whose service was killed, in milliseconds: it writes what it has in memory. */
const END_LIMIT_MS = 5_000;

/** How often that is looked at, in milliseconds. */
const LOOK_MS = 50;

/** Waits until the browser of a profile has ended, as far as its lock names it, and no longer than a while. */
export async function untilEnded(userDataFolder: string): Promise<void> {
  const lock = await readlink(path.join(userDataFolder, LOCK)).catch(() => '');
  const pid = Number(/-(\d+)$/.exec(lock)?.[1] ?? 0);
  for (const end = Date.now() + END_LIMIT_MS; isAlive(pid) && Date.now() < end;) {
    await delay(LOOK_MS);
  }
}

/**
 * Removes the lock files of the profile, which a killed browser leaves behind, so that the next start does not contact that browser. Its
 * socket is in a folder of its own, in the system's temporary folder, which is removed as well. The browser must have ended.
 */
export async function removeLocks(userDataFolder: string): Promise<void> {
  const socket = await readlink(path.join(userDataFolder, SOCKET)).catch(() => undefined);
  if (socket !== undefined && path.basename(socket) === SOCKET) await removeSocketFolder(path.dirname(socket));
  const locks = [SOCKET, COOKIE, LOCK, 'DevToolsActivePort'];
  await Promise.all(locks.map((name) => rm(path.join(userDataFolder, name), { force: true })));
}

/** Removes the folder only if it has no other files: the link may lead anywhere, also into the profile of another browser. */
async function removeSocketFolder(folder: string): Promise<void> {
  try {
    const names = await readdir(folder);
    if ((await lstat(folder)).isSymbolicLink() || !names.every((name) => name === SOCKET || name === COOKIE)) return;
    await Promise.all(names.map((name) => rm(path.join(folder, name), { force: true })));
    await rmdir(folder);
  } catch {
    // It is gone already, or is the folder of another user.
  }
}
