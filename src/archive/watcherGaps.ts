import { watch, type FSWatcher } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';
import { EventLoop } from '../base/eventLoop';

/** `entry`: a file or folder was created, deleted or replaced; `content`: a file was written. */
export type ChangeKind = 'entry' | 'content';

/** Receives a change of an absolute path. */
export type ChangeListener = (path: string, kind: ChangeKind) => void;

/** Folders watched at the same time: the system limits the watches of a user, which other programs need too. */
const MAX_WATCHED = 1000;

/** These folders may hold very many files, which are not part of an extension unless a setting includes them. */
const SKIPPED = new Set(['node_modules', '.git']);

/**
 * Adds the events that recursive watchers drop for directories that appear with contents.
 *
 * For a directory that was moved (`mv built dist`) a watcher reports only the directory. On Linux, recursive watchers use inotify(7),
 * and watch a new directory only after its event: what was created in it before is never watched. `mkdir -p dist/scripts` sometimes
 * loses `dist/scripts`, and `mv built dist` always loses all directories in `dist` (seen on Linux with \@parcel/watcher 2.5.6, which
 * VS Code uses).
 *
 * The owner of a watcher passes every event to `onEvent`. `onChange` receives the additional events; an event may be reported twice,
 * but none is dropped.
 */
export class WatcherGaps {
  /** By the absolute path of the directory. */
  readonly #watched = new Map<string, FSWatcher>();
  #isDisposed = false;

  /**
   * `root`: absolute path of the directory that the watcher watches. `usesInotify`: whether the watcher may miss directories for as long
   * as they exist, as every watcher on Linux may.
   */
  constructor(
    private readonly root: string,
    private readonly onChange: ChangeListener,
    private readonly usesInotify = process.platform === 'linux',
  ) {}

  /**
   * Handles an event of the watcher for this absolute path. Resolves when the contents of the path, if it is a directory, have been
   * reported and its subdirectories are watched. Never rejects: paths that cannot be read or watched are skipped.
   */
  async onEvent(path: string): Promise<void> {
    const segments = relative(this.root, path).split(sep);
    if (segments.some((segment) => SKIPPED.has(segment))) return;
    // The watcher does report the contents of this directory.
    this.#release(dirname(path));
    const info = await lstat(path).catch(() => undefined);
    if (info?.isDirectory()) await this.#reportContents(path);
    else if (!info) this.#releaseBelow(path);
  }

  /** Ends all watching. */
  dispose(): void {
    this.#isDisposed = true;
    for (const folder of this.#watched.keys()) this.#release(folder);
  }

  async #reportContents(folder: string): Promise<void> {
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
    const eventLoop = new EventLoop();
    for (const entry of entries) {
      await eventLoop.yield();
      if (this.#isDisposed) return;
      const path = join(folder, entry.name);
      this.onChange(path, 'entry');
      if (entry.isDirectory()) await this.#addFolder(path);
    }
  }

  /** Watches a directory before it is read, so that nothing that is created in between is missed. */
  async #addFolder(folder: string): Promise<void> {
    if (this.#isDisposed || SKIPPED.has(basename(folder))) return;
    if (this.usesInotify) this.#watch(folder);
    await this.#reportContents(folder);
  }

  #watch(folder: string): void {
    // A known watcher of this path may belong to a directory that was deleted.
    this.#release(folder);
    if (this.#watched.size >= MAX_WATCHED) return;
    try {
      const watcher = watch(folder, { persistent: false }, (type, name) => {
        void this.#onWatchEvent(folder, join(folder, name ?? ''), type === 'change' ? 'content' : 'entry');
      });
      watcher.on('error', () => this.#release(folder));
      this.#watched.set(folder, watcher);
    } catch {
      // The directory was deleted, or the limit of the system is reached.
    }
  }

  async #onWatchEvent(folder: string, path: string, kind: ChangeKind): Promise<void> {
    this.onChange(path, kind);
    if (kind === 'content') return;
    const info = await lstat(path).catch(() => undefined);
    if (info?.isDirectory()) await this.#addFolder(path);
    else if (!info) {
      this.#releaseBelow(path);
      // The event of a deleted directory itself has its own name.
      if (!(await lstat(folder).catch(() => undefined))) this.#releaseBelow(folder);
    }
  }

  #release(folder: string): void {
    this.#watched.get(folder)?.close();
    this.#watched.delete(folder);
  }

  #releaseBelow(path: string): void {
    for (const folder of this.#watched.keys()) {
      if (folder === path || folder.startsWith(path + sep)) this.#release(folder);
    }
  }
}
