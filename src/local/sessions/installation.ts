import { mkdir, rename, stat } from 'node:fs/promises';
import path from 'node:path';
import { EXTENSION_NAME_PATTERN } from '../../service/interface';
import { ArchiveError } from '../archive/archiveError';
import { type ArchiveSource, unpack } from '../archive/unpack';
import { badRequest, invalidInput, isFileError } from '../httpErrors';
import type { Behaviour } from '../commandLine';
import { randomId } from '../randomId';
import { removeFolder } from '../removeFolder';

/** One extension of an upload: its folder name and its archive. */
export interface UploadedExtension {
  name: string;
  archive: ArchiveSource;
}

/** The largest number of extensions in one upload (`current`). */
const MAX_EXTENSIONS_PER_UPLOAD = 20;

/**
 * Validates the names of an upload, which are trimmed; nothing is written. 400 for an invalid name, an existing one and, in `current`, a
 * duplicate.
 */
export async function checkNames(
  uploads: readonly UploadedExtension[],
  extensionsFolder: string,
  behaviour: Behaviour,
): Promise<UploadedExtension[]> {
  if (uploads.length === 0) throw invalidInput('no extensions provided');
  const strict = behaviour === 'current';
  if (strict && uploads.length > MAX_EXTENSIONS_PER_UPLOAD) {
    throw invalidInput(`too many extensions: at most ${MAX_EXTENSIONS_PER_UPLOAD} in one request`);
  }
  const trimmed = uploads.map(({ name, archive }) => ({ name: name.trim(), archive }));
  const seen = new Set<string>();
  for (const { name } of trimmed) {
    if (!EXTENSION_NAME_PATTERN.test(name)) throw invalidInput(`invalid extension name: ${JSON.stringify(name)}`);
    if (strict && seen.has(name)) throw invalidInput(`duplicate extension name: ${name}`);
    seen.add(name);
    // `.` and `..` match the pattern, and are existing folders.
    if (await exists(path.join(extensionsFolder, name))) throw invalidInput(`extension name already exists: ${name}`);
  }
  return trimmed;
}

/**
 * Unpacks the archives of an upload into folders of their names. In `current` each one is unpacked into a staging folder, checked, and
 * renamed; after a failure everything is rolled back. In `earlier` they are unpacked in place, without rollback, as by the earlier service.
 */
export async function install(
  uploads: readonly UploadedExtension[],
  extensionsFolder: string,
  behaviour: Behaviour,
): Promise<string[]> {
  const folders: string[] = [];
  try {
    for (const upload of uploads) {
      const folder = path.join(extensionsFolder, upload.name);
      if (behaviour === 'earlier') {
        await mkdir(folder, { recursive: true });
        await unpackFor(upload, folder);
      } else {
        await installWhole(upload, extensionsFolder, folder);
      }
      if (!folders.includes(folder)) folders.push(folder);
    }
    return folders;
  } catch (error) {
    if (behaviour === 'current') await uninstall(folders);
    throw error;
  }
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

async function unpackFor(upload: UploadedExtension, folder: string): Promise<void> {
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
