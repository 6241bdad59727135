import JSZip from 'jszip';
import CompressedObject from 'jszip/lib/compressedObject';
import compressions from 'jszip/lib/compressions';
import pLimit from 'p-limit';
import { checksumOf, type ZipMethod } from './compress';
import { joinZips } from './joinZips';

/** A file as a zip holds it, stored or compressed. It is neither compressed nor checked again when an archive is made of it. */
export type ZipEntry = JSZip.JSZipObject;

/** A zip of one file. */
export interface FileZip {
  bytes: Uint8Array<ArrayBuffer>;
  method: ZipMethod;
}

/** Length of a zip without entries. A merged zip is shorter by this for every zip but one. */
export const EMPTY_ZIP_BYTES = 22;

/** Length of the two headers of an entry, without its name, in bytes: one before its content, and one in the directory at the end. */
const HEADER_BYTES = 30 + 46;

/** Length of the field in each of them that JSZip adds for a name that is not ASCII, without the name. */
const NAME_FIELD_BYTES = 9;

/** The earliest time that a zip can hold, so that equal content gives equal bytes. JSZip writes times in UTC. */
const DATE = new Date(Date.UTC(1980, 0, 1));

/** A regular file, `rw-r--r--`. */
const MODE = 0o100644;

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

/** The length of the part of a zip that {@link storedEntry} makes of `contentBytes` bytes, in bytes. */
export function storedBytes(path: string, contentBytes: number): number {
  const nameBytes = Buffer.byteLength(path);
  const fieldBytes = nameBytes === path.length ? 0 : NAME_FIELD_BYTES + nameBytes;
  return HEADER_BYTES + 2 * (nameBytes + fieldBytes) + contentBytes;
}

/** Loads the entry of a zip of one file. The entry holds the bytes of that zip in memory. */
export async function loadEntry(path: string, { bytes, method }: FileZip): Promise<ZipEntry> {
  const zip = await new JSZip().loadAsync(bytes, LOAD_OPTIONS);
  const entry = entryOf(zip, path);
  // JSZip compresses an entry again whose method is not the one of the archive.
  entry.options.compression = method;
  return entry;
}

/** Entries that JSZip writes at once: it begins with all of them in one piece, 10 µs for each. */
const PART_ENTRIES = 500;

/**
 * Makes a zip of these entries without compressing anything. The entries are in this order, except that JSZip puts names that are whole
 * numbers first; there are no entries for folders. The caller checks the limits: 65,535 entries and 4 GiB. Of many entries, JSZip writes several
 * zips, which are joined: so the event loop is not blocked for long.
 */
export async function mergeEntries(entries: Iterable<ZipEntry>): Promise<Uint8Array<ArrayBuffer>> {
  const all = Object.values(Object.fromEntries([...entries].map((entry) => [entry.name, entry])));
  const zips: Uint8Array<ArrayBuffer>[] = [];
  do {
    const zip = new JSZip();
    for (const entry of all.splice(0, PART_ENTRIES)) zip.files[entry.name] = entry;
    zips.push(await generate(zip));
  } while (all.length > 0);
  const [only, ...others] = zips;
  return only && others.length === 0 ? only : joinZips(zips);
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
