import { Disposable, RelativePattern, Uri, workspace } from 'vscode';
import { LinkedFolders } from '../../archive/linkedFolders';
import { WatcherGaps, type ChangeKind, type ChangeListener } from '../../archive/watcherGaps';
import type { Wiring } from '../wiring';

/** The watcher of one workspace folder and its listeners. */
interface Watched {
  listeners: Set<ChangeListener>;
  linked: LinkedFolders;
  end: Disposable;
}

/** The changes in the workspace's files. */
export interface FolderWiring extends Wiring {
  changes: FileChanges;
}

/**
 * File changes as VS Code's watcher reports them, plus those that it misses. VS Code reports only the topmost deleted directory, and
 * a recreated directory is reported by its parent; so listeners receive events of the whole workspace folder.
 */
export class FileChanges implements Disposable {
  /** By the absolute path of the watched folder. */
  readonly #watched = new Map<string, Watched>();

  /** Calls `onChange` for each event in the workspace folder of `folder`, absolute, until the result is disposed. */
  watch(folder: string, onChange: ChangeListener): Disposable {
    const base = workspace.getWorkspaceFolder(Uri.file(folder))?.uri ?? Uri.file(folder);
    const watched = this.#watched.get(base.fsPath) ?? begin(base);
    this.#watched.set(base.fsPath, watched);
    watched.listeners.add(onChange);
    void watched.linked.follow(folder);
    return new Disposable(() => {
      watched.listeners.delete(onChange);
      if (watched.listeners.size > 0 || this.#watched.get(base.fsPath) !== watched) return;
      this.#watched.delete(base.fsPath);
      watched.end.dispose();
    });
  }

  dispose(): void {
    for (const { end } of this.#watched.values()) end.dispose();
    this.#watched.clear();
  }
}

function begin(base: Uri): Watched {
  const listeners = new Set<ChangeListener>();
  const report: ChangeListener = (path, kind) => {
    for (const listener of listeners) listener(path, kind);
  };
  const linked = new LinkedFolders(base.fsPath, report);
  const emit: ChangeListener = (path, kind) => {
    report(path, kind);
    linked.onEvent(path, kind);
  };
  const gaps = new WatcherGaps(base.fsPath, emit);
  const watcher = workspace.createFileSystemWatcher(new RelativePattern(base, '**/*'));
  const onEvent =
    (kind: ChangeKind) =>
    ({ fsPath }: Uri): void => {
      emit(fsPath, kind);
      void gaps.onEvent(fsPath);
    };
  const end = Disposable.from(
    watcher,
    watcher.onDidCreate(onEvent('entry')),
    watcher.onDidDelete(onEvent('entry')),
    // Also for a folder that was deleted and recreated quickly.
    watcher.onDidChange(onEvent('content')),
    gaps,
  );
  return { listeners, linked, end };
}
