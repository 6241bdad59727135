import type { ExtensionSource, FolderWatch, SelectOptions } from './extensionSource';
import { FolderList, type FolderListOptions } from './folderList';
import { readSelected } from './read';
import type { SelectedFile, Selection } from './selection';

/**
 * The files of a folder on disk.
 *
 * Symbolic links are never followed; links, sockets, pipes and devices are not packed, nor are files whose names a zip cannot carry
 * safely. All files and folders that are left out are listed with the reason, so that the caller can compare them with the files that
 * the manifest names. Subfolders that cannot be read are left out in the same way; a folder that cannot be read itself is an
 * `ArchiveError`.
 */
export class FolderSource implements ExtensionSource {
  readonly #list: FolderList;
  readonly #watches = new Set<FolderWatch>();

  /** `folder`: absolute path. */
  constructor(
    readonly folder: string,
    options?: FolderListOptions,
  ) {
    this.#list = new FolderList(folder, options);
  }

  get place(): string {
    return this.folder;
  }

  get isListed(): boolean {
    return this.#list.isListed;
  }

  list(options?: SelectOptions): Promise<Selection> {
    return this.#list.select(options);
  }

  read(file: SelectedFile): Promise<Uint8Array> {
    return readSelected(this.folder, file);
  }

  watch(): FolderWatch {
    const list = this.#list;
    const watch: FolderWatch = {
      changed: (paths) => list.changed(paths),
      markIncomplete: () => list.markIncomplete(),
      dispose: () => {
        if (this.#watches.delete(watch) && this.#watches.size === 0) list.onWatchEnd();
      },
    };
    this.#watches.add(watch);
    list.onWatchStart();
    return watch;
  }

  dispose(): void {
    this.#list.onWatchEnd();
  }
}
