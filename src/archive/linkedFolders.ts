import { readdir, realpath } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { isWithin } from '../base/disk';
import type { ChangeKind, ChangeListener } from './watcherGaps';

/** A folder that is reported. */
interface Followed {
  /** Where it really is, as an absolute path below the root; undefined when it is not behind a link. */
  real: string | undefined;
  /** How often it was replaced. */
  replacements: number;
}

/**
 * Adds the events of folders that are reached through symbolic links. A recursive watcher does not follow links: of a file in such a
 * folder it reports the real path, and of another target of the link only the link.
 *
 * The owner of a watcher passes every event to `onEvent`. `onChange` receives the additional events. Files outside of the watched root are not reported.
 */
export class LinkedFolders {
  /** By absolute path. */
  readonly #folders = new Map<string, Followed>();

  /** `root`: absolute path of the directory that the watcher watches. */
  constructor(
    private readonly root: string,
    private readonly onChange: ChangeListener,
  ) {}

  /** Begins to report a folder, absolute, within the root. Resolves when its events will not be missed. Never rejects. */
  async follow(folder: string): Promise<void> {
    if (this.#folders.has(folder)) return;
    const followed: Followed = { real: undefined, replacements: 0 };
    this.#folders.set(folder, followed);
    const real = await this.#find(folder);
    if (followed.replacements === 0) followed.real = real;
  }

  /** Handles an event of the watcher for this absolute path. */
  onEvent(path: string, kind: ChangeKind): void {
    for (const [folder, followed] of this.#folders) {
      const { real } = followed;
      if (isWithin(path, folder)) void this.#onReplaced(folder, followed);
      else if (real !== undefined && isWithin(real, path)) this.onChange(join(folder, relative(real, path)), kind);
      // Of what is deleted, only the topmost folder is reported.
      else if (real !== undefined && isWithin(path, real)) this.onChange(folder, kind);
    }
  }

  /** The folder, or one above it, was created, deleted or replaced. */
  async #onReplaced(folder: string, followed: Followed): Promise<void> {
    const replacement = ++followed.replacements;
    const real = await this.#find(folder);
    // It was replaced once more meanwhile.
    if (replacement < followed.replacements) return;
    const isSame = real === followed.real;
    followed.real = real;
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
