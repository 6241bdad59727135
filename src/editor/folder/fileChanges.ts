import { Disposable, RelativePattern, Uri, workspace } from 'vscode';
import { WatcherGaps, type ChangeKind, type ChangeListener } from '../../archive/watcherGaps';

/** What is watched as one, and who hears of it. */
interface Watched {
  listeners: Set<ChangeListener>;
  end: Disposable;
}

/**
 * What changes on the disk, as the editor's watcher tells it, without its gaps. Who wants to hear of a folder of the workspace
 * hears of the whole workspace folder: when a folder goes, the editor tells of the topmost one alone, so `rm -r dist` may be a
 * word about something above the folder in question, and a folder that is made anew comes from outside of itself.
 */
export class FileChanges implements Disposable {
  /** By the absolute path of the folder that is watched. */
  readonly #watched = new Map<string, Watched>();

  /** Tells `onChange` of what comes, goes or changes in the workspace folder of `folder`, absolute, until the result is disposed. */
  watch(folder: string, onChange: ChangeListener): Disposable {
    const base = workspace.getWorkspaceFolder(Uri.file(folder))?.uri ?? Uri.file(folder);
    const watched = this.#watched.get(base.fsPath) ?? begin(base);
    this.#watched.set(base.fsPath, watched);
    watched.listeners.add(onChange);
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
  const tell: ChangeListener = (path, kind) => {
    for (const listener of listeners) listener(path, kind);
  };
  const newFolders = new WatcherGaps(base.fsPath, tell);
  const watcher = workspace.createFileSystemWatcher(new RelativePattern(base, '**/*'));
  const hear =
    (kind: ChangeKind) =>
    ({ fsPath }: Uri): void => {
      tell(fsPath, kind);
      void newFolders.told(fsPath);
    };
  const end = Disposable.from(
    watcher,
    watcher.onDidCreate(hear('entry')),
    watcher.onDidDelete(hear('entry')),
    // Also of a folder that has gone and come back quickly.
    watcher.onDidChange(hear('content')),
    newFolders,
  );
  return { listeners, end };
}
