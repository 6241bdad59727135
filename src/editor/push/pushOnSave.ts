import { Disposable, TextDocumentSaveReason, workspace, type WorkspaceFolder } from 'vscode';
import { SETTINGS } from '../../ids';
import { SavedPushes, type SaveFolder, type SaveHost } from '../../push/savedPushes';
import type { BrowserSession } from '../../service/model';
import { findChosen, type ChosenBrowsers } from '../browsers/target';
import { findExtensionFolder, isInside, type ExtensionFolder } from '../folder/extensionFolder';
import { sentenceFor } from '../messages';
import { readFolderSettings } from '../settings';
import { endedText, offerStartAgain } from './endedBrowsers';
import type { PushParts } from './pushParts';

/** A workspace folder of VS Code. */
interface OpenFolder extends SaveFolder {
  readonly folder: WorkspaceFolder;
}

/**
 * Pushes a folder automatically, where its setting asks for it: after a file of its extension was saved in the editor, or after its
 * extension folder has changed on disk. Which saves are pushed, and when, is decided by `SavedPushes`.
 */
export class PushOnSave implements Disposable {
  readonly #parts: PushParts;
  readonly #pushes: SavedPushes<OpenFolder, ExtensionFolder, ChosenBrowsers>;
  readonly #subscriptions: Disposable;
  #watchers: Disposable[] = [];

  constructor(parts: PushParts) {
    this.#parts = parts;
    this.#pushes = new SavedPushes(hostOf(parts));
    this.#subscriptions = Disposable.from(
      workspace.onWillSaveTextDocument(({ document, reason }) => {
        this.#pushes.willSave(document.uri.toString(), reason === TextDocumentSaveReason.Manual);
      }),
      workspace.onDidSaveTextDocument(({ uri }) => {
        const folder = uri.scheme === 'file' && workspace.isTrusted ? workspace.getWorkspaceFolder(uri) : undefined;
        if (folder) this.#pushes.saved(openFolder(folder), uri.toString(), uri.fsPath);
      }),
      workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration(SETTINGS.pushOnSave) || event.affectsConfiguration(SETTINGS.folder))
          this.#begin();
      }),
      workspace.onDidChangeWorkspaceFolders(() => {
        this.#begin();
      }),
      workspace.onDidGrantWorkspaceTrust(() => {
        this.#begin();
      }),
    );
    this.#begin();
  }

  dispose(): void {
    this.#pushes.dispose();
    for (const watcher of this.#watchers) watcher.dispose();
    this.#subscriptions.dispose();
  }

  #begin(): void {
    for (const watcher of this.#watchers) watcher.dispose();
    this.#watchers = [];
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
    const names = pushing.map(({ name }) => name).join(', ');
    this.#parts.statusBar.showSaves(mode, folders.length > 1 && first ? names : undefined);
  }

  /** Watches the workspace folder, because a build may delete and recreate the extension folder. */
  #watch(folder: WorkspaceFolder): void {
    const onWrite = this.#pushes.collectWrites(openFolder(folder));
    this.#watchers.push(this.#parts.changes.watch(folder.uri.fsPath, onWrite));
  }
}

function openFolder(folder: WorkspaceFolder): OpenFolder {
  return { key: folder.uri.toString(), name: folder.name, folder };
}

/** What `SavedPushes` needs of this window. */
function hostOf(parts: PushParts): SaveHost<OpenFolder, ExtensionFolder, ChosenBrowsers> {
  const { pusher, connection, engines, lists, statusBar, log, context } = parts;
  // A connection tells when its browser ends.
  const connected = (id: string): BrowserSession | undefined => {
    const session = engines.engine?.browsers.connected(id);
    return session && (lists.browsers.items.find(({ session_id }) => session_id === id) ?? session);
  };
  return {
    settings: ({ key, folder }) => {
      const isOpen = workspace.workspaceFolders?.some(({ uri }) => uri.toString() === key) === true;
      return { ...readFolderSettings(folder.uri), ...(!isOpen && { pushOnSave: 'off' }) };
    },
    findExtension: ({ folder }) => findExtensionFolder(folder, context.workspaceState, false),
    hasUnsaved: ({ path }) =>
      workspace.textDocuments.some(({ isDirty, fileName }) => isDirty && isInside(path, fileName)),
    isComplete: (extension) => pusher.isComplete(extension),
    changed: (paths) => {
      pusher.changed(paths);
    },
    findTargets: async () => await findChosen(await connection.client(), parts, connected),
    push: (extension, running) => pusher.pushSaved(extension, running),
    showWaiting: (label, reason) => {
      statusBar.showWaiting(label, reason);
    },
    warn: (reason) => {
      log.warn(reason);
    },
    endedText,
    offerStartAgain: (extension, ended, text) => offerStartAgain(parts, extension, ended, text),
    sentenceOf: (error) => sentenceFor(error) ?? String(error),
  };
}
