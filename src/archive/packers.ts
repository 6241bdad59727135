import { FolderList, type WatchTimes } from './folderList';
import { FolderPacker, levelFor } from './packer';
import type { SelectOptions } from './select';
import type { Selection } from './selection';

/** Folders whose compressed files are kept at the same time; each may hold as much memory as an archive has bytes. */
const MAX_FOLDERS = 4;

/** Somebody who tells what changes in a folder, as a watcher of the editor can. */
export interface FolderWatch {
  /** Absolute paths of what has come, gone or changed: files, or folders that stand for all that is in them. */
  changed: (paths: Iterable<string>) => void;
  /** To be called when changes may have been missed. */
  lost: () => void;
  /** Ends it. */
  dispose: () => void;
}

/** How a folder will be packed. */
export interface AheadOptions {
  exclude?: readonly string[];
  include?: readonly string[];
  /** Whether the browser runs on this machine. */
  isLocal: boolean;
}

export interface FolderPackersOptions {
  /** Called with a folder whose last selection has turned out to be behind the disk: it should be pushed again. */
  onStale?: (folder: string) => void;
  times?: WatchTimes;
}

/** The files and packers of the folders that were pushed last. Folders are named by their absolute paths. */
export class FolderPackers {
  readonly #options: FolderPackersOptions;
  /** Latest last. */
  readonly #packers = new Map<string, FolderPacker>();
  readonly #lists = new Map<string, FolderList>();
  /** How many watch a folder; its list stays as long as somebody does. */
  readonly #watches = new Map<string, number>();
  #ahead: AbortController | undefined;

  constructor(options: FolderPackersOptions = {}) {
    this.#options = options;
  }

  /** The packer of a folder. */
  of(folder: string): FolderPacker {
    return kept(this.#packers, folder, () => new FolderPacker(folder));
  }

  /** Which files of a folder are packed, as `selectFiles` tells, at the cost of what has changed while the folder is watched. */
  select(folder: string, options: SelectOptions = {}): Promise<Selection> {
    return this.#list(folder).select(options);
  }

  /** From now on the caller tells what changes in the folder, so that not all of it has to be looked at for each push. */
  watch(folder: string): FolderWatch {
    const list = this.#list(folder);
    this.#watches.set(folder, (this.#watches.get(folder) ?? 0) + 1);
    list.watched();
    let isOver = false;
    return {
      changed: (paths) => {
        list.changed(paths);
      },
      lost: () => {
        list.lost();
      },
      dispose: () => {
        if (isOver) return;
        isOver = true;
        const left = (this.#watches.get(folder) ?? 1) - 1;
        if (left > 0) this.#watches.set(folder, left);
        else {
          this.#watches.delete(folder);
          list.unwatched();
        }
      },
    };
  }

  /**
   * Packs a folder before it is pushed, so that the push finds its files compressed; what has not changed until then is used.
   * One folder at a time: the next call ends the one before, as `signal` does, and a pack of the same folder takes over what is
   * done. Nothing is told of failures, because the push will.
   */
  ahead(folder: string, { exclude = [], include = [], isLocal }: AheadOptions, signal?: AbortSignal): void {
    this.#ahead?.abort();
    const abort = new AbortController();
    this.#ahead = abort;
    const either = signal ? AbortSignal.any([abort.signal, signal]) : abort.signal;
    const pack = async (): Promise<void> => {
      const { files, totalBytes } = await this.select(folder, { exclude, include, signal: either });
      await this.of(folder).ahead(files, { signal: either, level: levelFor(isLocal, totalBytes) });
    };
    void pack().catch(() => undefined);
  }

  /** Ends what goes on by itself. */
  dispose(): void {
    this.#ahead?.abort();
    for (const list of this.#lists.values()) list.unwatched();
  }

  #list(folder: string): FolderList {
    const { onStale, times } = this.#options;
    const make = (): FolderList =>
      new FolderList(folder, { onStale: () => onStale?.(folder), ...(times ? { times } : {}) });
    return kept(this.#lists, folder, make, (other) => this.#watches.has(other));
  }
}

/** The value of a key, made if need be, which is now the latest; the oldest go that are too many and not held. */
function kept<T>(all: Map<string, T>, key: string, make: () => T, isHeld = (_key: string): boolean => false): T {
  const value = all.get(key) ?? make();
  all.delete(key);
  all.set(key, value);
  for (const oldest of all.keys()) {
    if (all.size <= MAX_FOLDERS) break;
    if (!isHeld(oldest)) all.delete(oldest);
  }
  return value;
}
