import { join } from 'node:path';
import { type Clock, realClock, type Timer } from '../base/clock';
import { LatestRun } from '../base/latestRun';
import type { ChoiceOptions } from './choice';
import { FileTree } from './fileTree';
import { isSameFile, type SelectedFile } from './selection';

/** The shortest and the longest time between two looks at a folder, in milliseconds. */
const LOOK_MS = { least: 100, most: 500 };

/** The longer nothing has changed, the fewer looks: the time between two is this share of it. */
const REST_SHARE = 1 / 600;

/** A large folder is looked at no sooner than after so many times as long as a look takes. */
const LOOK_FACTOR = 20;

/**
 * Finds out which files of a folder are written, of those that a push delivers, by looking at it again and again. Events of the system
 * may not come at all (network disks, containers), and can be lost when a build removes a folder and makes it again at once (seen with
 * chokidar 4.0.3 on Linux). Dispose of it.
 */
export class FolderPoll {
  readonly #looking = new LatestRun(() => this.#look());
  readonly #end = new AbortController();
  #files: ReadonlyMap<string, SelectedFile> = new Map();
  #onWrite: ((path: string) => void) | undefined;
  #changedAt: number;
  #timer: Timer | undefined;

  private constructor(
    readonly folder: string,
    private readonly rules: ChoiceOptions,
    private readonly clock: Clock,
  ) {
    this.#changedAt = clock.now();
  }

  /** Resolves when it has seen a folder, absolute, whose changes count from then on. Never rejects. */
  static async of(folder: string, rules: ChoiceOptions, clock: Clock = realClock): Promise<FolderPoll> {
    const poll = new FolderPoll(folder, rules, clock);
    await poll.look();
    return poll;
  }

  /** Begins to call `onWrite` with the absolute path of each file that was created, changed or deleted, those included that were until now. */
  follow(onWrite: (path: string) => void): void {
    this.#onWrite = onWrite;
    void this.look();
  }

  /** Looks now. Resolves when what was written until now is known. */
  look(): Promise<void> {
    return this.#looking.run();
  }

  dispose(): void {
    this.#end.abort();
    this.#timer?.clear();
  }

  async #look(): Promise<void> {
    this.#timer?.clear();
    const begun = this.clock.now();
    const tree = new FileTree(this.folder, this.rules);
    // Of a folder that cannot be read, the files that were found count: a push says what is wrong with it.
    await tree.readAll(this.#end.signal).catch(() => undefined);
    if (this.#end.signal.aborted) return;
    const written = differences(this.#files, tree.files);
    this.#files = tree.files;
    const onWrite = this.#onWrite;
    if (!onWrite) return;
    const now = this.clock.now();
    if (written.length > 0) this.#changedAt = now;
    const restMs = Math.min(Math.max(REST_SHARE * (now - this.#changedAt), LOOK_MS.least), LOOK_MS.most);
    this.#timer = this.clock.after(Math.max(restMs, LOOK_FACTOR * (now - begun)), () => void this.look()).unref();
    for (const path of written) onWrite(join(this.folder, path));
  }
}

/** The paths at which files differ. */
function differences(before: ReadonlyMap<string, SelectedFile>, now: ReadonlyMap<string, SelectedFile>): string[] {
  return [...new Set([...before.keys(), ...now.keys()])].filter((path) => !isSameFile(before.get(path), now.get(path)));
}
