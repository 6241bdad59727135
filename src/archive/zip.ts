import JSZip from 'jszip';
import CompressedObject from 'jszip/lib/compressedObject';
import compressions from 'jszip/lib/compressions';
import pLimit from 'p-limit';
import { checksumOf, type ZipMethod } from './compress';

/** A file as a zip holds it, stored or compressed. It is neither compressed nor checked again when an archive is made of it. */
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

/** The options of every file. */
const FILE_OPTIONS = { binary: true, createFolders: false, date: DATE, unixPermissions: MODE };

/** Zips that are loaded were made here. */
const LOAD_OPTIONS = { checkCRC32: false, createFolders: false };

/** JSZip returns to the event loop after every 16 KiB of a file; this keeps it from deflating that much of several files each time. */
const deflateLimit = pLimit(1);

/**
 * Makes a zip of one file: deflated at `level` (1 fast to 9 small) where that makes it smaller, else as it is. The same name and content
 * at the same level always give the same bytes. The event loop is never blocked for long.
 */
export async function zipFile(path: string, content: Uint8Array, level: number): Promise<FileZip> {
  const deflated = await deflateLimit(zipWith, 'DEFLATE', path, content, level);
  if (deflated.bytes.length < content.length) return deflated;
  const stored = await zipWith('STORE', path, content, level);
  return deflated.bytes.length < stored.bytes.length ? deflated : stored;
}

/**
 * The entry of a file that is stored as it is; it holds `content` in memory. It is the one that {@link loadEntry} would load from a zip of the
 * file, without the work of writing and reading that zip (measured: a fifth of the time).
 */
export async function storedEntry(path: string, content: Uint8Array): Promise<ZipEntry> {
  const data = new CompressedObject(
    content.length,
    content.length,
    await checksumOf(content),
    compressions.STORE,
    bytesOf(content),
  );
  const zip = new JSZip().file(path, data, { ...FILE_OPTIONS, compression: 'STORE' });
  return entryOf(zip, path);
}

/** Loads the entry of a zip of one file. The entry holds the bytes of that zip in memory. */
export async function loadEntry(path: string, { bytes, method }: FileZip): Promise<ZipEntry> {
  const zip = await new JSZip().loadAsync(bytes, LOAD_OPTIONS);
  const entry = entryOf(zip, path);
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

/** The files of a zip that {@link mergeEntries} has made, by path. */
export async function unpackZip(bytes: Uint8Array<ArrayBuffer>): Promise<Map<string, Uint8Array>> {
  const { files } = await new JSZip().loadAsync(bytes, LOAD_OPTIONS);
  const read = async (entry: ZipEntry) => [entry.name, await contentOf(entry)] as const;
  return new Map(await Promise.all(Object.values(files).map(read)));
}

/** The content of a file, as it was before it was compressed. */
export function contentOf(entry: ZipEntry): Promise<Uint8Array> {
  return entry.async('uint8array');
}

async function zipWith(method: ZipMethod, path: string, content: Uint8Array, level: number): Promise<FileZip> {
  const options = { ...FILE_OPTIONS, compression: method, compressionOptions: { level } };
  return { bytes: await generate(new JSZip().file(path, bytesOf(content), options)), method };
}

/** JSZip copies a Buffer byte by byte, but not a Uint8Array. */
function bytesOf(content: Uint8Array): Uint8Array {
  return new Uint8Array(content.buffer, content.byteOffset, content.length);
}

function entryOf(zip: JSZip, path: string): ZipEntry {
  const entry = zip.file(path);
  if (!entry) throw new Error(`JSZip does not find ${path} in a zip that it has made`);
  return entry;
}

async function generate(zip: JSZip): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await zip.generateAsync({ type: 'arraybuffer', platform: 'UNIX' }));
}
