import * as l10n from '@vscode/l10n';
import { realpath, stat } from 'node:fs/promises';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import { Uri, window, workspace, type Memento, type WorkspaceFolder } from 'vscode';
import { SETTINGS } from '../../ids';
import { UserError } from '../errors';
import { pick } from '../notify';
import { readFolderSettings } from '../settings';

const CHOICE_KEY = 'extensionFolder:';

/** A browser extension in the workspace. */
export interface ExtensionFolder {
  workspaceFolder: WorkspaceFolder;
  /** The folder that holds `manifest.json`, absolute. */
  path: string;
}

/**
 * The workspace folder that a command concerns: the only one, else that of the active editor, else one that the user picks.
 * Undefined when the user cancels.
 * @throws UserError when no folder is open, or the folder is virtual.
 */
export async function pickWorkspaceFolder(): Promise<WorkspaceFolder | undefined> {
  const folders = workspace.workspaceFolders ?? [];
  if (folders.length === 0) {
    throw new UserError(l10n.t('No folder is open. Open the folder of your browser extension first.'));
  }
  const active = window.activeTextEditor && workspace.getWorkspaceFolder(window.activeTextEditor.document.uri);
  const folder =
    folders.length === 1
      ? folders[0]
      : (active ??
        (await window.showWorkspaceFolderPick({ placeHolder: l10n.t('Select the folder of the extension') })));
  if (folder && folder.uri.scheme !== 'file') {
    throw new UserError(
      l10n.t(
        '"{0}" is a virtual folder. A push needs files on a disk: clone the repository and open that folder.',
        folder.name,
      ),
    );
  }
  return folder;
}

/**
 * The extension of a workspace folder that is pushed: in the configured folder, else the remembered one, else the only one found.
 * When there are several, the user is asked if `ask` is true; undefined when the user is not asked or cancels.
 * @throws UserError when there is none; the message says where it was searched.
 */
export async function findExtensionFolder(
  workspaceFolder: WorkspaceFolder,
  memory: Memento,
  ask: boolean,
): Promise<ExtensionFolder | undefined> {
  const path = await findPath(workspaceFolder, memory, ask);
  return path === undefined ? undefined : { workspaceFolder, path };
}

async function findPath(folder: WorkspaceFolder, memory: Memento, ask: boolean): Promise<string | undefined> {
  const root = folder.uri.fsPath;
  const configured = readFolderSettings(folder.uri).folder;
  if (configured !== '') return await checkConfigured(root, configured);
  const { locateExtensionFolders } = await import('../../archive/locate');
  const found = await locateExtensionFolders(root);
  const [first] = found;
  if (first === undefined) {
    throw new UserError(
      l10n.t(
        'No manifest.json with a manifest_version was found in "{0}" or in its usual build folders. Build the extension, or name the folder in the setting {1}.',
        folder.name,
        SETTINGS.folder,
      ),
    );
  }
  if (found.length === 1) return first;
  const remembered = memory.get<string>(CHOICE_KEY + root);
  if (remembered !== undefined && found.includes(remembered)) return remembered;
  if (!ask) return undefined;
  const choice = await pick(
    found.map((path) => ({ label: relative(root, path) || '.', description: path, path })),
    {
      placeHolder: l10n.t('Several extensions were found. Select the one to push (remembered for this workspace)'),
    },
  );
  if (choice) await memory.update(CHOICE_KEY + root, choice.path);
  return choice?.path;
}

/** Whether `file` is in `folder`. Both absolute. */
export function isInside(folder: string, file: string): boolean {
  const path = relative(folder, file);
  return path !== '' && path !== '..' && !path.startsWith(`..${sep}`) && !isAbsolute(path);
}

/** The URI of a file in the extension folder, from the `/`-separated path in findings. */
export function fileUri(folder: string, path: string): Uri {
  return Uri.file(join(folder, ...path.split('/')));
}

async function checkConfigured(root: string, configured: string): Promise<string> {
  const path = resolve(root, configured);
  const info = await stat(path).catch(() => undefined);
  if (!info?.isDirectory()) {
    throw new UserError(l10n.t('The folder "{0}" of the setting {1} does not exist.', configured, SETTINGS.folder));
  }
  const [realRoot, real] = await Promise.all([realpath(root), realpath(path)]);
  if (real !== realRoot && !isInside(realRoot, real)) {
    throw new UserError(
      l10n.t('The folder "{0}" of the setting {1} lies outside the workspace folder.', configured, SETTINGS.folder),
    );
  }
  return path;
}
