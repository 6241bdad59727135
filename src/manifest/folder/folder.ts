import { createHash } from 'node:crypto';
import { diskReader, MAX_READ_BYTES, type FileFacts, type FolderEntry, type FolderReader } from './folderReader';

export type { FolderReader } from './folderReader';

export type ReadResult = { bytes: Uint8Array } | { refused: 'missing' | 'folder' | 'unreadable' | 'too large' };

/** Unsaved text of a file, by its path relative to the folder; undefined to read the file on disk. */
export type ReadText = (path: string) => string | undefined;

/** So many entries are searched for a file. */
const MAX_SEARCHED_ENTRIES = 1000;

/** Folders that can have more files than an extension: what comes after them would not be found. */
const HUGE: ReadonlySet<string> = new Set(['node_modules', '.git', '.hg', '.svn', '.pnpm-store', '.yarn', '.cache']);

/** What a check has found at a path: the SHA-256 in hex of the content that it has read, and the names that it has listed. */
export interface Seen extends FileFacts {
  digest?: string;
  names?: ReadonlySet<string>;
}

/** What a check has found, by path: at every path that was requested by name. Undefined where nothing exists. */
export type SeenPaths = ReadonlyMap<string, Seen | undefined>;

/** A file or folder found by a walk. */
export interface WalkedEntry extends FolderEntry {
  /** From the root, with `/`. */
  path: string;
}

/**
 * An extension folder as on Linux, whatever the machine: names are case-sensitive, paths use `/`. Paths are literal and cannot lead out of
 * the folder; links in it are followed, as Chromium does for unpacked extensions. No method throws: a file that is missing, vanishes or
 * cannot be read is a result. Listings and facts are cached for the life of the object, which is one check.
 */
export class ExtensionFolder {
  readonly #listings = new Map<string, Promise<ReadonlyMap<string, FolderEntry>>>();
  readonly #facts = new Map<string, Promise<FileFacts | undefined>>();
  readonly #walks = new Map<number, Promise<readonly WalkedEntry[]>>();
  readonly #reader: FolderReader;
  readonly #seen = new Map<string, Seen | undefined>();

  constructor(
    readonly path: string,
    readonly readText: ReadText = () => undefined,
    reader?: FolderReader,
  ) {
    this.#reader = reader ?? diskReader(path);
  }

  /** What was found so far. */
  get seen(): SeenPaths {
    return this.#seen;
  }

  /** The facts about a path; undefined when nothing exists there, or only a link that leads nowhere. */
  async stat(path: string): Promise<FileFacts | undefined> {
    const segments = resolveSegments(path);
    if (!segments) return undefined;
    const key = segments.join('/');
    const facts = this.#facts.get(key) ?? this.#stat(segments);
    this.#facts.set(key, facts);
    if (!this.#seen.has(key)) this.#seen.set(key, await facts);
    return facts;
  }

  async #stat(segments: readonly string[]): Promise<FileFacts | undefined> {
    if (!(await this.#isListed(segments))) return undefined;
    try {
      const facts = await this.#reader.stat(segments.join('/'));
      const unsaved = facts.kind === 'file' ? this.readText(segments.join('/')) : undefined;
      return unsaved === undefined ? facts : { ...facts, size: Buffer.byteLength(unsaved) };
    } catch {
      return undefined;
    }
  }

  /** True when a file or folder of exactly this name exists. */
  async exists(path: string): Promise<boolean> {
    return (await this.stat(path)) !== undefined;
  }

  /** The unsaved text of a file in UTF-8, else its content on disk, of at most `maxBytes`. */
  async read(path: string, maxBytes = MAX_READ_BYTES): Promise<ReadResult> {
    const segments = resolveSegments(path);
    if (!segments) return { refused: 'missing' };
    const key = segments.join('/');
    const unsaved = this.readText(key);
    if (unsaved !== undefined) {
      const bytes = Buffer.from(unsaved);
      this.#noteContent(key, bytes);
      return bytes.length > maxBytes ? { refused: 'too large' } : { bytes };
    }
    const facts = await this.stat(path);
    if (!facts) return { refused: 'missing' };
    if (facts.kind === 'folder') return { refused: 'folder' };
    // Reading a pipe would wait for its other end for ever.
    if (facts.kind === 'other') return { refused: 'unreadable' };
    if (facts.size > maxBytes) return { refused: 'too large' };
    try {
      const bytes = await this.#reader.read(key, facts.size);
      this.#noteContent(key, bytes);
      return { bytes };
    } catch {
      return { refused: 'unreadable' };
    }
  }

  /** Takes note of content. A file that is read again and has changed has no digest that any content has. */
  #noteContent(key: string, bytes: Uint8Array): void {
    const before = this.#seen.get(key)?.digest;
    const now = createHash('sha256').update(bytes).digest('hex');
    this.#seen.set(key, {
      kind: 'file',
      size: bytes.length,
      digest: before === undefined || before === now ? now : '',
    });
  }

  /** Names in a folder of the extension, sorted; empty when there is no such folder. */
  async list(path: string): Promise<string[]> {
    return (await this.entries(path)).map(({ name }) => name).sort();
  }

  /** The entries of a folder of the extension, in the order in which the system lists them. */
  async entries(path: string): Promise<FolderEntry[]> {
    const segments = resolveSegments(path);
    if (!segments) return [];
    const entries = await this.#list(segments.join('/'));
    this.#seen.set(segments.join('/'), { kind: 'folder', size: 0, names: new Set(entries.keys()) });
    return [...entries.values()];
  }

  /**
   * Whether a folder, or one below it, has a file; one with very many entries counts as such. `counts`: which files, links among them, count.
   */
  async hasFile(path: string, counts: (entry: WalkedEntry) => boolean = () => true): Promise<boolean> {
    const folders = [path];
    let seen = 0;
    for (const parent of folders) {
      for (const entry of await this.entries(parent)) {
        const found = { ...entry, path: `${parent}/${entry.name}` };
        if (entry.kind === 'folder') folders.push(found.path);
        else if (counts(found)) return true;
        if (++seen > MAX_SEARCHED_ENTRIES) return true;
      }
    }
    return false;
  }

  /** The total size of files found by a walk, in bytes, without those that vanished. */
  sizeOf(files: readonly WalkedEntry[]): Promise<number> {
    return this.#reader.sizeOf(files.map(({ path }) => path));
  }

  /** Every file and folder below the root, at most `limit` of them, those of huge folders last; links are listed but not followed. */
  async walk(limit: number): Promise<readonly WalkedEntry[]> {
    let walk = this.#walks.get(limit);
    if (!walk) {
      walk = this.#walk(limit);
      this.#walks.set(limit, walk);
    }
    return walk;
  }

  async #walk(limit: number): Promise<WalkedEntry[]> {
    const found: WalkedEntry[] = [];
    const folders = [''];
    const huge: string[] = [];
    for (let folder = folders.pop(); folder !== undefined; folder = folders.pop() ?? huge.pop()) {
      for (const entry of (await this.#list(folder)).values()) {
        if (found.length >= limit) return found;
        const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
        found.push({ ...entry, path });
        if (entry.kind === 'folder') (HUGE.has(entry.name) ? huge : folders).push(path);
      }
    }
    return found;
  }

  #list(key: string): Promise<ReadonlyMap<string, FolderEntry>> {
    let listing = this.#listings.get(key);
    if (!listing) {
      listing = this.#reader.list(key).then(
        (entries) => new Map(entries.map((entry) => [entry.name, entry] as const)),
        () => new Map<string, FolderEntry>(),
      );
      this.#listings.set(key, listing);
    }
    return listing;
  }

  /** As {@link exists}, of what is not packed: what the check finds there does not depend on it. */
  async isListed(path: string): Promise<boolean> {
    const segments = resolveSegments(path);
    return segments !== undefined && (await this.#isListed(segments));
  }

  async #isListed(segments: readonly string[]): Promise<boolean> {
    for (const [index, name] of segments.entries()) {
      if (!(await this.#list(segments.slice(0, index).join('/'))).has(name)) return false;
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
