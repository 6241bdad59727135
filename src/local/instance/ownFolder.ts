import { chmod, lstat, mkdir, readdir, realpath, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { OWNER_ONLY, OWNER_ONLY_FOLDER } from '../atomicFile';
import { isFileError } from '../httpErrors';
import { isId } from '../randomId';

/** The file that marks a folder as the service's own. */
const MARK = '.sideload-data';
const MARK_TEXT = "This folder belongs to Sideload's local service, which creates and removes files in it.\n";
/** The folders in a data folder; all of their entries are named by ids. */
const INNER = ['sessions', 'profiles', 'extensions', 'spool'];
const STATE_FILES = /^service\.(?:json|lock)(?:\.|$)/;
/** What file managers put into any folder. */
const FOREIGN_BUT_HARMLESS = new Set(['.DS_Store', 'Thumbs.db', 'desktop.ini']);
const OTHERS = 0o077;

/**
 * Makes a folder the data folder of the local service: creates it if it is missing, marks it, and closes it and the folders in it to other
 * users. Resolves to its real path. Rejects for a folder of another user, for one with files that no service has written, and for links or
 * files in place of the inner folders; then nothing was created or removed. An earlier version's data folder, which has no mark, is
 * recognised by its content.
 * @param warn logs a message, without secrets.
 */
export async function ownDataFolder(dataFolder: string, warn: (message: string) => void): Promise<string> {
  await mkdir(dataFolder, { recursive: true, mode: OWNER_ONLY_FOLDER });
  // Chromium reports real paths (C-FILES-REAL-PATHS), which would differ from a path with symbolic links.
  const folder = await realpath(dataFolder);
  await checkOwner(folder);
  await refuseForeign(folder);
  // Before the inner folders are checked, so that no other user can replace them afterwards.
  await closeToOthers(folder, warn);
  const inner = INNER.map((name) => path.join(folder, name));
  for (const each of inner) await checkInner(each);
  for (const each of inner) {
    await mkdir(each, { recursive: true, mode: OWNER_ONLY_FOLDER });
    await closeToOthers(each, warn);
  }
  await writeMark(path.join(folder, MARK));
  return folder;
}

async function checkOwner(folder: string): Promise<void> {
  const { uid } = await stat(folder);
  const user = process.getuid?.();
  if (user !== undefined && uid !== user) {
    throw new Error(`The folder ${folder} belongs to another user. Change its owner, or choose another --data-dir.`);
  }
}

async function refuseForeign(folder: string): Promise<void> {
  const foreign = await foreignEntry(folder);
  if (foreign === undefined) return;
  throw new Error(
    `The folder ${folder} is not a data folder of the local service: it contains ${foreign}. ` +
      'Choose a new or an empty folder with --data-dir.',
  );
}

/** The name of something in an unmarked folder that no service has written. */
async function foreignEntry(folder: string): Promise<string | undefined> {
  const entries = await readdir(folder, { withFileTypes: true });
  if (entries.some((entry) => entry.name === MARK && entry.isFile())) return undefined;
  for (const { name } of entries) {
    if (INNER.includes(name)) {
      const names = await readdir(path.join(folder, name)).catch(() => []);
      const foreign = names.find((each) => !FOREIGN_BUT_HARMLESS.has(each) && !isId(each.split('.', 1)[0] ?? ''));
      if (foreign !== undefined) return path.join(name, foreign);
    } else if (!STATE_FILES.test(name) && !FOREIGN_BUT_HARMLESS.has(name)) return name;
  }
  return undefined;
}

async function checkInner(folder: string): Promise<void> {
  const stats = await lstat(folder).catch(() => undefined);
  if (!stats) return;
  if (!stats.isDirectory()) {
    throw new Error(`${folder} is a link or a file, and must be a folder. Remove it, or choose another --data-dir.`);
  }
  await checkOwner(folder);
}

async function closeToOthers(folder: string, warn: (message: string) => void): Promise<void> {
  // Where there are no user ids, modes say nothing about other users.
  if (process.getuid === undefined || !(await isOpen(folder))) return;
  await chmod(folder, OWNER_ONLY_FOLDER);
  if (await isOpen(folder)) warn(`The disk of ${folder} keeps no permissions, so other users may be able to read it.`);
}

async function isOpen(folder: string): Promise<boolean> {
  return ((await stat(folder)).mode & OTHERS) !== 0;
}

async function writeMark(file: string): Promise<void> {
  try {
    await writeFile(file, MARK_TEXT, { mode: OWNER_ONLY, flag: 'wx' });
  } catch (error) {
    if (!isFileError(error, 'EEXIST')) throw error;
  }
}
