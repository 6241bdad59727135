import type { ChoiceOptions } from './choice';
import type { SelectedFile, Selection } from './selection';

/** Which files are selected. */
export interface SelectOptions extends ChoiceOptions {
  signal?: AbortSignal;
}

/** The reports of a file watcher for one source. */
export interface FolderWatch {
  /** Reports absolute paths that were created, deleted or changed: files, or folders with everything below them. */
  changed: (paths: Iterable<string>) => void;
  /** Reports that changes may have been missed. */
  markIncomplete: () => void;
  /** Ends the watch. */
  dispose: () => void;
}

/**
 * Where the files of an extension come from. A list and what is read by it are one state of the files: a file of the same path, size
 * and times holds the same bytes, and one that is no longer as it was listed is not read.
 */
export interface ExtensionSource {
  /** Its name in messages. */
  readonly place: string;
  /** The absolute path of the folder on disk that holds the files; undefined when they are elsewhere. */
  readonly folder: string | undefined;
  /** Whether a list costs only what has changed since the last one. */
  readonly isListed: boolean;
  /** The files that are packed, and those that are left out. Rejects with an ArchiveError when they cannot be listed. */
  list(options?: SelectOptions): Promise<Selection>;
  /** The content of a listed file. Rejects with an ArchiveError that names the file when it has changed since, or cannot be read. */
  read(file: SelectedFile): Promise<Uint8Array>;
  /** Starts a watch: the caller reports every change, so that a list costs only what has changed. */
  watch(): FolderWatch;
  /** Stops background work. */
  dispose(): void;
}

/** Creates the source that is named by its place. `onStale`: called when its last list was outdated. */
export type OpenSource = (place: string, onStale: () => void) => ExtensionSource;
