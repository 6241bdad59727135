import { createHash } from 'node:crypto';
import { EventLoop } from '../base/eventLoop';
import { DEFLATE_LEVEL, digestOf, isDeflated, STORE_LEVEL } from './compress';
import { CompressThreads } from './compressThreads';
import type { ExtensionSource } from './extensionSource';
import { isUntouched, type KnownFile, type PackedFile } from './knownFile';
import {
  MAX_ARCHIVE_BYTES,
  refuseCount,
  refuseFolder,
  refuseTooLarge,
  refuseUnfinished,
  TooLargeError,
} from './archiveLimits';
import type { SelectedFile } from './selection';
import { EMPTY_ZIP_BYTES, type FileZip, loadEntry, mergeEntries, storedBytes, storedEntry, zipFile } from './zip';

/** A packed extension. */
export interface Archive {
  /**
   * The zip itself, made when it is first asked for: of most builds, only the files that have changed are sent. The same names and contents at the
   * same level always give the same bytes.
   */
  zip: () => Promise<Uint8Array<ArrayBuffer>>;
  /** Its length, in bytes. */
  zipBytes: number;
  /** Number of files in it; there are no entries for folders. */
  files: number;
  uncompressedBytes: number;
  /** SHA-256 in hex over all names and contents; independent of times and compression. */
  digest: string;
  /** SHA-256 in hex of each file's content, by path. */
  digests: Map<string, string>;
  /** The entries of the zip, for {@link replaceFiles}. */
  packed: readonly PackedFile[];
}

export interface PackOptions {
  signal?: AbortSignal;
  /** Called with the number of packed files, in rising order: after each file that was read, and at the end with all of them. */
  onProgress?: (done: number, total: number) => void;
  /** Deflate level: 0 stores the files as they are, 1 is fast, 9 is small. */
  level?: number;
  /** The size of the largest archive that is not refused, in bytes. Default: {@link MAX_ARCHIVE_BYTES}. */
  maxBytes?: number;
}

/** Makes the entry of a file for an archive. */
type MakeEntry = (path: string, content: Uint8Array) => Promise<Pick<PackedFile, 'entry' | 'zipBytes'>>;

/** Files that are read and compressed at the same time: enough to keep all threads busy, few enough for the memory. */
const PARALLEL_FILES = 8;

/**
 * Packs the files of one source again and again at the cost of what has changed: compressed files are kept from one pack to the next (their memory is
 * at most the size of an archive), and only files with another size or time are read. The result depends on the files alone, never
 * on earlier packs. Packs may run at the same time.
 */
export class FolderPacker {
  #known: ReadonlyMap<string, KnownFile> = new Map();
  /** The pack ahead that is running. */
  #ahead: { abort: AbortController; end: Promise<void> } | undefined;

  /** The caller disposes `threads`. */
  constructor(
    private readonly source: ExtensionSource,
    private readonly threads = new CompressThreads(),
  ) {}

  /**
   * Packs the selected files. Rejects with an ArchiveError that names the file when one was deleted, has changed or cannot be read
   * since it was selected, with a TooLargeError as soon as it is clear that the archive will be too large, and with the signal's
   * reason when aborted; an abort takes effect between two files.
   */
  async pack(files: readonly SelectedFile[], options: PackOptions = {}): Promise<Archive> {
    this.#ahead?.abort.abort();
    await this.#ahead?.end;
    return this.#pack(files, options);
  }

  /**
   * Packs files before they are needed. The next pack, or `signal`, cancels it; the next pack uses what was compressed until then.
   * Rejects as `pack` does.
   */
  async ahead(files: readonly SelectedFile[], { signal, level }: Pick<PackOptions, 'signal' | 'level'>): Promise<void> {
    this.#ahead?.abort.abort();
    const abort = new AbortController();
    const either = signal ? AbortSignal.any([signal, abort.signal]) : abort.signal;
    const packing = this.#pack(files, { signal: either, ...(level === undefined ? {} : { level }) });
    const end = packing.then(
      () => undefined,
      () => undefined,
    );
    const mine = { abort, end };
    this.#ahead = mine;
    try {
      await packing;
    } finally {
      if (this.#ahead === mine) this.#ahead = undefined;
    }
  }

  async #pack(
    files: readonly SelectedFile[],
    { signal, onProgress, level = DEFLATE_LEVEL, maxBytes }: PackOptions,
  ): Promise<Archive> {
    signal?.throwIfAborted();
    refuseCount(this.source.place, files.length);
    const refusal = refuseFolder(files);
    if (refusal !== undefined) throw new TooLargeError(refusal);
    const packed = new Map<string, KnownFile>();
    let archiveBytes = EMPTY_ZIP_BYTES;
    const add = (file: KnownFile): void => {
      packed.set(file.selected.path, file);
      archiveBytes += file.zipBytes;
      const tooLarge = packed.size < files.length ? refuseUnfinished(archiveBytes, files, maxBytes) : undefined;
      if (tooLarge !== undefined) throw new TooLargeError(tooLarge);
    };
    const pending: SelectedFile[] = [];
    const eventLoop = new EventLoop();
    const before = this.#known;
    for (const file of files) {
      if (eventLoop.isDue) await eventLoop.yield(signal);
      const known = before.get(file.path);
      if (known?.level === level && isUntouched(known, file)) add(known);
      else pending.push(file);
    }
    const failure = new AbortController();
    const either = signal ? AbortSignal.any([signal, failure.signal]) : failure.signal;
    const makeEntry = this.#entryMaker(pending, level);
    // With the largest files first, all threads finish at about the same time.
    pending.sort((a, b) => b.size - a.size);
    const queue = pending.values();
    const packNext = async (): Promise<void> => {
      for (const file of queue) {
        if (either.aborted) return;
        try {
          add(await this.#packFile(file, level, makeEntry));
          if (packed.size < files.length) onProgress?.(packed.size, files.length);
        } catch (error) {
          failure.abort(error);
        }
      }
    };
    await Promise.all(Array.from({ length: PARALLEL_FILES }, packNext));
    // The next pack can use what a cancelled one has compressed.
    if (signal?.aborted) this.#known = new Map([...this.#known, ...packed]);
    either.throwIfAborted();
    onProgress?.(files.length, files.length);
    const archive = await archiveOf([...packed.keys()].sort().flatMap((path) => packed.get(path) ?? []));
    this.#known = packed;
    const tooLarge = refuseTooLarge(archive.zipBytes, files, maxBytes);
    if (tooLarge !== undefined) throw new TooLargeError(tooLarge);
    return archive;
  }

  async #packFile(selected: SelectedFile, level: number, makeEntry: MakeEntry): Promise<KnownFile> {
    const readAtMs = Date.now();
    const content = await this.source.read(selected);
    const digest = await digestOf(content);
    const known = this.#known.get(selected.path);
    if (known?.level === level && known.digest === digest) return { ...known, selected, readAtMs };
    const made = await makeEntry(selected.path, content);
    return { ...made, size: content.length, digest, level, selected, readAtMs };
  }

  /**
   * The function that makes the entries of the pending files of one pack. Worker threads compress all of them when new or resized files alone
   * are enough for them, else only the files after the first `minBytes`: a build may have written files again that are equal.
   */
  #entryMaker(pending: readonly SelectedFile[], level: number): MakeEntry {
    const isNew = ({ path, size }: SelectedFile): boolean => this.#known.get(path)?.size !== size;
    const { minBytes } = this.threads;
    let bytes = bytesToDeflate(pending.filter(isNew), level) > minBytes ? minBytes : 0;
    return async (path, content) => {
      if (!isDeflated(path, level)) {
        return { entry: await storedEntry(path, content), zipBytes: storedBytes(path, content.length) };
      }
      bytes += content.length;
      return await loaded(
        path,
        await (bytes > minBytes ? this.threads.zipFile(path, content, level) : zipFile(path, content, level)),
      );
    };
  }
}

/** The entry of a zip of one file. */
async function loaded(path: string, zip: FileZip): Promise<Pick<PackedFile, 'entry' | 'zipBytes'>> {
  return { entry: await loadEntry(path, zip), zipBytes: zip.bytes.length - EMPTY_ZIP_BYTES };
}

/** The largest sum of sizes, in bytes, that is sent uncompressed: the remainder is for names and headers. */
const MAX_STORED_BYTES = MAX_ARCHIVE_BYTES * 0.9;

/**
 * The level that brings an archive to the browser fastest: none on the same machine, where a copy is faster than compression (measured),
 * and {@link DEFLATE_LEVEL} over a network.
 */
export function levelFor(isLocal: boolean, totalBytes: number): number {
  return isLocal && totalBytes <= MAX_STORED_BYTES ? STORE_LEVEL : DEFLATE_LEVEL;
}

function bytesToDeflate(files: readonly SelectedFile[], level: number): number {
  return files.reduce((sum, { path, size }) => sum + (isDeflated(path, level) ? size : 0), 0);
}

/** The same archive with other contents of some of its files, by their paths; `level` as in {@link PackOptions}, none by default. */
export async function replaceFiles(
  archive: Archive,
  contents: ReadonlyMap<string, Uint8Array>,
  level = STORE_LEVEL,
): Promise<Archive> {
  if (contents.size === 0) return archive;
  const packed = archive.packed.map(async (file): Promise<PackedFile> => {
    const content = contents.get(file.entry.name);
    if (!content) return file;
    const path = file.entry.name;
    const size = content.length;
    const made =
      level === STORE_LEVEL
        ? { entry: await storedEntry(path, content), zipBytes: storedBytes(path, size) }
        : await loaded(path, await zipFile(path, content, level));
    return { ...made, size, digest: await digestOf(content) };
  });
  return await archiveOf(await Promise.all(packed));
}

/** The zip of a part of an archive's files; nothing is compressed again. */
export function zipOfFiles(files: readonly PackedFile[]): Promise<Uint8Array<ArrayBuffer>> {
  return mergeEntries(files.map(({ entry }) => entry));
}

/** How many characters are hashed at once: a call takes longer than to hash the line of a file. */
const HASHED_LENGTH = 16 * 1024;

/** The archive of files that are packed. Of many files, it takes turns of the event loop. */
export async function archiveOf(packed: readonly PackedFile[]): Promise<Archive> {
  const eventLoop = new EventLoop();
  const hash = createHash('sha256');
  const digests = new Map<string, string>();
  const files: PackedFile[] = [];
  let hashed = '';
  let length = EMPTY_ZIP_BYTES;
  let uncompressedBytes = 0;
  for (const { entry, size, digest, zipBytes } of packed) {
    if (eventLoop.isDue) await eventLoop.yield();
    // A path cannot hold NUL, so two different folders never hash the same text.
    hashed += `${entry.name}\0${digest}\n`;
    if (hashed.length > HASHED_LENGTH) {
      hash.update(hashed);
      hashed = '';
    }
    digests.set(entry.name, digest);
    files.push({ entry, size, digest, zipBytes });
    length += zipBytes;
    uncompressedBytes += size;
  }
  let zip: ReturnType<Archive['zip']> | undefined;
  return {
    zip: () => (zip ??= zipOfFiles(files)),
    zipBytes: length,
    files: files.length,
    uncompressedBytes,
    digest: hash.update(hashed).digest('hex'),
    digests,
    packed: files,
  };
}
