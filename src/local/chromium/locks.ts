import { lstat, readdir, readlink, rm, rmdir } from 'node:fs/promises';
import path from 'node:path';

/** Links in the profile, to files of the same name in the folder of the socket. */
const SOCKET = 'SingletonSocket';
const COOKIE = 'SingletonCookie';

/**
 * Removes the lock files of the profile, which a killed browser leaves behind, so that the next start does not contact that browser. Its
 * socket is in a folder of its own, in the system's temporary folder, which is removed as well. The browser must have ended.
 */
export async function removeLocks(userDataFolder: string): Promise<void> {
  const socket = await readlink(path.join(userDataFolder, SOCKET)).catch(() => undefined);
  if (socket !== undefined && path.basename(socket) === SOCKET) await removeSocketFolder(path.dirname(socket));
  const locks = [SOCKET, COOKIE, 'SingletonLock', 'DevToolsActivePort'];
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
