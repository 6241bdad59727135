import { CompressThreads } from './compressThreads';
import { FolderList, type WatchTimes } from './folderList';
import { FolderPacker, levelFor } from './packer';
import type { SelectOptions } from './select';
import type { Selection } from './selection';

/** Folders whose compressed files are kept at the same time; each may need as much memory as its archive has bytes. */
const MAX_FOLDERS = 4;

/** The reports of a file watcher for one folder. */
export interface FolderWatch {
  /** Reports absolute paths that were created, deleted or changed: files, or folders with everything below them. */
  changed: (paths: Iterable<string>) => void;
  /** Reports that changes may have been missed. */
  markIncomplete: () => void;
  /** Ends the watch. */
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
  /** Called with a folder whose last selection was outdated: it should be pushed again. */
  onStale?: (folder: string) => void;
  times?: WatchTimes;
  /** Disposed with the packers. */
  threads?: CompressThreads;
}

/** The file lists and packers of the folders that were pushed last. Folders are named by their absolute paths. */
export class FolderPackers {
  readonly #options: FolderPackersOptions;
  readonly #threads: CompressThreads;
  /** Latest last. */
  readonly #packers = new Map<string, FolderPacker>();
  readonly #lists = new Map<string, FolderList>();
  /** The number of watches of each folder; the list of a watched folder is never dropped. */
  readonly #watches = new Map<string, number>();
  #ahead: AbortController | undefined;

  constructor(options: FolderPackersOptions = {}) {
    this.#options = options;
    this.#threads = options.threads ?? new CompressThreads();
  }

  /** The packer of a folder. */
  of(folder: string): FolderPacker {
    return latest(this.#packers, folder, () => new FolderPacker(folder, this.#threads));
  }

  /** The result of `selectFiles`, at the cost of what has changed while the folder is watched. */
  select(folder: string, options: SelectOptions = {}): Promise<Selection> {
    return this.#list(folder).select(options);
  }

  /** Starts a watch: the caller reports every change in the folder, so that a push reads only what has changed. */
  watch(folder: string): FolderWatch {
    const list = this.#list(folder);
    this.#watches.set(folder, (this.#watches.get(folder) ?? 0) + 1);
    list.onWatchStart();
    let isDisposed = false;
    return {
      changed: (paths) => {
        list.changed(paths);
      },
      markIncomplete: () => {
        list.markIncomplete();
      },
      dispose: () => {
        if (isDisposed) return;
        isDisposed = true;
        const remaining = (this.#watches.get(folder) ?? 1) - 1;
        if (remaining > 0) this.#watches.set(folder, remaining);
        else {
          this.#watches.delete(folder);
          list.onWatchEnd();
        }
      },
    };
  }

  /**
   * Packs a folder in the background before it is pushed, so that the push finds its files compressed. One folder at a time: the next
   * call cancels the previous one, as `signal` does, and a pack of the same folder continues with the compressed files. Failures are not
   * reported, because the push will report them.
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

  /** Stops background work and ends all threads. */
  dispose(): void {
    this.#ahead?.abort();
    for (const list of this.#lists.values()) list.onWatchEnd();
    this.#threads.dispose();
  }

  #list(folder: string): FolderList {
    const { onStale, times } = this.#options;
    const make = (): FolderList =>
      new FolderList(folder, { onStale: () => onStale?.(folder), ...(times ? { times } : {}) });
    return latest(this.#lists, folder, make, (other) => this.#watches.has(other));
  }
}

/** The value of a key, created if necessary, which becomes the latest; the oldest values over the limit that are not in use are dropped. */
function latest<T>(all: Map<string, T>, key: string, make: () => T, isInUse = (_key: string): boolean => false): T {
  const value = all.get(key) ?? make();
  all.delete(key);
  all.set(key, value);
  for (const oldest of all.keys()) {
    if (all.size <= MAX_FOLDERS) break;
    if (!isInUse(oldest)) all.delete(oldest);
  }
  return value;
}
