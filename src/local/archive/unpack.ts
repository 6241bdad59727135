import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { fromBufferPromise, openPromise, type Entry, type ZipFile } from 'yauzl';
import { messageOf } from '../httpErrors';
import { ArchiveError, isDiskFault } from './archiveError';
import { extract, type Extraction, makeFolders } from './extract';

/** An archive: the path of its file, or its bytes. */
export type ArchiveSource = string | Buffer;

/** Limits of unpacked content, against zip bombs. */
export interface UnpackLimits {
  bytes: number;
  entries: number;
}

const UNPACK_LIMITS: UnpackLimits = { bytes: 1024 ** 3, entries: 50_000 };

/** The largest archive that is read into memory, so that entries are not read from disk one by one. */
const MAX_READ_BYTES = 16 * 1024 * 1024;

const UNIX_CREATORS = new Set([3, 19]);
const KIND_MASK = 0o170000;
const KIND_FILE = 0o100000;
const KIND_FOLDER = 0o040000;

/**
 * Writes the archive's files into `target`, over existing files; no file is removed. `target` and folders between it and `root` are created if
 * missing. All names and sizes are checked first. Refused with `ArchiveError`: a file that is not a zip, names that are absolute, lead out of the folder or contain a
 * backslash, links and other special files, encrypted entries, content over the limits, and content that does not match its entry. When
 * it rejects, all writing has ended.
 */
export async function unpack(
  archive: ArchiveSource,
  target: string,
  limits: UnpackLimits = UNPACK_LIMITS,
  root = path.parse(target).root,
): Promise<void> {
  await withArchive(archive, async ({ zip, bytes }) => {
    const entries = await check(zip, limits);
    await makeFolders(target, root);
    await extract({ zip, bytes, entries }, target);
  });
}

/** Checks the archive's central directory as `unpack` does, without writing. */
export async function checkArchive(archive: ArchiveSource): Promise<void> {
  await withArchive(archive, async ({ zip }) => void (await check(zip, UNPACK_LIMITS)));
}

async function withArchive(
  archive: ArchiveSource,
  work: (opened: Pick<Extraction, 'zip' | 'bytes'>) => Promise<void>,
): Promise<void> {
  const options = { autoClose: false, strictFileNames: true, validateEntrySizes: true };
  let zip: ZipFile | undefined;
  try {
    const bytes = await readWhole(archive);
    zip = await (bytes ? fromBufferPromise(bytes, options) : openPromise(String(archive), options));
    await work({ zip, bytes });
  } catch (error) {
    if (error instanceof ArchiveError || isDiskFault(error)) throw error;
    throw new ArchiveError(`invalid zip file: ${messageOf(error)}`, error);
  } finally {
    zip?.close();
  }
}

async function readWhole(archive: ArchiveSource): Promise<Buffer | undefined> {
  if (typeof archive !== 'string') return archive;
  return (await stat(archive)).size <= MAX_READ_BYTES ? await readFile(archive) : undefined;
}

async function check(zip: ZipFile, limits: UnpackLimits): Promise<Entry[]> {
  if (zip.entryCount > limits.entries) {
    throw new ArchiveError(`invalid zip file: more than ${limits.entries} entries`);
  }
  const entries: Entry[] = [];
  let bytes = 0;
  for await (const entry of zip.eachEntry()) {
    const reason = refusal(entry);
    if (reason !== undefined) throw new ArchiveError(`invalid zip file: "${entry.fileName}" ${reason}`);
    bytes += entry.uncompressedSize;
    if (bytes > limits.bytes) throw new ArchiveError(`invalid zip file: unpacks to more than ${limits.bytes} bytes`);
    entries.push(entry);
  }
  return entries;
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
