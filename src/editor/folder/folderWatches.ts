import { Disposable, workspace } from 'vscode';
import type { FolderPackers, FolderWatch } from '../../archive/packers';
import type { FileChanges } from './fileChanges';

/** Extension folders that are watched at the same time: as many as are usually worked on. */
const MAX_WATCHES = 4;

interface Watched {
  watch: FolderWatch;
  end: Disposable;
}

/** Tells the packers what changes in the extension folders that are pushed, so that a push need not look at all of them. */
export class FolderWatches implements Disposable {
  readonly #packers: FolderPackers;
  readonly #changes: FileChanges;
  /** By the absolute path of the folder, latest last. */
  readonly #watched = new Map<string, Watched>();
  readonly #subscriptions: Disposable;

  constructor(packers: FolderPackers, changes: FileChanges) {
    this.#packers = packers;
    this.#changes = changes;
    this.#subscriptions = Disposable.from(
      // Sooner than any watcher, and a push on save begins soon.
      workspace.onDidSaveTextDocument(({ uri }) => {
        if (uri.scheme === 'file') this.changed([uri.fsPath]);
      }),
      workspace.onDidChangeConfiguration((event) => {
        // The editor's watchers start anew, with other files left out.
        if (!event.affectsConfiguration('files.watcherExclude')) return;
        for (const { watch } of this.#watched.values()) watch.lost();
      }),
    );
  }

  /** From now on changes in `folder` are told, absolute; those of the folder that was named longest ago may end. */
  begin(folder: string): void {
    const known = this.#watched.get(folder);
    this.#watched.delete(folder);
    this.#watched.set(folder, known ?? this.#watch(folder));
    for (const [oldest, { end }] of this.#watched) {
      if (this.#watched.size <= MAX_WATCHES) break;
      end.dispose();
      this.#watched.delete(oldest);
    }
  }

  /** Tells of changes that are known before a watcher sees them. Absolute paths, of whatever folders. */
  changed(paths: readonly string[]): void {
    for (const { watch } of this.#watched.values()) watch.changed(paths);
  }

  /** The next push looks at all of `folder`. */
  doubt(folder: string): void {
    this.#watched.get(folder)?.watch.lost();
  }

  dispose(): void {
    this.#subscriptions.dispose();
    for (const { end } of this.#watched.values()) end.dispose();
    this.#watched.clear();
  }

  #watch(folder: string): Watched {
    const watch = this.#packers.watch(folder);
    const changes = this.#changes.watch(folder, (path) => {
      watch.changed([path]);
    });
    return { watch, end: Disposable.from(changes, watch) };
  }
}
