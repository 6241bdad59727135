import { Disposable, workspace } from 'vscode';
import { RecentMap } from '../../base/recentMap';
import type { FolderWatch } from '../../archive/packers';
import type { FileChanges } from './fileChanges';

/** Extension folders that are watched at the same time: as many as are usually worked on. */
const MAX_WATCHES = 4;

interface Watched {
  watch: FolderWatch;
  end: Disposable;
}

/** Reports what changes in the extension folders that are pushed, so that a push need not list all of their files. */
export class FolderWatches implements Disposable {
  /** By the absolute path of the folder. */
  readonly #watched = new RecentMap<string, Watched>(MAX_WATCHES, ({ end }) => void end.dispose());
  readonly #subscriptions: Disposable;

  /** `watchFolder` is called with an absolute path. */
  constructor(
    private readonly watchFolder: (folder: string) => FolderWatch,
    private readonly changes: FileChanges,
  ) {
    this.#subscriptions = Disposable.from(
      // The event of a save comes before the watcher's, and a push on save begins soon.
      workspace.onDidSaveTextDocument(({ uri }) => {
        if (uri.scheme === 'file') this.changed([uri.fsPath]);
      }),
      workspace.onDidChangeConfiguration((event) => {
        // VS Code restarts its watchers with other exclusions.
        if (!event.affectsConfiguration('files.watcherExclude')) return;
        for (const { watch } of this.#watched.values()) watch.markIncomplete();
      }),
    );
  }

  /** Watches `folder`, absolute, from now on; the folder that was begun longest ago may be dropped. */
  begin(folder: string): void {
    this.#watched.latest(folder, () => this.#watch(folder));
  }

  /** Reports changes that are known before the watcher's event. Absolute paths in any folders. */
  changed(paths: readonly string[]): void {
    for (const { watch } of this.#watched.values()) watch.changed(paths);
  }

  /** Makes the next push list all files of `folder`. */
  invalidate(folder: string): void {
    this.#watched.get(folder)?.watch.markIncomplete();
  }

  dispose(): void {
    this.#subscriptions.dispose();
    for (const { end } of this.#watched.values()) end.dispose();
    this.#watched.clear();
  }

  #watch(folder: string): Watched {
    const watch = this.watchFolder(folder);
    const changes = this.changes.watch(folder, (path) => watch.changed([path]));
    return { watch, end: Disposable.from(changes, watch) };
  }
}
