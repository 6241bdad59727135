import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { openPromise, type Entry, type ZipFile } from 'yauzl';
import { messageOf } from './errors';

/** What an archive may unpack to; a small archive that grows beyond it is a bomb, not an extension. */
export interface UnpackLimits {
  bytes: number;
  entries: number;
}

export const UNPACK_LIMITS: UnpackLimits = { bytes: 1024 ** 3, entries: 50_000 };

/** The archive is no zip, or holds what must not be written. The message names the entry. */
export class ArchiveError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'ArchiveError';
  }
}

const FILE_MODE = 0o644;
const UNIX_CREATORS = new Set([3, 19]);
const KIND_MASK = 0o170000;
const KIND_FILE = 0o100000;
const KIND_FOLDER = 0o040000;

/**
 * Writes the archive's files under `target` (which is made when missing), over what is there; nothing is removed. All
 * names and sizes are checked before the first byte is written. Refused with `ArchiveError`: what is no zip, names that are absolute,
 * leave the folder or hold a backslash, links and other special files, encrypted entries, more than the limits allow.
 */
export async function unpack(archive: string, target: string, limits: UnpackLimits = UNPACK_LIMITS): Promise<void> {
  await withArchive(archive, (zip) => check(zip, limits));
  await mkdir(target, { recursive: true });
  await withArchive(archive, (zip) => extract(zip, target, limits));
}

/** Reads the archive's table of contents and checks it as `unpack` does; nothing is written. Gives the entries' names. */
export async function checkArchive(archive: string, limits: UnpackLimits = UNPACK_LIMITS): Promise<string[]> {
  const names: string[] = [];
  await withArchive(archive, (zip) => check(zip, limits, names));
  return names;
}

async function withArchive(archive: string, work: (zip: ZipFile) => Promise<void>): Promise<void> {
  let zip: ZipFile | undefined;
  try {
    zip = await openPromise(archive, { autoClose: false, strictFileNames: true, validateEntrySizes: true });
    await work(zip);
  } catch (error) {
    if (error instanceof ArchiveError || isSystemError(error)) throw error;
    throw new ArchiveError(`invalid zip file: ${messageOf(error)}`, error);
  } finally {
    zip?.close();
  }
}

async function check(zip: ZipFile, limits: UnpackLimits, names?: string[]): Promise<void> {
  if (zip.entryCount > limits.entries) {
    throw new ArchiveError(`invalid zip file: more than ${limits.entries} entries`);
  }
  let bytes = 0;
  for await (const entry of zip.eachEntry()) {
    const reason = refusal(entry);
    if (reason !== undefined) throw new ArchiveError(`invalid zip file: "${entry.fileName}" ${reason}`);
    bytes += entry.uncompressedSize;
    if (bytes > limits.bytes) throw tooLarge(limits);
    names?.push(entry.fileName);
  }
}

function refusal(entry: Entry): string | undefined {
  if (entry.isEncrypted()) return 'is encrypted';
  if (!entry.canDecodeFileData()) return 'uses a compression method that is not supported';
  if (entry.fileName.includes('\0')) return 'has an illegal name';
  const kind = (entry.externalFileAttributes >>> 16) & KIND_MASK;
  const fromUnix = UNIX_CREATORS.has(entry.versionMadeBy >>> 8);
  if (fromUnix && kind !== 0 && kind !== KIND_FILE && kind !== KIND_FOLDER) return 'is a link or a special file';
  return undefined;
}

async function extract(zip: ZipFile, target: string, limits: UnpackLimits): Promise<void> {
  let bytes = 0;
  for await (const entry of zip.eachEntry()) {
    const destination = path.join(target, entry.fileName);
    // The names were checked; this holds even if a name means more to this system than to the check.
    if (destination !== target && !destination.startsWith(target + path.sep)) {
      throw new ArchiveError(`invalid zip file: "${entry.fileName}" leaves the folder`);
    }
    if (entry.fileName.endsWith('/')) {
      await mkdir(destination, { recursive: true });
      continue;
    }
    await mkdir(path.dirname(destination), { recursive: true });
    const content = await zip.openReadStreamPromise(entry);
    // Declared sizes can lie; what really comes out counts.
    const counter = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        bytes += chunk.length;
        if (bytes > limits.bytes) done(tooLarge(limits));
        else done(null, chunk);
      },
    });
    await pipeline(content, counter, createWriteStream(destination, { mode: FILE_MODE }));
  }
}

function tooLarge(limits: UnpackLimits): ArchiveError {
  return new ArchiveError(`invalid zip file: unpacks to more than ${limits.bytes} bytes`);
}

/** A fault of the disk is the service's, except where the archive itself asks for the impossible (a file as a folder). */
function isSystemError(error: unknown): boolean {
  if (!(error instanceof Error) || !('syscall' in error) || !('code' in error)) return false;
  return !['EEXIST', 'ENOTDIR', 'EISDIR', 'ENAMETOOLONG', 'EINVAL'].includes(String(error.code));
}
