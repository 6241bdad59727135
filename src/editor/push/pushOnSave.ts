import { basename } from 'node:path';
import { TextDocumentSaveReason, workspace, type Disposable, type Memento, type WorkspaceFolder } from 'vscode';
import { isWithin, pathFrom } from '../../base/disk';
import { SETTINGS } from '../../ids';
import { SavedPushes, type SaveFolder, type SaveHost } from '../../push/turns/savedPushes';
import type { Browser } from '../../service/model';
import { findChosen, type ChosenBrowsers } from '../targets/target';
import { findExtensionFolder, findTogether, foldersTogether, type ExtensionFolder } from '../folder/extensionFolder';
import { NoExtensionError } from '../errorTexts';
import { sentenceFor } from '../messages';
import { readFolderSettings } from '../settings';
import { EndedBrowsers, endedText } from './endedBrowsers';
import type { PushWiring } from './pushWiring';

/** A workspace folder of VS Code. */
interface OpenFolder extends SaveFolder {
  readonly folder: WorkspaceFolder;
  /** The extension folder, absolute, where several are pushed together: a save pushes only that one. */
  readonly path?: string;
}

/**
 * Pushes a folder automatically, where its setting asks for it: after a file of its extension was saved in the editor, or after its
 * extension folder has changed on disk. Which saves are pushed, and when, is decided by `SavedPushes`.
 */
export class PushOnSave {
  readonly #pushes: SavedPushes<OpenFolder, ExtensionFolder, ChosenBrowsers>;
  readonly #ended: EndedBrowsers;
  readonly #watchers: Disposable[] = [];

  constructor(private readonly wiring: PushWiring) {
    this.#ended = new EndedBrowsers(wiring);
    this.#pushes = new SavedPushes(hostOf(wiring, this.#ended));
    wiring.localhost.gate.follow(() => this.#pushes.untilPushed());
    const targetsChanged = (): void => this.#pushes.targetsChanged();
    wiring.own(
      this.#pushes,
      wiring.target.onDidChange(targetsChanged),
      wiring.pins.onDidChange(targetsChanged),
      workspace.onWillSaveTextDocument(({ document, reason }) => {
        this.#pushes.willSave(document.uri.toString(), reason === TextDocumentSaveReason.Manual);
      }),
      workspace.onDidSaveTextDocument(({ uri }) => {
        const folder = uri.scheme === 'file' && workspace.isTrusted ? workspace.getWorkspaceFolder(uri) : undefined;
        if (!folder) return;
        for (const one of openFolders(folder, wiring.context.workspaceState)) {
          if (one.path === undefined || isWithin(one.path, uri.fsPath)) {
            this.#pushes.saved(one, uri.toString(), uri.fsPath);
          }
        }
      }),
      workspace.onDidChangeConfiguration((event) => {
        const isFolder = [SETTINGS.folder, SETTINGS.folders].some((name) => event.affectsConfiguration(name));
        if (isFolder) wiring.statusBar.folderChosen();
        if (isFolder || event.affectsConfiguration(SETTINGS.pushOnSave)) this.#begin();
      }),
      workspace.onDidChangeWorkspaceFolders(() => this.#begin()),
      workspace.onDidGrantWorkspaceTrust(() => this.#begin()),
      { dispose: () => this.#unwatch() },
    );
    this.#begin();
  }

  #unwatch(): void {
    for (const watcher of this.#watchers.splice(0)) watcher.dispose();
  }

  #begin(): void {
    this.#unwatch();
    const folders = workspace.workspaceFolders ?? [];
    this.#showSaves(folders);
    if (!workspace.isTrusted) return;
    for (const folder of folders) {
      if (readFolderSettings(folder.uri).pushOnSave === 'onBuild' && folder.uri.scheme === 'file') this.#watch(folder);
    }
  }

  #showSaves(folders: readonly WorkspaceFolder[]): void {
    const pushing = folders.filter(({ uri }) => readFolderSettings(uri).pushOnSave !== 'off');
    const [first] = pushing;
    const mode = first ? readFolderSettings(first.uri).pushOnSave : 'off';
    if (mode === 'off') this.#ended.withdraw();
    const names = pushing.map(({ name }) => name).join(', ');
    this.wiring.statusBar.showSaves(mode, names);
  }

  /** Watches the workspace folder, because a build may delete and recreate the extension folder. */
  #watch(folder: WorkspaceFolder): void {
    const collectors = new Map<string, (path: string) => void>();
    const onWrite = (path: string): void => {
      // Which folders are pushed together may have been chosen since.
      for (const one of openFolders(folder, this.wiring.context.workspaceState)) {
        const collect = collectors.get(one.key) ?? this.#pushes.collectWrites(one);
        collectors.set(one.key, collect);
        collect(path);
      }
    };
    this.#watchers.push(this.wiring.changes.watch(folder.uri.fsPath, onWrite));
  }
}

/** A workspace folder, or, where it pushes several extension folders together, each of these. */
function openFolders(folder: WorkspaceFolder, memory: Memento): readonly OpenFolder[] {
  const key = folder.uri.toString();
  const paths = foldersTogether(folder, memory);
  if (paths.length === 0) return [{ key, name: folder.name, folder }];
  return paths.map((path) => ({ key: `${key}#${path}`, name: basename(path), folder, path }));
}

/** What `SavedPushes` needs of this window. */
function hostOf(
  wiring: PushWiring,
  endedBrowsers: EndedBrowsers,
): SaveHost<OpenFolder, ExtensionFolder, ChosenBrowsers> {
  const { pusher, connection, devTools, lists, statusBar, log, context } = wiring;
  // A connection reports when its browser ends.
  const connected = (id: string): Browser | undefined => {
    const browser = devTools.current?.connected(id);
    return browser && (lists.browsers.items.find(({ id: browserId }) => browserId === id) ?? browser);
  };
  return {
    settings: ({ folder }) => {
      const isOpen = workspace.workspaceFolders?.some(({ uri }) => uri.toString() === folder.uri.toString()) === true;
      return { ...readFolderSettings(folder.uri), ...(!isOpen && { pushOnSave: 'off' }) };
    },
    findExtension: ({ folder, path }) =>
      path === undefined
        ? findExtensionFolder(folder, context.workspaceState, { ask: false })
        : findTogether(folder, path),
    isWithoutExtension: (error) => error instanceof NoExtensionError,
    hasUnsaved: ({ path }) =>
      workspace.textDocuments.some(({ isDirty, fileName }) => isDirty && isWithin(path, fileName)),
    deliveredBy: async ({ workspaceFolder, path }) => {
      const { deliveryFilter } = await import('../../archive/choice');
      const isDelivered = deliveryFilter(readFolderSettings(workspaceFolder.uri));
      return (file) => isDelivered(pathFrom(path, file));
    },
    isComplete: (extension, written) => pusher.isComplete(extension, written),
    changed: (paths) => pusher.changed(paths),
    findTargets: async () => await findChosen(await connection.client(), wiring, connected),
    push: (extension, running) => pusher.pushSaved(extension, running),
    showWaiting: (label, reason) => statusBar.showWaiting(label, reason),
    warn: (reason) => log.warn(reason),
    endedText,
    offerStartAgain: async (extension, ended, text) => {
      // A browser that starts again gets all that is pushed together.
      const all = await findExtensionFolder(extension.workspaceFolder, context.workspaceState, { ask: false });
      endedBrowsers.tell(all ?? extension, ended, text);
    },
    sentenceOf: (error) => sentenceFor(error) ?? String(error),
  };
}
