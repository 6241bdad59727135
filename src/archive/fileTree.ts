import { join } from 'node:path';
import { keyReason } from './exclusions';
import { EventLoop } from '../base/eventLoop';
import { chooser, type ChoiceOptions, type Choose } from './choice';
import { entryRefusal, inspect, listFolder, type Entry } from './listing';
import { refuseCount } from './archiveLimits';
import { unsafeName } from './entryNames';
import { isPrivateKey } from './privateKeys';
import type { LeftOut, SelectedFile, Selection } from './selection';

/** A folder to read. In an excluded folder only explicitly included paths count. */
interface Visit {
  path: string;
  onlyIncluded: boolean;
}

/** Folders that are read at the same time. */
const PARALLEL_FOLDERS = 8;

const ROOT: Visit = { path: '', onlyIncluded: false };

/** How a tree reads a disk, other than in tests that of this system. */
interface DiskOptions {
  /** Whether the disk takes two names that differ in case for one, as those of Windows and macOS mostly do. */
  ignoresCase?: boolean;
  inspect?: typeof inspect;
}

/** Whether the disks of a system mostly take no account of case. */
export function ignoresCaseOn(platform: NodeJS.Platform): boolean {
  return platform === 'win32' || platform === 'darwin';
}

/**
 * The packed and the left-out files of an extension folder, as they were last read. A refresh of a path costs only what that path
 * holds. Calls must not overlap: the caller awaits one before the next.
 */
export class FileTree {
  readonly #choose: Choose;
  readonly #ignoresCase: boolean;
  readonly #inspect: typeof inspect;
  readonly #files = new Map<string, SelectedFile>();
  readonly #leftOut = new Map<string, LeftOut>();
  /** The folders that were opened. */
  readonly #visits = new Map<string, Visit>();
  /** Packed files that may be private keys, and were not looked into yet. */
  #unread: SelectedFile[] = [];
  #selection: Selection | undefined;

  /** `folder`: absolute path. The constructor does not read the disk. */
  constructor(
    private readonly folder: string,
    options: ChoiceOptions,
    { ignoresCase = ignoresCaseOn(process.platform), inspect: look = inspect }: DiskOptions = {},
  ) {
    this.#choose = chooser(options);
    this.#ignoresCase = ignoresCase;
    this.#inspect = look;
  }

  /** Reads the whole folder; rejects with an {@link ArchiveError} when it cannot be read, or with the signal's reason. */
  async readAll(signal?: AbortSignal): Promise<void> {
    this.#remove('');
    await this.#walk(ROOT, signal);
  }

  /** Reads a path again that may have been created, deleted, changed or replaced; a folder is read with its contents. */
  async refresh(path: string, signal?: AbortSignal): Promise<void> {
    const [target, parent] = this.#firstUnopened(path);
    const name = target.slice(target.lastIndexOf('/') + 1);
    // Only the list of its folder shows whether a file with an unsafe name exists.
    if (target !== '' && unsafeName(name) !== undefined) return this.refresh(parent.path, signal);
    this.#remove(target);
    if (target === '') return this.#walk(ROOT, signal);
    const entry = await this.#inspect(join(this.folder, parent.path), name);
    // Such a disk finds `a.js` by the name `A.js`, which it had before; only the list of its folder has the name that it has now.
    if (entry && this.#ignoresCase && this.#hasOtherSpelling(target)) return this.refresh(parent.path, signal);
    const visit = entry && this.#add(target, entry, parent.onlyIncluded);
    await this.#leaveOutKeys();
    if (visit) await this.#walk(visit, signal);
  }

  /** The packed files, by path. */
  get files(): ReadonlyMap<string, SelectedFile> {
    return this.#files;
  }

  selection(): Selection {
    this.#selection ??= {
      files: sorted(this.#files),
      leftOut: sorted(this.#leftOut),
      totalBytes: [...this.#files.values()].reduce((sum, { size }) => sum + size, 0),
    };
    return this.#selection;
  }

  /** The path itself when all folders above it were opened, else the topmost folder that was not. */
  #firstUnopened(path: string): [path: string, parent: Visit] {
    let parent = ROOT;
    for (let end = path.indexOf('/'); end >= 0; end = path.indexOf('/', end + 1)) {
      const visit = this.#visits.get(path.slice(0, end));
      if (!visit) return [path.slice(0, end), parent];
      parent = visit;
    }
    return [path, parent];
  }

  /** Whether a path is known that differs from this one in case alone. */
  #hasOtherSpelling(path: string): boolean {
    const lower = path.toLowerCase();
    for (const map of [this.#files, this.#leftOut, this.#visits]) {
      for (const key of map.keys())
        if (key.length === path.length && key !== path && key.toLowerCase() === lower) return true;
    }
    return false;
  }

  /** Reads a folder and all folders below it that are to be opened. */
  async #walk(start: Visit, signal: AbortSignal | undefined): Promise<void> {
    const eventLoop = new EventLoop();
    const pending = [start];
    while (pending.length > 0) {
      signal?.throwIfAborted();
      const visits = pending.splice(-PARALLEL_FOLDERS);
      const found = await Promise.all(visits.map((visit) => this.#visit(visit, eventLoop, signal)));
      for (const visit of found.flat()) pending.push(visit);
    }
  }

  /** Reads one folder; returns the folders below it that are to be opened. */
  async #visit(visit: Visit, eventLoop: EventLoop, signal: AbortSignal | undefined): Promise<Visit[]> {
    const { path: parent, onlyIncluded } = visit;
    const found: Visit[] = [];
    for await (const entries of listFolder(this.folder, parent)) {
      if (typeof entries === 'string') {
        this.#leaveOut({ path: parent, reason: entries });
        continue;
      }
      this.#visits.set(parent, visit);
      for (const entry of entries) {
        if (eventLoop.isDue) await eventLoop.yield(signal);
        const path = parent === '' ? entry.name : `${parent}/${entry.name}`;
        const next = this.#add(path, entry, onlyIncluded);
        if (next) found.push(next);
      }
      await this.#leaveOutKeys();
      refuseCount(this.folder, this.#files.size);
    }
    return found;
  }

  /** Adds an entry to the packed or the left-out files; returns the visit to make when the entry is a folder to open. */
  #add(path: string, entry: Entry, onlyIncluded: boolean): Visit | undefined {
    const { stats } = entry;
    const isFolder = stats?.isDirectory() ?? false;
    const choice = this.#choose(path, isFolder, onlyIncluded);
    if (choice === 'skip') return undefined;
    if (typeof choice === 'object') {
      const { reason, rule, isSecret } = choice;
      this.#leaveOut({ path, reason, rule, ...(isSecret && { isSecret }) });
      return choice.open ? { path, onlyIncluded: true } : undefined;
    }
    const refusal = entryRefusal(entry);
    if (refusal !== undefined) {
      this.#leaveOut({ path, reason: refusal });
    } else if (isFolder) {
      return { path, onlyIncluded: false };
    } else if (stats) {
      const file = { path, size: stats.size, mtimeMs: stats.mtimeMs, ctimeMs: stats.ctimeMs };
      this.#files.set(path, file);
      if (choice === 'take') this.#unread.push(file);
    }
    return undefined;
  }

  #leaveOut(leftOut: LeftOut): void {
    this.#leftOut.set(leftOut.path, leftOut);
  }

  /** Looks into the files that were added, and leaves out private keys, whatever they are called. */
  async #leaveOutKeys(): Promise<void> {
    const unread = this.#unread;
    this.#unread = [];
    const check = async (file: SelectedFile): Promise<void> => {
      const { path } = file;
      if (!(await isPrivateKey(join(this.folder, path), file)) || this.#files.get(path) !== file) return;
      this.#files.delete(path);
      this.#leaveOut({ path, reason: keyReason(), rule: 'builtIn', isSecret: true });
    };
    await Promise.all(unread.map(check));
  }

  /** Removes a path and everything below it. */
  #remove(path: string): void {
    this.#selection = undefined;
    const maps = [this.#files, this.#leftOut, this.#visits];
    const wasFolder = this.#visits.has(path);
    for (const map of maps) map.delete(path);
    if (!wasFolder) return;
    const start = path === '' ? '' : `${path}/`;
    for (const map of maps) {
      for (const key of map.keys()) if (key.startsWith(start)) map.delete(key);
    }
  }
}

/** Sorting the keys without a function of our own is several times as fast. */
function sorted<T>(byPath: ReadonlyMap<string, T>): T[] {
  return [...byPath.keys()].sort().flatMap((path) => byPath.get(path) ?? []);
}
