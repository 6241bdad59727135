import { lstat, mkdir, readdir, rmdir, writeFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { OWNER_ONLY_FOLDER } from '../atomicFile';
import { removeLocks, untilEnded } from '../chromium/locks';
import { messageOf, isFileError } from '../httpErrors';
import { readOwnFile } from '../ownFile';
import { isAliveSince, startOf } from '../processes';
import { isId } from '../randomId';
import { removeFolder } from '../removeFolder';
import { NO_FILES_MARK } from '../../service/interface';

/** Contains the process id and the start of the service whose session it is. It marks the folder as one that a service may remove. */
const OWNER_FILE = 'service.pid';
/** The id of the profile that the browser's state is saved in at its end. Without it, nothing is saved, or it was. */
const PROFILE_FILE = 'profile.id';
/** An empty folder that is older belongs to a service that ended before it could mark it. */
const MARKING_LIMIT_MS = 10_000;

/** The user-data-dir in the folder of a session. */
export function userDataFolderIn(sessionFolder: string): string {
  return path.join(sessionFolder, 'profile');
}

/** Creates the folder of a new session, which only the owner can enter, and marks it as this service's. */
export async function createSessionFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: OWNER_ONLY_FOLDER });
  await writeFile(path.join(folder, OWNER_FILE), [process.pid, startOf(process.pid)].join(' ').trimEnd());
}

/** Notes in the folder of a session in which profile its state is saved at its end: when the service is killed, the next one does that. */
export async function noteProfile(folder: string, profileId: string): Promise<void> {
  await writeFile(path.join(folder, PROFILE_FILE), profileId);
}

/**
 * Removes the folder of a session whose browser has ended. Never rejects: what cannot be removed is reported, and stays marked, so that the
 * next start of a service tries again.
 */
export async function removeSessionFolder(folder: string, warn: (message: string) => void): Promise<void> {
  try {
    // Of a folder of which a part was removed, nothing must be saved.
    await rm(path.join(folder, PROFILE_FILE), { force: true });
    await removeFolder(folder, OWNER_FILE);
  } catch (error) {
    warn(
      `The folder of an ended session cannot be removed; the next start tries again. ${folder}: ${messageOf(error)}`,
    );
  }
}

/** Leaves the folder of a session whose state could not be saved: without its mark, no service removes it. Never rejects. */
export async function keepSessionFolder(folder: string, warn: (message: string) => void): Promise<void> {
  await rm(path.join(folder, OWNER_FILE), { force: true }).catch(() => undefined);
  warn(`What a browser has changed could not be saved in its profile. It stays in ${userDataFolderIn(folder)}`);
}

/**
 * Removes the folders of sessions whose service has ended; their browsers have ended with it. `save` saves the state of those that save to a profile, by
 * its id. Only a folder with the name and the mark of a session is removed, and an empty one; one that cannot be saved is kept. Never rejects because
 * of one folder: what cannot be removed is reported.
 */
export async function removeLeftovers(
  folder: string,
  warn: (message: string) => void,
  save: (profileId: string, userDataFolder: string) => Promise<void>,
): Promise<void> {
  for (const name of (await readdir(folder)).filter(isId)) {
    const session = path.join(folder, name);
    try {
      if (!(await lstat(session)).isDirectory()) continue;
      const owner = await readOwnFile(path.join(session, OWNER_FILE));
      if (owner === undefined) await removeIfAbandoned(session);
      else if (hasEnded(owner)) {
        const userDataFolder = userDataFolderIn(session);
        const profileId = await readOwnFile(path.join(session, PROFILE_FILE));
        if (profileId !== undefined) await untilEnded(userDataFolder);
        await removeLocks(userDataFolder).catch(() => undefined);
        const isSaved =
          profileId === undefined ||
          (await save(profileId, userDataFolder).then(
            () => true,
            () => false,
          ));
        await (isSaved ? removeSessionFolder : keepSessionFolder)(session, warn);
      }
    } catch (error) {
      warn(`A folder in the sessions folder is left alone. ${session}: ${messageOf(error)}`);
    }
  }
}

/** `rmdir` refuses a folder with content. */
async function removeIfAbandoned(session: string): Promise<void> {
  const { mtimeMs } = await lstat(session);
  if (Date.now() - mtimeMs > MARKING_LIMIT_MS) await rmdir(session).catch(() => undefined);
}

/** Whether a mark is that of a service that has ended. */
function hasEnded(owner: string): boolean {
  const [, pid, start] = /^([1-9]\d{0,9})(?: (\d+))?$/.exec(owner) ?? [];
  return pid !== undefined && !isAliveSince(Number(pid), start);
}

/** The marks in a folder of extensions, by the names of the folders that they are about. */
async function marksIn(extensionsFolder: string): Promise<Map<string, string>> {
  const names = await readdir(extensionsFolder).catch((error: unknown): string[] => {
    if (isFileError(error, 'ENOENT')) return [];
    throw error;
  });
  const marks = names.filter((name) => name.startsWith(NO_FILES_MARK));
  return new Map(marks.map((name) => [name.slice(NO_FILES_MARK.length), path.join(extensionsFolder, name)]));
}

/**
 * The folders that a browser may load when it starts: those of extensions which may read files of this machine, as Chromium lets every extension of
 * its command line (C-FLAG-FILE-ACCESS). Those of `renewed` were uploaded just now, by somebody who has not marked them.
 */
export async function withFileAccess(
  folders: readonly string[],
  extensionsFolder: string,
  renewed: readonly string[] = [],
): Promise<string[]> {
  const marks = await marksIn(extensionsFolder);
  return folders.filter((folder) => renewed.includes(folder) || !marks.has(path.basename(folder)));
}

/** Removes the marks of folders that were uploaded. */
export async function unmark(folders: readonly string[], extensionsFolder: string): Promise<void> {
  const marks = await marksIn(extensionsFolder);
  for (const folder of folders) {
    const mark = marks.get(path.basename(folder));
    if (mark !== undefined) await rm(mark, { force: true, recursive: true });
  }
}
