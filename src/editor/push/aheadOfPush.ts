import { Disposable, window, workspace, type Memento, type WorkspaceFolder } from 'vscode';
import type { PushPins } from '../browsers/pins';
import type { PushTarget } from '../browsers/target';
import { findExtensionFolder } from '../folder/extensionFolder';
import type { Log } from '../log';
import type { Diagnostics } from '../problems/diagnostics';
import { readFolderSettings } from '../settings';
import type { Pusher } from './pusher';

export interface AheadOfPushOptions {
  target: PushTarget;
  pins: PushPins;
  pusher: Pusher;
  diagnostics: Diagnostics;
  memory: Memento;
  log: Log;
}

/**
 * Does what can be done before a push is asked for, once it is known where one would go: the folder is checked and packed in the
 * background, so that the first push finds it done. At the start of a window only where saves push. Asks nobody, makes no request.
 */
export class AheadOfPush implements Disposable {
  readonly #options: AheadOfPushOptions;
  readonly #subscriptions: Disposable;

  constructor(options: AheadOfPushOptions) {
    this.#options = options;
    const begin = (): void => {
      this.#begin(this.#folder()).catch((error: unknown) => {
        // Nobody has asked for it: the push itself will tell.
        options.log.debug(`Nothing is prepared ahead of a push: ${String(error)}`);
      });
    };
    this.#subscriptions = Disposable.from(options.target.onDidChange(begin), options.pins.onDidChange(begin));
    const folder = this.#folder();
    if (folder && readFolderSettings(folder.uri).pushOnSave !== 'off') begin();
  }

  dispose(): void {
    this.#subscriptions.dispose();
  }

  /** Of several folders only one is prepared, the one that is worked on: each may take as much memory as its archive. */
  #folder(): WorkspaceFolder | undefined {
    const folders = (workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
    const active = window.activeTextEditor && workspace.getWorkspaceFolder(window.activeTextEditor.document.uri);
    return folders.find((folder) => folder === active) ?? folders[0];
  }

  async #begin(folder: WorkspaceFolder | undefined): Promise<void> {
    const { target, pins, pusher, memory } = this.#options;
    const isSomewhere = target.sessionId !== undefined || !pins.isEmpty;
    if (!folder || !isSomewhere || !workspace.isTrusted) return;
    const path = await findExtensionFolder(folder, memory, false);
    if (path === undefined) return;
    pusher.ahead(folder, path);
    await this.#options.diagnostics.check(path);
  }
}
