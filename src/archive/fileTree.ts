import { join } from 'node:path';
import { chooser, type ChoiceOptions, type Choose } from './choice';
import { entryRefusal, inspect, listFolder, type Entry } from './listing';
import { unsafeName } from './names';
import type { LeftOut, SelectedFile, Selection } from './selection';

/** A folder to be read. Below a folder that is left out only what is explicitly included counts. */
interface Visit {
  path: string;
  onlyIncluded: boolean;
}

const ROOT: Visit = { path: '', onlyIncluded: false };

/**
 * The files of an extension folder that are packed, and what stays out, as they were found. It can be brought up to date path by
 * path at the cost of these paths. Reading is one thing after the other: the caller sees to that.
 */
export class FileTree {
  readonly #choose: Choose;
  readonly #files = new Map<string, SelectedFile>();
  readonly #leftOut = new Map<string, LeftOut>();
  /** The folders that were opened. */
  readonly #visits = new Map<string, Visit>();
  #selection: Selection | undefined;

  /** `folder`: absolute path. Nothing is read yet. */
  constructor(
    private readonly folder: string,
    options: ChoiceOptions,
  ) {
    this.#choose = chooser(options);
  }

  /** Reads the whole folder; rejects with an {@link ArchiveError} when it cannot be read, or with the signal's reason. */
  async readAll(signal?: AbortSignal): Promise<void> {
    this.#forget('');
    await this.#walk(ROOT, signal);
  }

  /**
   * Looks again at a path of a tree that was read: it may have come, gone, changed, or become something else. Of a folder all
   * is read that is in it.
   */
  async readAgain(path: string, signal?: AbortSignal): Promise<void> {
    const [at, parent] = this.#firstNotOpened(path);
    const name = at.slice(at.lastIndexOf('/') + 1);
    // Whether something of an unsafe name is there, only the list of its folder can tell.
    if (at !== '' && unsafeName(name) !== undefined) return this.readAgain(parent.path, signal);
    this.#forget(at);
    if (at === '') return this.#walk(ROOT, signal);
    const entry = await inspect(join(this.folder, parent.path), name);
    const visit = entry && this.#place(at, entry, parent.onlyIncluded);
    if (visit) await this.#walk(visit, signal);
  }

  /** What was found, by path. */
  get files(): ReadonlyMap<string, SelectedFile> {
    return this.#files;
  }

  selection(): Selection {
    this.#selection ??= {
      files: [...this.#files.values()].sort(byPath),
      leftOut: [...this.#leftOut.values()].sort(byPath),
      totalBytes: [...this.#files.values()].reduce((sum, { size }) => sum + size, 0),
    };
    return this.#selection;
  }

  /** The part of a path to look at: all of it when the folders above it are open, else the topmost that is not. */
  #firstNotOpened(path: string): [path: string, parent: Visit] {
    let parent = ROOT;
    for (let end = path.indexOf('/'); end >= 0; end = path.indexOf('/', end + 1)) {
      const visit = this.#visits.get(path.slice(0, end));
      if (!visit) return [path.slice(0, end), parent];
      parent = visit;
    }
    return [path, parent];
  }

  /** Reads a folder and all that is open below it. */
  async #walk(start: Visit, signal: AbortSignal | undefined): Promise<void> {
    const pending = [start];
    for (let visit = pending.pop(); visit; visit = pending.pop()) {
      signal?.throwIfAborted();
      const { path: parent, onlyIncluded } = visit;
      const entries = await listFolder(this.folder, parent);
      if (typeof entries === 'string') {
        this.#leaveOut(parent, entries);
        continue;
      }
      this.#visits.set(parent, visit);
      for (const entry of entries) {
        const path = parent === '' ? entry.name : `${parent}/${entry.name}`;
        const next = this.#place(path, entry, onlyIncluded);
        if (next) pending.push(next);
      }
    }
  }

  /** Notes an entry as a file or as left out; gives the visit to be made when it is a folder to open. */
  #place(path: string, entry: Entry, onlyIncluded: boolean): Visit | undefined {
    const { stats } = entry;
    const isFolder = stats?.isDirectory() ?? false;
    const choice = this.#choose(path, isFolder, onlyIncluded);
    if (choice === 'skip') return undefined;
    if (choice !== 'take') {
      this.#leaveOut(path, choice.reason);
      return choice.open ? { path, onlyIncluded: true } : undefined;
    }
    const refusal = entryRefusal(entry);
    if (refusal !== undefined) this.#leaveOut(path, refusal);
    else if (isFolder) return { path, onlyIncluded: false };
    else if (stats) this.#files.set(path, { path, size: stats.size, mtimeMs: stats.mtimeMs, ctimeMs: stats.ctimeMs });
    return undefined;
  }

  #leaveOut(path: string, reason: string): void {
    this.#leftOut.set(path, { path, reason });
  }

  #forget(path: string): void {
    this.#selection = undefined;
    const all = [this.#files, this.#leftOut, this.#visits];
    const wasFolder = this.#visits.has(path);
    for (const known of all) known.delete(path);
    if (!wasFolder) return;
    const start = path === '' ? '' : `${path}/`;
    for (const known of all) {
      for (const key of known.keys()) if (key.startsWith(start)) known.delete(key);
    }
  }
}

function byPath(a: { path: string }, b: { path: string }): number {
  return a.path < b.path ? -1 : a.path > b.path ? 1 : 0;
}
