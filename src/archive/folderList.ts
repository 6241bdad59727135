import { isAbsolute, relative, sep } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { ChoiceOptions } from './choice';
import { FileTree } from './fileTree';
import type { SelectOptions } from './select';
import type { SelectedFile, Selection } from './selection';

/** Told paths beyond this number are not looked at one by one: reading the folder as a whole is quicker. */
const MAX_TOLD = 500;

/** How far a watcher is relied on, in milliseconds. */
export interface WatchTimes {
  /** A watcher needs some time until it sees all of its folder; until then it is not relied on. */
  settleMs: number;
  /** How long after a selection that relied on the watcher the whole folder is read and compared. */
  checkAfterMs: number;
  /** A change as fresh as this may still be on its way from the watcher: nothing is wrong if it was not told. */
  lateMs: number;
}

const WATCH_TIMES: WatchTimes = { settleMs: 5000, checkAfterMs: 2000, lateMs: 2000 };

/** Whom a list tells, and what it may rely on. */
export interface FolderListOptions {
  /** Called when the last selection has turned out to be behind the disk, because the watcher did not tell of something. */
  onStale?: () => void;
  times?: WatchTimes;
}

/**
 * The files of one folder, kept from one selection to the next. While a watcher tells of changes, a selection looks at the told
 * paths only, so it costs what has changed.
 *
 * A watcher may lose events, or never have had them (network disks, containers), so it is relied on only within bounds. The whole
 * folder is read: at first; while nobody watches, or only since a moment ago; when the rules are others; when very much has changed;
 * and when the watcher says itself that it has lost something. After every selection that relied on it, the whole folder is read
 * in the background and compared: if anything is different that the watcher should have told, `onStale` is called, and from then on
 * every selection reads the whole folder.
 */
export class FolderList {
  readonly #onStale: () => void;
  readonly #times: WatchTimes;
  #tree: FileTree | undefined;
  /** The rules that `#tree` was read by. */
  #rules: Required<ChoiceOptions> = { exclude: [], include: [] };
  #told = new Set<string>();
  #isComplete = false;
  /** How often something was lost. */
  #losses = 0;
  #watchedSince: number | undefined;
  #isDistrusted = false;
  #turn: Promise<unknown> = Promise.resolve();
  #check: { end: Promise<void>; stop: () => void } | undefined;

  /** `folder`: absolute path. */
  constructor(
    private readonly folder: string,
    { onStale = () => undefined, times = WATCH_TIMES }: FolderListOptions = {},
  ) {
    this.#onStale = onStale;
    this.#times = times;
  }

  /** Somebody begins to tell of changes. */
  watched(): void {
    this.#watchedSince = performance.now();
    this.#isDistrusted = false;
    this.lost();
  }

  /** Nobody tells of changes any more. */
  unwatched(): void {
    this.#watchedSince = undefined;
    this.#stopCheck();
  }

  /** Something at these absolute paths has come, gone or changed; a path above the folder concerns all of it, others outside none. */
  changed(paths: Iterable<string>): void {
    for (const path of paths) {
      const inside = relative(this.folder, path).split(sep).join('/');
      if (/^\.\.(?:\/\.\.)*$/.test(inside)) this.lost();
      else if (!inside.startsWith('../') && !isAbsolute(inside)) this.#told.add(inside);
    }
    if (this.#told.size > MAX_TOLD) this.lost();
  }

  /** Changes may have been missed: the next selection reads the whole folder. */
  lost(): void {
    this.#losses += 1;
    this.#isComplete = false;
    this.#told.clear();
  }

  /** The files as `selectFiles` gives them, and with its errors. Selections of one folder wait for each other. */
  select(options: SelectOptions = {}): Promise<Selection> {
    this.#stopCheck();
    const selecting = this.#turn.then(() => this.#select(options));
    this.#turn = selecting.catch(() => undefined);
    return selecting;
  }

  /** Resolves when the comparison after the last selection has ended or was stopped; at once when there is none. */
  async checked(): Promise<void> {
    await this.#check?.end;
  }

  async #select({ exclude = [], include = [], signal }: SelectOptions): Promise<Selection> {
    const rules = { exclude, include };
    const isSameRules = JSON.stringify(rules) === JSON.stringify(this.#rules);
    const known = this.#isComplete && isSameRules && this.#isRelied() ? this.#tree : undefined;
    const tree = known ?? new FileTree(this.folder, rules);
    const losses = this.#losses;
    const told = this.#told;
    this.#told = new Set();
    // Until it is done: a reading that fails or is aborted leaves half a tree.
    this.#isComplete = false;
    if (known) for (const path of told) await tree.readAgain(path, signal);
    else await tree.readAll(signal);
    this.#tree = tree;
    this.#rules = rules;
    this.#isComplete = this.#losses === losses;
    if (known) this.#checkSoon();
    return tree.selection();
  }

  #isRelied(): boolean {
    if (this.#watchedSince === undefined || this.#isDistrusted) return false;
    return performance.now() - this.#watchedSince >= this.#times.settleMs;
  }

  #checkSoon(): void {
    this.#stopCheck();
    const abort = new AbortController();
    const end = delay(this.#times.checkAfterMs, undefined, { signal: abort.signal, ref: false })
      .then(() => this.#compare(abort.signal))
      .catch(() => {
        // Either a selection goes first, or the folder cannot be read, which the next selection will tell.
        if (!abort.signal.aborted) this.lost();
      });
    const stop = (): void => {
      abort.abort();
    };
    this.#check = { end, stop };
  }

  #stopCheck(): void {
    this.#check?.stop();
    this.#check = undefined;
  }

  async #compare(signal: AbortSignal): Promise<void> {
    const found = new FileTree(this.folder, this.#rules);
    await found.readAll(signal);
    if (signal.aborted || !this.#tree) return;
    const newestToMiss = Date.now() - this.#times.lateMs;
    const isMissed = (path: string): boolean => {
      const [before, now] = [this.#tree?.files.get(path), found.files.get(path)];
      return !isSame(before, now) && !this.#isTold(path) && (now?.ctimeMs ?? 0) < newestToMiss;
    };
    const paths = new Set([...this.#tree.files.keys(), ...found.files.keys()]);
    if (![...paths].some(isMissed)) return;
    this.#isDistrusted = true;
    this.#onStale();
  }

  /** Whether a change at the path, or at a folder above it, waits to be looked at. */
  #isTold(path: string): boolean {
    const parts = path.split('/');
    return this.#told.has('') || parts.some((_part, at) => this.#told.has(parts.slice(0, at + 1).join('/')));
  }
}

function isSame(before: SelectedFile | undefined, now: SelectedFile | undefined): boolean {
  return before?.size === now?.size && before?.mtimeMs === now?.mtimeMs && before?.ctimeMs === now?.ctimeMs;
}
