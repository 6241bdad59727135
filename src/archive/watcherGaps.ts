import { watch, type FSWatcher } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';

/** `entry`: something has come or gone, or is another thing now; `content`: a file was written. */
export type ChangeKind = 'entry' | 'content';

/** Hears of a change at an absolute path. */
export type ChangeListener = (path: string, kind: ChangeKind) => void;

/** Folders watched at the same time: the system has a limit for each user, which other programs need too. */
const MAX_WATCHED = 1000;

/** What is in these is no part of an extension, unless a setting takes it in, and may be very much. */
const SKIPPED = new Set(['node_modules', '.git']);

/**
 * What a recursive watcher does not tell of folders that come with something in them.
 *
 * Of a folder that was moved (`mv built dist`) it tells the folder alone. And over inotify(7), on Linux, it begins to watch a folder
 * when it hears of it: what was made in the folder before that stays unwatched for as long as it lives. `mkdir -p dist/scripts`
 * loses `dist/scripts` now and then, `mv built dist` loses all folders in `dist`, always (seen on Linux with \@parcel/watcher
 * 2.5.6, which VS Code uses).
 *
 * Whoever has such a watcher hands on all that it tells. What else is there is told to `onChange`, rather twice than never.
 */
export class WatcherGaps {
  readonly #root: string;
  readonly #onChange: ChangeListener;
  readonly #isOverInotify: boolean;
  /** By the absolute path of the folder. */
  readonly #watched = new Map<string, FSWatcher>();
  #isOver = false;

  /**
   * `root`: absolute path of the folder that the watcher watches. `isOverInotify`: whether it may miss folders for as long as they
   * live, as every one on Linux may.
   */
  constructor(root: string, onChange: ChangeListener, isOverInotify = process.platform === 'linux') {
    this.#root = root;
    this.#onChange = onChange;
    this.#isOverInotify = isOverInotify;
  }

  /**
   * The watcher has told of this absolute path. Resolves when what is in it, if it is a folder, has been told and the folders in
   * it are watched. Never rejects: what cannot be read or watched is not.
   */
  async told(path: string): Promise<void> {
    const parts = relative(this.#root, path).split(sep);
    if (parts.some((part) => SKIPPED.has(part))) return;
    // It sees what is in that folder, then.
    this.#release(dirname(path));
    const info = await lstat(path).catch(() => undefined);
    if (info?.isDirectory()) await this.#lookInto(path);
    else if (!info) this.#releaseBelow(path);
  }

  /** Ends all watching. */
  dispose(): void {
    this.#isOver = true;
    for (const folder of this.#watched.keys()) this.#release(folder);
  }

  async #lookInto(folder: string): Promise<void> {
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
    if (this.#isOver) return;
    for (const entry of entries) {
      const path = join(folder, entry.name);
      this.#onChange(path, 'entry');
      if (entry.isDirectory()) await this.#begin(path);
    }
  }

  /** First watches a folder, then reads it: nothing that comes in between is lost. */
  async #begin(folder: string): Promise<void> {
    if (this.#isOver || SKIPPED.has(basename(folder))) return;
    if (this.#isOverInotify) this.#watch(folder);
    await this.#lookInto(folder);
  }

  #watch(folder: string): void {
    // One of this path that is known may be another folder, which has gone.
    this.#release(folder);
    if (this.#watched.size >= MAX_WATCHED) return;
    try {
      const watcher = watch(folder, { persistent: false }, (type, name) => {
        void this.#changed(folder, join(folder, name ?? ''), type === 'change' ? 'content' : 'entry');
      });
      watcher.on('error', () => {
        this.#release(folder);
      });
      this.#watched.set(folder, watcher);
    } catch {
      // It has gone, or the system watches no more.
    }
  }

  async #changed(folder: string, path: string, kind: ChangeKind): Promise<void> {
    this.#onChange(path, kind);
    if (kind === 'content') return;
    const info = await lstat(path).catch(() => undefined);
    if (info?.isDirectory()) await this.#begin(path);
    else if (!info) {
      this.#releaseBelow(path);
      // When the folder itself goes, its own name is told.
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
