/** A file as it stands in a zip: its name with `/`, and its content either as it is or deflated. */
export interface ZipEntry {
  path: string;
  method: 'store' | 'deflate';
  /** CRC-32 and length in bytes of the content before compression. */
  crc32: number;
  size: number;
  data: Uint8Array;
}

/** Most entries that a zip can count without the extensions for huge archives, which not every reader knows. */
export const MAX_ZIP_ENTRIES = 0xffff;

/** Records of the format, by the sections 4.3.7, 4.3.12 and 4.3.16 of PKWARE's APPNOTE: signature and length in bytes. */
const LOCAL = { signature: 0x04034b50, length: 30 };
const CENTRAL = { signature: 0x02014b50, length: 46 };
const END = { signature: 0x06054b50, length: 22 };

const METHODS = { store: 0, deflate: 8 } as const;

/** Version 2.0 of the format is the first with deflate. */
const VERSION = 20;

/** Made on UNIX, where the upper half of the external attributes is a file's mode. */
const MADE_BY = (3 << 8) | VERSION;

/** Names are UTF-8. */
const FLAGS = 1 << 11;

/** One date for all entries, so that equal content gives equal bytes: 1980-01-01, the first that a zip can hold. */
const TIME = 0;
const DATE = (1 << 5) | 1;

/** A regular file that its owner may write and everybody may read. */
const MODE = 0o100644;

/**
 * The bytes of a zip with these entries, in this order and without entries for folders. The same entries always give the same
 * bytes. At most {@link MAX_ZIP_ENTRIES} entries and 4 GiB, which the caller has to see to.
 *
 * Own code because no zip library in use takes data that is already deflated, and deflating is what has to be spared.
 */
export function zipOf(entries: readonly ZipEntry[]): Uint8Array<ArrayBuffer> {
  const parts: Uint8Array[] = [];
  const directory: Uint8Array[] = [];
  let offset = 0;
  for (const entry of entries) {
    const name = Buffer.from(entry.path, 'utf8');
    const local = localHeader(entry, name.length);
    parts.push(local, name, entry.data);
    directory.push(centralHeader(entry, name.length, offset), name);
    offset += local.length + name.length + entry.data.length;
  }
  const directoryBytes = directory.reduce((sum, { length }) => sum + length, 0);
  return Buffer.concat([...parts, ...directory, endRecord(entries.length, directoryBytes, offset)]);
}

function localHeader(entry: ZipEntry, nameLength: number): Buffer {
  const header = Buffer.alloc(LOCAL.length);
  header.writeUInt32LE(LOCAL.signature, 0);
  writeShared(header, 4, entry, nameLength);
  return header;
}

function centralHeader(entry: ZipEntry, nameLength: number, offset: number): Buffer {
  const header = Buffer.alloc(CENTRAL.length);
  header.writeUInt32LE(CENTRAL.signature, 0);
  header.writeUInt16LE(MADE_BY, 4);
  writeShared(header, 6, entry, nameLength);
  header.writeUInt32LE(MODE * 2 ** 16, 38);
  header.writeUInt32LE(offset, 42);
  return header;
}

/** The 26 bytes that both headers of an entry have in common, the last two (length of extra fields) being zero. */
function writeShared(header: Buffer, at: number, entry: ZipEntry, nameLength: number): void {
  header.writeUInt16LE(VERSION, at);
  header.writeUInt16LE(FLAGS, at + 2);
  header.writeUInt16LE(METHODS[entry.method], at + 4);
  header.writeUInt16LE(TIME, at + 6);
  header.writeUInt16LE(DATE, at + 8);
  header.writeUInt32LE(entry.crc32, at + 10);
  header.writeUInt32LE(entry.data.length, at + 14);
  header.writeUInt32LE(entry.size, at + 18);
  header.writeUInt16LE(nameLength, at + 22);
}

function endRecord(count: number, directoryBytes: number, directoryOffset: number): Buffer {
  const record = Buffer.alloc(END.length);
  record.writeUInt32LE(END.signature, 0);
  record.writeUInt16LE(count, 8);
  record.writeUInt16LE(count, 10);
  record.writeUInt32LE(directoryBytes, 12);
  record.writeUInt32LE(directoryOffset, 16);
  return record;
}
