import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Larger than any manifest, catalogue or script worth reading; what is larger is told instead of read. */
const MAX_READ_BYTES = 64 * 1024 * 1024;

export type FileKind = 'file' | 'folder' | 'other';

export interface FileFacts {
  kind: FileKind;
  size: number;
}

export type ReadResult = { bytes: Uint8Array } | { refused: 'missing' | 'folder' | 'unreadable' | 'too large' };

/** Unsaved text of a file, by its path relative to the folder; undefined when the one on disk counts. */
export type ReadText = (path: string) => string | undefined;

/**
 * An extension folder as Chromium on Linux sees it, whatever the machine: names are case-sensitive, paths use `/`. Paths are taken
 * literally and cannot lead out of the folder; links in it are followed, as Chromium does for unpacked extensions. Nothing here
 * throws: what is missing, vanishes or is refused by the system is an answer. Listings are kept for the life of the object, which
 * is one check.
 */
export class ExtensionFolder {
  readonly #listings = new Map<string, Promise<ReadonlySet<string>>>();

  constructor(
    readonly path: string,
    readonly readText: ReadText = () => undefined,
  ) {}

  /** What stands at a path; undefined when nothing does, or only a link that leads nowhere. */
  async stat(path: string): Promise<FileFacts | undefined> {
    const segments = resolveSegments(path);
    if (!segments || !(await this.#isListed(segments))) return undefined;
    try {
      const stats = await stat(join(this.path, ...segments));
      const kind = stats.isFile() ? 'file' : stats.isDirectory() ? 'folder' : 'other';
      const unsaved = kind === 'file' ? this.readText(segments.join('/')) : undefined;
      return { kind, size: unsaved === undefined ? stats.size : Buffer.byteLength(unsaved) };
    } catch {
      return undefined;
    }
  }

  /** True when a file or folder of exactly this name is there. */
  async exists(path: string): Promise<boolean> {
    return (await this.stat(path)) !== undefined;
  }

  /** The unsaved text of a file in UTF-8, else its content on disk. */
  async read(path: string): Promise<ReadResult> {
    const segments = resolveSegments(path);
    const unsaved = segments && this.readText(segments.join('/'));
    if (unsaved !== undefined) return { bytes: Buffer.from(unsaved) };
    const facts = await this.stat(path);
    if (!segments || !facts) return { refused: 'missing' };
    if (facts.kind === 'folder') return { refused: 'folder' };
    // A pipe would wait for its other end for ever.
    if (facts.kind === 'other') return { refused: 'unreadable' };
    if (facts.size > MAX_READ_BYTES) return { refused: 'too large' };
    try {
      return { bytes: await readFile(join(this.path, ...segments)) };
    } catch {
      return { refused: 'unreadable' };
    }
  }

  /** Names in a folder of the extension, sorted; empty when there is no such folder. */
  async list(path: string): Promise<string[]> {
    const segments = resolveSegments(path);
    return segments ? [...(await this.#list(segments))] : [];
  }

  #list(segments: readonly string[]): Promise<ReadonlySet<string>> {
    const key = segments.join('/');
    let listing = this.#listings.get(key);
    if (!listing) {
      listing = readdir(join(this.path, ...segments)).then(
        (names) => new Set(names.sort()),
        () => new Set<string>(),
      );
      this.#listings.set(key, listing);
    }
    return listing;
  }

  async #isListed(segments: readonly string[]): Promise<boolean> {
    for (const [index, name] of segments.entries()) {
      if (!(await this.#list(segments.slice(0, index))).has(name)) return false;
    }
    return true;
  }
}

/** The segments of a path without `.` and empty ones; undefined when it leads out of the folder or cannot be a file name. */
function resolveSegments(path: string): string[] | undefined {
  const segments: string[] = [];
  for (const segment of path.split('/')) {
    if (segment === '' || segment === '.') continue;
    if (segment === '..' || segment.includes('\0') || segment.includes('\\')) return undefined;
    segments.push(segment);
  }
  return segments;
}
