import { isAbsolute, relative, sep } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { EventLoop } from '../base/eventLoop';
import type { ChoiceOptions } from './choice';
import type { SelectOptions } from './extensionSource';
import { FileTree } from './fileTree';
import { isSameFile, type Selection } from './selection';

/** With more reported paths than this, reading the whole folder is faster than reading path by path. */
const MAX_PENDING_PATHS = 500;

/** How far a file watcher is trusted, in milliseconds. */
export interface WatchTimes {
  /** A new watcher needs this time until it watches all of its folder; it is not trusted before. */
  settleMs: number;
  /** How long after a selection that trusted the watcher the whole folder is read and compared; longer for one whose reading takes long. */
  checkAfterMs: number;
  /** The event of a change as recent as this may still arrive: such a change does not count as missed, nor does one whose event comes so soon. */
  lateMs: number;
}

const WATCH_TIMES: WatchTimes = { settleMs: 5000, checkAfterMs: 2000, lateMs: 2000 };

/** A folder is compared no sooner than after so many times as long as its reading has taken: a save may take seconds on a busy machine. */
const COMPARE_FACTOR = 4;

export interface FolderListOptions {
  /** Called when the last selection was outdated, because the watcher did not report a change. */
  onStale?: () => void;
  times?: WatchTimes;
}

/**
 * The files of one folder, kept from one selection to the next. While a watcher reports changes, a selection reads only the reported
 * paths, so it costs what has changed.
 *
 * A watcher may drop events, or not deliver any (network disks, containers), so it is trusted only within bounds. The whole folder is
 * read: the first time; without a watcher, or with one that has just started; when the rules have changed; when very many paths were
 * reported; and when the watcher itself reports that it has dropped events. After every selection that trusted the watcher, the whole
 * folder is read in the background and compared: if there is a difference that the watcher should have reported, `onStale` is called,
 * and from then on every selection reads the whole folder.
 */
export class FolderList {
  readonly #onStale: () => void;
  readonly #times: WatchTimes;
  #tree: FileTree | undefined;
  /** The rules of `#tree`. */
  #rules: Required<ChoiceOptions> = { exclude: [], include: [] };
  /** Reported paths that were not read since. */
  #pendingPaths = new Set<string>();
  #isComplete = false;
  /** How often the list was marked as incomplete. */
  #losses = 0;
  #watchedSince: number | undefined;
  #hasMissedEvents = false;
  /** How long the last reading of the whole folder has taken, in milliseconds. */
  #readMs = 0;
  #lastSelection: Promise<unknown> = Promise.resolve();
  #comparison: { end: Promise<void>; stop: () => void } | undefined;

  /** `folder`: absolute path. */
  constructor(
    private readonly folder: string,
    { onStale = () => undefined, times = WATCH_TIMES }: FolderListOptions = {},
  ) {
    this.#onStale = onStale;
    this.#times = times;
  }

  /** A watcher starts to report changes. */
  onWatchStart(): void {
    this.#watchedSince = performance.now();
    this.#hasMissedEvents = false;
    this.markIncomplete();
  }

  /** The last watcher has ended. */
  onWatchEnd(): void {
    this.#watchedSince = undefined;
    this.#stopComparison();
  }

  /**
   * Reports that these absolute paths were created, deleted or changed. A path above the folder stands for the whole folder; other
   * paths outside the folder are ignored.
   */
  changed(paths: Iterable<string>): void {
    for (const path of paths) {
      const inside = relative(this.folder, path).split(sep).join('/');
      if (/^\.\.(?:\/\.\.)*$/.test(inside)) this.markIncomplete();
      else if (!inside.startsWith('../') && !isAbsolute(inside)) this.#pendingPaths.add(inside);
    }
    if (this.#pendingPaths.size > MAX_PENDING_PATHS) this.markIncomplete();
  }

  /** Changes may have been missed: the next selection reads the whole folder. */
  markIncomplete(): void {
    this.#losses += 1;
    this.#isComplete = false;
    this.#pendingPaths.clear();
  }

  /** As `ExtensionSource.isListed`, for the rules of the last selection. */
  get isListed(): boolean {
    return this.#isComplete && this.#trustsWatcher();
  }

  /** As `ExtensionSource.list`. Selections of one folder run one after the other. */
  select(options: SelectOptions = {}): Promise<Selection> {
    this.#stopComparison();
    const selecting = this.#lastSelection.then(() => this.#select(options));
    this.#lastSelection = selecting.catch(() => undefined);
    return selecting;
  }

  /** Resolves when the comparison after the last selection has ended or was stopped; at once when there is none. */
  async compared(): Promise<void> {
    await this.#comparison?.end;
  }

  async #select({ exclude = [], include = [], signal }: SelectOptions): Promise<Selection> {
    const rules = { exclude, include };
    const isSameRules = JSON.stringify(rules) === JSON.stringify(this.#rules);
    const known = this.isListed && isSameRules ? this.#tree : undefined;
    const tree = known ?? new FileTree(this.folder, rules);
    const losses = this.#losses;
    const paths = this.#pendingPaths;
    this.#pendingPaths = new Set();
    // A read that fails or is aborted would leave a part of the tree.
    this.#isComplete = false;
    if (known) for (const path of paths) await tree.refresh(path, signal);
    else await this.#readAll(tree, signal);
    this.#tree = tree;
    this.#rules = rules;
    this.#isComplete = this.#losses === losses;
    if (known) this.#startComparison();
    return tree.selection();
  }

  async #readAll(tree: FileTree, signal: AbortSignal | undefined): Promise<void> {
    const begun = performance.now();
    await tree.readAll(signal);
    this.#readMs = performance.now() - begun;
  }

  #trustsWatcher(): boolean {
    if (this.#watchedSince === undefined || this.#hasMissedEvents) return false;
    return performance.now() - this.#watchedSince >= this.#times.settleMs;
  }

  #startComparison(): void {
    this.#stopComparison();
    const abort = new AbortController();
    const afterMs = Math.max(this.#times.checkAfterMs, COMPARE_FACTOR * this.#readMs);
    const end = delay(afterMs, undefined, { signal: abort.signal, ref: false })
      .then(() => this.#compare(abort.signal))
      .catch(() => {
        // A selection has stopped it, or the folder cannot be read, which the next selection will report.
        if (!abort.signal.aborted) this.markIncomplete();
      });
    const stop = (): void => abort.abort();
    this.#comparison = { end, stop };
  }

  #stopComparison(): void {
    this.#comparison?.stop();
    this.#comparison = undefined;
  }

  async #compare(signal: AbortSignal): Promise<void> {
    const found = new FileTree(this.folder, this.#rules);
    await this.#readAll(found, signal);
    if (signal.aborted || !this.#tree) return;
    const newestToMiss = Date.now() - this.#times.lateMs;
    const isMissed = (path: string): boolean => {
      const [before, now] = [this.#tree?.files.get(path), found.files.get(path)];
      return !isSameFile(before, now) && !this.#isPending(path) && (now?.ctimeMs ?? 0) < newestToMiss;
    };
    const eventLoop = new EventLoop();
    const missed: string[] = [];
    for (const path of [...this.#tree.files.keys(), ...found.files.keys()]) {
      if (eventLoop.isDue) await eventLoop.yield(signal);
      if (isMissed(path)) missed.push(path);
    }
    if (missed.length === 0) return;
    // A file that was deleted or moved does not say when: its event may be about to come, as while a build empties its folder.
    await delay(this.#times.lateMs, undefined, { signal, ref: false });
    for (const path of missed) {
      if (eventLoop.isDue) await eventLoop.yield(signal);
      if (this.#isPending(path)) continue;
      this.#hasMissedEvents = true;
      this.#onStale();
      return;
    }
  }

  /** Whether a change of the path, or of a folder above it, was reported since the last selection. */
  #isPending(path: string): boolean {
    const segments = path.split('/');
    return (
      this.#pendingPaths.has('') ||
      segments.some((_segment, index) => this.#pendingPaths.has(segments.slice(0, index + 1).join('/')))
    );
  }
}
