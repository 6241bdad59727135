import { CompressThreads } from './compressThreads';
import type { ExtensionSource, FolderWatch, OpenSource } from './extensionSource';
import type { WatchTimes } from './folderList';
import { FolderSource } from './folderSource';
import { FolderPacker, levelFor } from './packer';

export type { FolderWatch } from './extensionSource';

/** Folders whose compressed files are kept at the same time; each may need as much memory as its archive has bytes. */
const MAX_FOLDERS = 4;

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
  /** Where the files of an extension come from. Default: from a folder on disk. */
  open?: OpenSource;
}

/** The sources and packers of the folders that were pushed last. Folders are named by their absolute paths. */
export class FolderPackers {
  readonly #onStale: (folder: string) => void;
  readonly #open: OpenSource;
  readonly #threads = new CompressThreads();
  /** Latest last. */
  readonly #packers = new Map<string, FolderPacker>();
  readonly #sources = new Map<string, ExtensionSource>();
  /** The folder of each watch; the source of a watched folder is never dropped. */
  readonly #watches = new Map<FolderWatch, string>();
  #ahead: AbortController | undefined;

  constructor({
    onStale = () => undefined,
    times,
    open = (folder, onListStale) => new FolderSource(folder, { onStale: onListStale, ...(times && { times }) }),
  }: FolderPackersOptions = {}) {
    this.#onStale = onStale;
    this.#open = open;
  }

  of(folder: string): FolderPacker {
    return latest(this.#packers, folder, () => new FolderPacker(this.source(folder), this.#threads));
  }

  /** The source of a folder's files, whose list costs what has changed while the folder is watched. */
  source(folder: string): ExtensionSource {
    const open = (): ExtensionSource => this.#open(folder, () => this.#onStale(folder));
    const watched = [...this.#watches.values()];
    return latest(this.#sources, folder, open, (other) => watched.includes(other));
  }

  /** Starts a watch: the caller reports every change in the folder, so that a push reads only what has changed. */
  watch(folder: string): FolderWatch {
    const watch = this.source(folder).watch();
    this.#watches.set(watch, folder);
    const dispose = (): void => {
      watch.dispose();
      this.#watches.delete(watch);
    };
    return { ...watch, dispose };
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
      const { files, totalBytes } = await this.source(folder).list({ exclude, include, signal: either });
      await this.of(folder).ahead(files, { signal: either, level: levelFor(isLocal, totalBytes) });
    };
    void pack().catch(() => undefined);
  }

  /** Stops background work and ends all threads. */
  dispose(): void {
    this.#ahead?.abort();
    for (const source of this.#sources.values()) source.dispose();
    this.#threads.dispose();
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
