import { createHash } from 'node:crypto';
import { compressFile, DEFAULT_LEVEL, digestOf, type PackedFile, STORE_LEVEL, storeFile } from './compress';
import { ArchiveError } from './error';
import { MAX_ARCHIVE_BYTES, refuseFolder, refuseTooLarge, refuseUnfinished, TooLargeError } from './limits';
import { readSelected } from './read';
import type { SelectedFile } from './selection';
import { MAX_ZIP_ENTRIES, zipOf } from './zip';

/** A packed extension. */
export interface Archive {
  /** The zip itself: the same names and contents at the same level always give the same bytes. */
  bytes: Uint8Array<ArrayBuffer>;
  /** Number of files in it; there are no entries for folders. */
  files: number;
  uncompressedBytes: number;
  /** SHA-256 in hex over all names and contents; independent of times and compression. */
  digest: string;
  /** SHA-256 in hex of each file's content, by path. */
  digests: Map<string, string>;
  /** What the zip was made of, for {@link replaceFile}. */
  packed: readonly PackedFile[];
}

export interface PackOptions {
  signal?: AbortSignal;
  /** Called with the number of files that are packed, in rising order: after each that was read, and at the end with all of them. */
  onProgress?: (done: number, total: number) => void;
  /** Deflate level: 0 stores the files as they are, 1 is fast, 9 is small. */
  level?: number;
}

/** Files that are read and compressed at the same time: as many as node has threads for it. It bounds the memory, too. */
const PARALLEL_FILES = 4;

/**
 * A file that was written this shortly before it was read is read again, in milliseconds: the next write may have got the
 * same time, because some file systems count time in steps of two seconds.
 */
const TIME_STEP_MS = 2000;

/** A file as it was packed last, and what the system said of it then. */
interface Known extends PackedFile {
  selected: SelectedFile;
  readAtMs: number;
  level: number;
}

/**
 * Packs one folder again and again at the cost of what has changed: compressed files are kept from one pack to the next (so at
 * most an archive's size of memory), and only those are read whose size or times are others. What it gives depends on the
 * files alone, never on what was packed before. Packs may run at the same time.
 */
export class FolderPacker {
  #known: ReadonlyMap<string, Known> = new Map();
  /** A pack ahead of need that is under way. */
  #ahead: { abort: AbortController; end: Promise<void> } | undefined;

  /** `folder`: absolute path. */
  constructor(private readonly folder: string) {}

  /**
   * Packs the selected files. Rejects with an ArchiveError that names the file when one vanished, changed or cannot be read since
   * it was selected, with a TooLargeError as soon as it is clear that the archive will be too large, and with the signal's
   * reason when aborted; an abort takes effect between two files.
   */
  async pack(files: readonly SelectedFile[], options: PackOptions = {}): Promise<Archive> {
    this.#ahead?.abort.abort();
    await this.#ahead?.end;
    return this.#pack(files, options);
  }

  /**
   * Compresses the files of a pack to come. What is done when that comes, or when `signal` aborts, is kept for it. Rejects as
   * `pack` does.
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
    { signal, onProgress, level = DEFAULT_LEVEL }: PackOptions,
  ): Promise<Archive> {
    signal?.throwIfAborted();
    refuseCount(this.folder, files.length);
    const refusal = refuseFolder(files);
    if (refusal !== undefined) throw new TooLargeError(refusal);
    const packed = new Map<string, Known>();
    let packedBytes = 0;
    const work = async (queue: Iterable<SelectedFile>): Promise<void> => {
      for (const file of queue) {
        signal?.throwIfAborted();
        const known = await this.#packFile(file, level);
        packed.set(file.path, known);
        packedBytes += known.entry.data.length;
        const tooLarge = refuseUnfinished(packedBytes, files);
        if (tooLarge !== undefined) throw new TooLargeError(tooLarge);
        // Files that are known take no time, so nobody needs to be told of each.
        if (known !== this.#known.get(file.path) && packed.size < files.length) onProgress?.(packed.size, files.length);
      }
    };
    const queue = oneByOne(files);
    const workers = await Promise.allSettled(Array.from({ length: PARALLEL_FILES }, () => work(queue)));
    // What one pack has done is good for the next, also when it was not let to its end.
    if (signal?.aborted) this.#known = new Map([...this.#known, ...packed]);
    signal?.throwIfAborted();
    const failed = workers.find((worker) => worker.status === 'rejected');
    if (failed) throw failed.reason;
    onProgress?.(files.length, files.length);
    const archive = archiveOf([...packed.values()].sort((a, b) => (a.entry.path < b.entry.path ? -1 : 1)));
    this.#known = packed;
    const tooLarge = refuseTooLarge(archive.bytes.length, files);
    if (tooLarge !== undefined) throw new TooLargeError(tooLarge);
    return archive;
  }

  async #packFile(selected: SelectedFile, level: number): Promise<Known> {
    const known = this.#known.get(selected.path);
    const before = known?.level === level ? known : undefined;
    if (before && isUntouched(before, selected)) return before;
    const readAtMs = Date.now();
    const content = await readSelected(this.folder, selected);
    if (before?.entry.size === content.length && before.digest === (await digestOf(content))) {
      return { ...before, selected, readAtMs };
    }
    return { ...(await compressFile(selected.path, content, level)), selected, readAtMs, level };
  }
}

/** Packs the selected files once; rejects as {@link FolderPacker.pack} does. */
export function packFiles(folder: string, files: readonly SelectedFile[], options: PackOptions = {}): Promise<Archive> {
  return new FolderPacker(folder).pack(files, options);
}

/** The largest sum of sizes, in bytes, that is sent uncompressed: the rest is room for names and headers. */
const MAX_STORED_BYTES = MAX_ARCHIVE_BYTES * 0.9;

/**
 * The level that is fastest to the browser: none on the same machine, where a copy is quicker than compression (measured), and
 * zlib's balance over a network.
 */
export function levelFor(isLocal: boolean, totalBytes: number): number {
  return isLocal && totalBytes <= MAX_STORED_BYTES ? STORE_LEVEL : DEFAULT_LEVEL;
}

function isUntouched({ selected: before, readAtMs }: Known, now: SelectedFile): boolean {
  return (
    before.size === now.size &&
    before.mtimeMs === now.mtimeMs &&
    before.ctimeMs === now.ctimeMs &&
    Math.max(now.mtimeMs, now.ctimeMs) + TIME_STEP_MS < readAtMs
  );
}

/** One sequence for several readers; when one of them fails, it ends for all. */
function* oneByOne<T>(values: Iterable<T>): Generator<T, void> {
  yield* values;
}

function refuseCount(folder: string, count: number): void {
  if (count <= MAX_ZIP_ENTRIES) return;
  throw new ArchiveError(
    'folder',
    folder,
    `${folder} holds ${count} files, an archive at most ${MAX_ZIP_ENTRIES}: choose the folder of the built extension, or exclude files.`,
  );
}

/** The same archive with another content for the file `path`, which is stored as it is. */
export function replaceFile(archive: Archive, path: string, content: Uint8Array): Archive {
  const replacement = storeFile(path, content);
  return archiveOf(archive.packed.map((file) => (file.entry.path === path ? replacement : file)));
}

function archiveOf(packed: readonly PackedFile[]): Archive {
  const all = createHash('sha256');
  // A path cannot hold NUL, so two different folders never hash the same text.
  for (const { entry, digest } of packed) all.update(`${entry.path}\0${digest}\n`);
  return {
    bytes: zipOf(packed.map(({ entry }) => entry)),
    files: packed.length,
    uncompressedBytes: packed.reduce((sum, { entry }) => sum + entry.size, 0),
    digest: all.digest('hex'),
    digests: new Map(packed.map(({ entry, digest }) => [entry.path, digest])),
    packed: packed.map(({ entry, digest }) => ({ entry, digest })),
  };
}
