import type { ExtensionSource, FolderWatch, SelectOptions } from './extensionSource';
import { FolderList, type FolderListOptions } from './folderList';
import { readSelected } from './read';
import type { SelectedFile, Selection } from './selection';

/** The files of a folder on disk. */
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

  list(options?: SelectOptions): Promise<Selection> {
    return this.#list.select(options);
  }

  read(file: SelectedFile): Promise<Uint8Array> {
    return readSelected(this.folder, file);
  }

  watch(): FolderWatch {
    const list = this.#list;
    const watch: FolderWatch = {
      changed: (paths) => {
        list.changed(paths);
      },
      markIncomplete: () => {
        list.markIncomplete();
      },
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
