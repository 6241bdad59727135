import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { NO_FILES_MARK } from '../../service/interface';
import { isFileError } from '../httpErrors';

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
