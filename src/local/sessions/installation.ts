import { stat } from 'node:fs/promises';
import path from 'node:path';
import { EXTENSION_NAME_PATTERN } from '../../service/interface';
import { ArchiveError } from '../archive/archiveError';
import { type ArchiveSource, unpack } from '../archive/unpack';
import { badRequest, invalidInput, isFileError } from '../httpErrors';
import { rename } from '../patientFiles';
import { randomId } from '../randomId';
import { removeFolder } from '../removeFolder';

/** One extension of an upload: its folder name and its archive. */
export interface UploadedExtension {
  name: string;
  archive: ArchiveSource;
}

/** The largest number of extensions in one upload, as in the service's later images. */
const MAX_EXTENSIONS_PER_UPLOAD = 20;

/** The largest archive of one extension, in bytes, as in the service's later images. */
const MAX_ARCHIVE_BYTES = 50 * 1024 * 1024;

/** How the extensions of an upload come into the folder of extensions of a browser. */
export interface Installer {
  /** The largest archive of one extension that is received, in bytes. */
  maxArchiveBytes: number;
  /** Whether an upload is there whole or not at all, also when Chromium refuses it. */
  isWhole: boolean;
  /** Whether an upload to a browser may say what becomes of the restart. */
  isRestartOptional: boolean;
  /** Validates the names of an upload, which are trimmed; nothing is written. Rejects with 400 for one that cannot be used. */
  checkNames: (uploads: readonly UploadedExtension[], extensionsFolder: string) => Promise<UploadedExtension[]>;
  /** Unpacks the archives into folders of their names, and resolves to these. */
  install: (uploads: readonly UploadedExtension[], extensionsFolder: string) => Promise<string[]>;
}

/** As the service does it: each archive is unpacked into a staging folder, checked and renamed, and all are taken back when one fails. */
export const wholeInstaller: Installer = {
  maxArchiveBytes: MAX_ARCHIVE_BYTES,
  isWhole: true,
  isRestartOptional: true,
  checkNames: async (uploads, extensionsFolder) => {
    if (uploads.length > MAX_EXTENSIONS_PER_UPLOAD) {
      throw invalidInput(`too many extensions: at most ${MAX_EXTENSIONS_PER_UPLOAD} in one request`);
    }
    const seen = new Set<string>();
    return await trimmedNames(uploads, extensionsFolder, (name) => {
      if (seen.has(name)) throw invalidInput(`duplicate extension name: ${name}`);
      seen.add(name);
    });
  },
  install: async (uploads, extensionsFolder) => {
    const folders: string[] = [];
    try {
      for (const upload of uploads) {
        const folder = path.join(extensionsFolder, upload.name);
        await installWhole(upload, extensionsFolder, folder);
        folders.push(folder);
      }
      return folders;
    } catch (error) {
      await uninstall(folders);
      throw error;
    }
  },
};

/** The uploads with their names trimmed and checked, each by `check`, too. 400 for an invalid or an existing one. */
export async function trimmedNames(
  uploads: readonly UploadedExtension[],
  extensionsFolder: string,
  check?: (name: string) => void,
): Promise<UploadedExtension[]> {
  if (uploads.length === 0) throw invalidInput('no extensions provided');
  const trimmed = uploads.map(({ name, archive }) => ({ name: name.trim(), archive }));
  for (const { name } of trimmed) {
    if (!EXTENSION_NAME_PATTERN.test(name)) throw invalidInput(`invalid extension name: ${JSON.stringify(name)}`);
    check?.(name);
    // `.` and `..` match the pattern, and are existing folders.
    if (await exists(path.join(extensionsFolder, name))) throw invalidInput(`extension name already exists: ${name}`);
  }
  return trimmed;
}

/** Removes installed folders. */
export async function uninstall(folders: readonly string[]): Promise<void> {
  await Promise.all(folders.map((folder) => removeFolder(folder)));
}

async function installWhole(upload: UploadedExtension, extensionsFolder: string, folder: string): Promise<void> {
  const staging = path.join(extensionsFolder, `.upload-${randomId()}`);
  try {
    await unpackFor(upload, staging);
    await checkManifest(upload.name, staging);
    if (await exists(folder)) throw invalidInput(`extension name already exists: ${upload.name}`);
    await rename(staging, folder);
  } finally {
    await removeFolder(staging);
  }
}

/** Unpacks the archive of an upload into a folder. 400 for an archive that cannot be unpacked. */
export async function unpackFor(upload: UploadedExtension, folder: string): Promise<void> {
  try {
    await unpack(upload.archive, folder);
  } catch (error) {
    if (error instanceof ArchiveError) throw invalidUpload(upload.name, error.message);
    throw error;
  }
}

/**
 * What is in the manifest is for Chromium to say, whose text is the better error. The cloud service parses it as strict JSON first; this one
 * loads what Chromium loads.
 */
async function checkManifest(name: string, folder: string): Promise<void> {
  const found = await stat(path.join(folder, 'manifest.json')).catch((error: unknown) => {
    if (isFileError(error, 'ENOENT')) return undefined;
    throw error;
  });
  if (found?.isFile() !== true) throw invalidUpload(name, 'manifest.json is missing at the root of the zip file');
}

function invalidUpload(name: string, reason: string) {
  const message = `invalid extension ${name}: ${reason}`;
  return badRequest(message, [{ code: 'invalid_input', message: reason }]);
}

async function exists(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  );
}
