import * as l10n from '@vscode/l10n';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { crc32, inflateRaw } from 'node:zlib';
import { fromBufferPromise, type Entry, type ZipFile } from 'yauzl';
import { errorMessage } from '../base/errorMessage';
import { shortened, sizeText } from '../base/units';
import { MAX_FILES, MAX_FOLDER_BYTES } from './archiveLimits';
import { unsafeName } from './entryNames';

/** Limits of what an archive of others unpacks to, against zip bombs. */
export interface UnpackLimits {
  /** Bytes of all files together. */
  bytes: number;
  files: number;
}

/** The method of entries that are stored as they are (APPNOTE 4.4.5); the only other one that is read is deflate. */
const STORED = 0;

/** The bits of a Unix mode that say the kind of an entry, and those of a file and a folder. */
const KIND_MASK = 0o170000;
const KINDS: readonly number[] = [0, 0o100000, 0o040000];

/** How much of a name that is too long is shown, in characters. */
const SHOWN_NAME = 80;

const inflate = promisify<Buffer, { maxOutputLength: number }, Buffer>(inflateRaw);

/** An archive of others that cannot be unpacked. The message is a part of a sentence for people, which says why. */
export class UnpackError extends Error {
  override readonly name = 'UnpackError';
}

/**
 * Writes the files of a zip into the folder `target`, which is created if missing. All names and sizes are checked before anything is
 * written, no file gets more bytes than its entry declares, and links are refused.
 * @throws UnpackError; an error of the disk
 */
export async function unpackArchive(
  bytes: Uint8Array,
  target: string,
  limits: UnpackLimits = { bytes: MAX_FOLDER_BYTES, files: MAX_FILES },
): Promise<void> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const zip = await openZip(buffer);
  try {
    const entries = await checkedEntries(zip, limits);
    await mkdir(target, { recursive: true });
    for (const entry of entries) {
      const path = join(target, ...entry.fileName.split('/'));
      const content = await contentOf(zip, buffer, entry);
      try {
        await mkdir(dirname(path), { recursive: true });
        await writeFile(path, content, { flag: 'wx' });
      } catch (error) {
        throw nameFault(entry.fileName, error) ?? error;
      }
    }
  } finally {
    zip.close();
  }
}

async function openZip(buffer: Buffer): Promise<ZipFile> {
  // Windows PowerShell writes backslashes between folders, which become slashes then.
  const options = { autoClose: false, strictFileNames: false, validateEntrySizes: true };
  try {
    return await fromBufferPromise(buffer, options);
  } catch (error) {
    throw noZip(error);
  }
}

/** The entries of files. @throws UnpackError */
async function checkedEntries(zip: ZipFile, limits: UnpackLimits): Promise<Entry[]> {
  if (zip.entryCount > limits.files) throw new UnpackError(l10n.t('it holds more than {0} files', limits.files));
  const entries: Entry[] = [];
  let bytes = 0;
  try {
    for await (const entry of zip.eachEntry()) {
      const reason = refusal(entry);
      if (reason !== undefined) throw new UnpackError(`${entry.fileName}: ${reason}`);
      bytes += entry.uncompressedSize;
      if (bytes > limits.bytes) throw new UnpackError(l10n.t('it unpacks to more than {0}', sizeText(limits.bytes)));
      if (!entry.fileName.endsWith('/')) entries.push(entry);
    }
  } catch (error) {
    throw error instanceof UnpackError ? error : noZip(error);
  }
  return entries;
}

function refusal(entry: Entry): string | undefined {
  const kind = (entry.externalFileAttributes >>> 16) & KIND_MASK;
  if (!KINDS.includes(kind)) return l10n.t('it is a link or a special file');
  if (entry.isEncrypted()) return l10n.t('it is encrypted');
  if (!entry.canDecodeFileData()) return l10n.t('its compression is not supported');
  return entry.fileName.split('/').map(unsafeName).find(Boolean);
}

async function contentOf(zip: ZipFile, buffer: Buffer, entry: Entry): Promise<Buffer> {
  const { fileName, compressedSize, uncompressedSize, compressionMethod } = entry;
  let content: Buffer;
  try {
    const { fileDataStart } = await zip.readLocalFileHeaderPromise(entry, { minimal: true });
    const packed = buffer.subarray(fileDataStart, fileDataStart + compressedSize);
    // A limit of 0 bytes is refused, and the length is checked below.
    const maxOutputLength = Math.max(uncompressedSize, 1);
    content = compressionMethod === STORED ? packed : await inflate(packed, { maxOutputLength });
  } catch {
    throw damaged(fileName);
  }
  if (content.length !== uncompressedSize || crc32(content) !== entry.crc32) throw damaged(fileName);
  return content;
}

function noZip(error: unknown): UnpackError {
  const reason = errorMessage(error);
  return new UnpackError(l10n.t('it is no zip archive ({0})', reason));
}

function damaged(name: string): UnpackError {
  return new UnpackError(l10n.t('{0} is damaged', name));
}

/** Why a file could not be written because of its name: it, or a file in the place of its folder, is there, or no disk takes such a name. */
function nameFault(name: string, error: unknown): UnpackError | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EEXIST' || code === 'ENOTDIR') return new UnpackError(l10n.t('{0} is in it twice', name));
  if (code !== 'ENAMETOOLONG') return undefined;
  return new UnpackError(l10n.t('the name {0} is too long', shortened(name, SHOWN_NAME)));
}
