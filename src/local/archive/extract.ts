import { createWriteStream } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { crc32, inflateRaw, inflateRawSync } from 'node:zlib';
import type { Entry, ZipFile } from 'yauzl';
import { ArchiveError } from './archiveError';

/** An open archive whose entries have been checked. */
export interface Extraction {
  zip: ZipFile;
  /** All of it, where it is held in memory. */
  bytes: Buffer | undefined;
  entries: readonly Entry[];
}

const FILE_MODE = 0o644;

/** The method of entries that are stored as they are (APPNOTE 4.4.5); the only other one that can be read is deflate. */
const STORED = 0;

/** Files written at the same time: a disk is not faster with more, and with the next number it bounds the memory. */
const WRITERS = 8;

/** Larger files go to the disk piece by piece. */
const MAX_WHOLE_BYTES = 4 * 1024 * 1024;

/** Up to this size a file is unpacked faster than another thread could be asked to do it. */
const MAX_AT_ONCE_BYTES = 64 * 1024;

const inflate = promisify<Buffer, { maxOutputLength: number }, Buffer>(inflateRaw);

/**
 * Writes all entries under `target`, which is there. No entry ever gives more bytes than it declared, so what was checked of
 * the declared sizes holds; content of another length or checksum is refused with `ArchiveError`.
 */
export async function extract({ zip, bytes, entries }: Extraction, target: string): Promise<void> {
  const places = entries.map((entry) => ({ entry, place: placeOf(entry, target) }));
  const folders = new Map<string, Promise<unknown>>();
  const makeFolder = (folder: string): Promise<unknown> => {
    const making = folders.get(folder) ?? mkdir(folder, { recursive: true });
    folders.set(folder, making);
    return making;
  };
  // Two entries of one name, also on a disk that does not tell cases apart, are written in their order: the last one counts.
  const names = new Set(places.map(({ place }) => place.normalize().toLowerCase()));
  await inParallel(places, names.size < places.length ? 1 : WRITERS, async ({ entry, place }) => {
    if (entry.fileName.endsWith('/')) {
      await makeFolder(place);
      return;
    }
    await makeFolder(path.dirname(place));
    if (bytes && entry.uncompressedSize <= MAX_WHOLE_BYTES) {
      const { fileDataStart } = await zip.readLocalFileHeaderPromise(entry, { minimal: true });
      const packed = bytes.subarray(fileDataStart, fileDataStart + entry.compressedSize);
      await writeFile(place, await contentOf(entry, packed), { mode: FILE_MODE });
    } else {
      const content = await zip.openReadStreamPromise(entry);
      await pipeline(content, new Checked(entry), createWriteStream(place, { mode: FILE_MODE }));
    }
  });
}

function placeOf(entry: Entry, target: string): string {
  const place = path.join(target, entry.fileName);
  // The names were checked; this holds even if a name means more to this system than to the check.
  if (place !== target && !place.startsWith(target + path.sep)) {
    throw new ArchiveError(`invalid zip file: "${entry.fileName}" leaves the folder`);
  }
  return place;
}

/** Does `work` on each item, `many` at a time; when one fails, none is begun any more and the rest is waited for. */
async function inParallel<T>(items: readonly T[], many: number, work: (item: T) => Promise<void>): Promise<void> {
  let next = 0;
  const workers = Array.from({ length: many }, async () => {
    for (let item = items[next++]; item !== undefined; item = items[next++]) {
      await work(item).catch((error: unknown) => {
        next = items.length;
        throw error;
      });
    }
  });
  const failed = (await Promise.allSettled(workers)).find((result) => result.status === 'rejected');
  if (failed) throw failed.reason;
}

async function contentOf(entry: Entry, packed: Buffer): Promise<Buffer> {
  const content = entry.compressionMethod === STORED ? packed : await inflated(entry, packed);
  if (content.length !== entry.uncompressedSize || crc32(content) !== entry.crc32) throw damaged(entry);
  return content;
}

async function inflated(entry: Entry, packed: Buffer): Promise<Buffer> {
  // The library takes no limit of 0 bytes; the length is compared afterwards.
  const limit = { maxOutputLength: Math.max(entry.uncompressedSize, 1) };
  try {
    return entry.uncompressedSize <= MAX_AT_ONCE_BYTES ? inflateRawSync(packed, limit) : await inflate(packed, limit);
  } catch (error) {
    throw damaged(entry, error);
  }
}

/** Passes content on and fails at its end when its checksum is not the entry's. Its length is watched by the source. */
class Checked extends Transform {
  #checksum = 0;

  constructor(private readonly entry: Entry) {
    super();
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: (error: null, chunk: Buffer) => void): void {
    this.#checksum = crc32(chunk, this.#checksum);
    done(null, chunk);
  }

  override _flush(done: (error?: Error) => void): void {
    if (this.#checksum === this.entry.crc32) done();
    else done(damaged(this.entry));
  }
}

function damaged({ fileName }: Entry, cause?: unknown): ArchiveError {
  return new ArchiveError(`invalid zip file: "${fileName}" is damaged`, cause);
}
