import { Disposable, window, workspace, type WorkspaceFolder } from 'vscode';
import { eachOf, findExtensionFolder } from '../folder/extensionFolder';
import { readFolderSettings } from '../settings';
import type { PushWiring } from './pushWiring';
import { foldersOnDisk } from '../folder/foldersOnDisk';

/**
 * Prepares the first push once its target is known: checks and packs the folder in the background. At the start of a window only
 * where saves push. Asks no questions and makes no request.
 */
export class AheadOfPush implements Disposable {
  readonly #subscriptions: Disposable;

  constructor(private readonly wiring: PushWiring) {
    const begin = (): void => {
      this.#begin(this.#folder()).catch((error: unknown) => {
        // The push itself will report the failure.
        wiring.log.debug(`Nothing was prepared ahead of a push: ${String(error)}`);
      });
    };
    this.#subscriptions = Disposable.from(wiring.target.onDidChange(begin), wiring.pins.onDidChange(begin));
    const folder = this.#folder();
    if (folder && readFolderSettings(folder.uri).pushOnSave !== 'off') begin();
  }

  dispose(): void {
    this.#subscriptions.dispose();
  }

  /** Of several folders only the active editor's is prepared: each may take as much memory as its archive. */
  #folder(): WorkspaceFolder | undefined {
    const folders = foldersOnDisk();
    const active = window.activeTextEditor && workspace.getWorkspaceFolder(window.activeTextEditor.document.uri);
    return folders.find((folder) => folder === active) ?? folders[0];
  }

  async #begin(folder: WorkspaceFolder | undefined): Promise<void> {
    const { target, pins, pusher, diagnostics, context } = this.wiring;
    const isSomewhere = target.browserId !== undefined || !pins.isEmpty;
    if (!folder || !isSomewhere || !workspace.isTrusted) return;
    const extension = await findExtensionFolder(folder, context.workspaceState, { ask: false });
    if (!extension) return;
    await pusher.ahead(extension);
    for (const { path } of eachOf(extension)) await diagnostics.check(path);
  }
}
