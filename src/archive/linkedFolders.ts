import { readdir, realpath } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { isWithin } from '../base/disk';
import type { ChangeKind, ChangeListener } from './watcherGaps';

/**
 * Adds the events of folders that are reached through symbolic links. A recursive watcher does not follow links: of a file in such a
 * folder it reports the real path, and of another target of the link only the link.
 *
 * The owner of a watcher passes every event to `onEvent`. `onChange` receives the additional events. Files outside of the watched root are not reported.
 */
export class LinkedFolders {
  /** Where each folder really is, as a path below the root; undefined for one that is not behind a link. Absolute paths. */
  readonly #real = new Map<string, string | undefined>();
  /** Counts how often a folder was replaced: only what is found of the last time counts. */
  #replacements = 0;

  /** `root`: absolute path of the directory that the watcher watches. */
  constructor(
    private readonly root: string,
    private readonly onChange: ChangeListener,
  ) {}

  /** Begins to report a folder, absolute, within the root. Resolves when its events will not be missed. Never rejects. */
  async follow(folder: string): Promise<void> {
    if (!this.#real.has(folder)) this.#real.set(folder, await this.#find(folder));
  }

  /** Handles an event of the watcher for this absolute path. */
  onEvent(path: string, kind: ChangeKind): void {
    for (const [folder, real] of this.#real) {
      if (isWithin(path, folder)) void this.#onReplaced(folder);
      else if (real !== undefined && isWithin(real, path)) this.onChange(join(folder, relative(real, path)), kind);
      // Of what is deleted, only the topmost folder is reported.
      else if (real !== undefined && isWithin(path, real)) this.onChange(folder, kind);
    }
  }

  /** The folder, or one above it, was created, deleted or replaced. */
  async #onReplaced(folder: string): Promise<void> {
    const replacement = ++this.#replacements;
    const real = await this.#find(folder);
    if (replacement < this.#replacements) return;
    const isSame = real === this.#real.get(folder);
    this.#real.set(folder, real);
    if (isSame || real === undefined) return;
    const names = await readdir(folder, { recursive: true }).catch(() => []);
    for (const name of names) this.onChange(join(folder, name), 'entry');
  }

  async #find(folder: string): Promise<string | undefined> {
    const [realRoot, realFolder] = await Promise.all([this.root, folder].map((path) => realpath(path).catch(() => '')));
    if (!realRoot || !realFolder || !isWithin(realRoot, realFolder)) return undefined;
    const real = join(this.root, relative(realRoot, realFolder));
    return real === folder ? undefined : real;
  }
}
