import JSZip from 'jszip';
import pLimit from 'p-limit';
import { isDeflated, type ZipMethod } from './compress';

/** A compressed file that JSZip has loaded. It is not compressed again when an archive is made of it. */
export type ZipEntry = JSZip.JSZipObject;

/** A zip of one file. */
export interface FileZip {
  bytes: Uint8Array<ArrayBuffer>;
  method: ZipMethod;
}

/** Length of a zip without entries. A merged zip is shorter by this for every zip but one. */
export const EMPTY_ZIP_BYTES = 22;

/** The earliest time that a zip can hold, so that equal content gives equal bytes. JSZip writes times in UTC. */
const DATE = new Date(Date.UTC(1980, 0, 1));

/** A regular file, `rw-r--r--`. */
const MODE = 0o100644;

/** JSZip returns to the event loop after every 16 KiB of a file; this keeps it from deflating that much of several files each time. */
const deflateLimit = pLimit(1);

/**
 * Makes a zip of one file: deflated at `level` (1 fast to 9 small) where that makes it smaller, else as it is. The same name and content
 * at the same level always give the same bytes. The event loop is never blocked for long.
 */
export async function zipFile(path: string, content: Uint8Array, level: number): Promise<FileZip> {
  if (!isDeflated(path, level)) return zipWith('STORE', path, content, level);
  const deflated = await deflateLimit(zipWith, 'DEFLATE', path, content, level);
  if (deflated.bytes.length < content.length) return deflated;
  const stored = await zipWith('STORE', path, content, level);
  return deflated.bytes.length < stored.bytes.length ? deflated : stored;
}

/** Loads the entry of a zip of one file. The entry keeps the bytes of that zip in memory. */
export async function loadEntry(path: string, { bytes, method }: FileZip): Promise<ZipEntry> {
  const zip = await new JSZip().loadAsync(bytes, { checkCRC32: false, createFolders: false });
  const entry = zip.file(path);
  if (!entry) throw new Error(`JSZip does not find ${path} in a zip that it has made`);
  // JSZip compresses an entry again whose method is not the one of the archive.
  entry.options.compression = method;
  return entry;
}

/**
 * Makes a zip of these entries without compressing anything. The entries are in this order, except that JSZip puts names that are whole
 * numbers first; there are no entries for folders. The caller checks the limits: 65,535 entries and 4 GiB.
 */
export function mergeEntries(entries: Iterable<ZipEntry>): Promise<Uint8Array<ArrayBuffer>> {
  const zip = new JSZip();
  for (const entry of entries) zip.files[entry.name] = entry;
  return generate(zip);
}

async function zipWith(method: ZipMethod, path: string, content: Uint8Array, level: number): Promise<FileZip> {
  // JSZip copies a Buffer byte by byte, but not a Uint8Array.
  const bytes = new Uint8Array(content.buffer, content.byteOffset, content.length);
  const zip = new JSZip().file(path, bytes, {
    compression: method,
    compressionOptions: { level },
    createFolders: false,
    date: DATE,
    unixPermissions: MODE,
  });
  return { bytes: await generate(zip), method };
}

async function generate(zip: JSZip): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await zip.generateAsync({ type: 'arraybuffer', platform: 'UNIX' }));
}
