import { window, workspace, type WorkspaceFolder } from 'vscode';
import { eachOf, findExtensionFolder } from '../folder/extensionFolder';
import { readFolderSettings } from '../settings';
import type { PushWiring } from './pushWiring';
import { foldersOnDisk } from '../folder/foldersOnDisk';

/**
 * Prepares the first push once its target is known: checks and packs the folder in the background. At the start of a window only
 * where saves push. Asks no questions and makes no request.
 */
export function prepareAhead(wiring: PushWiring): void {
  const { target, pins, log, own } = wiring;
  const begin = (): void => {
    prepare(wiring, folderAhead()).catch((error: unknown) => {
      // The push itself will report the failure.
      log.debug(`Nothing was prepared ahead of a push: ${String(error)}`);
    });
  };
  own(target.onDidChange(begin), pins.onDidChange(begin));
  const folder = folderAhead();
  if (folder && readFolderSettings(folder.uri).pushOnSave !== 'off') begin();
}

/** Of several folders only the active editor's is prepared: each may take as much memory as its archive. */
function folderAhead(): WorkspaceFolder | undefined {
  const folders = foldersOnDisk();
  const active = window.activeTextEditor && workspace.getWorkspaceFolder(window.activeTextEditor.document.uri);
  return folders.find((folder) => folder === active) ?? folders[0];
}

async function prepare(wiring: PushWiring, folder: WorkspaceFolder | undefined): Promise<void> {
  const { target, pins, pusher, diagnostics, context } = wiring;
  const isSomewhere = target.browserId !== undefined || !pins.isEmpty;
  if (!folder || !isSomewhere || !workspace.isTrusted) return;
  const extension = await findExtensionFolder(folder, context.workspaceState, { ask: false });
  if (!extension) return;
  await pusher.ahead(extension);
  for (const { path } of eachOf(extension)) await diagnostics.check(path);
}
