import * as l10n from '@vscode/l10n';
import { realpath, stat } from 'node:fs/promises';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import { ConfigurationTarget, Uri, window, workspace, type Memento, type WorkspaceFolder } from 'vscode';
import { COMMANDS, SETTINGS } from '../../ids';
import { UserError } from '../errors';
import { pick } from '../notify';
import { readFolderSettings } from '../settings';
import { buildWays } from './buildScript';

const CHOICE_KEY = 'extensionFolder:';

const FOLDER_KEY = 'workspaceFolder';

/** A browser extension in the workspace. */
export interface ExtensionFolder {
  workspaceFolder: WorkspaceFolder;
  /** The folder that holds `manifest.json`, absolute. */
  path: string;
}

/**
 * The workspace folder that a command concerns: the only one with an extension, else that of the active editor, else the remembered
 * one, else one that the user picks, which is then remembered. Undefined when the user cancels.
 * @throws UserError when no folder is open, none holds an extension, or the only folder is virtual.
 */
export async function pickWorkspaceFolder(memory: Memento): Promise<WorkspaceFolder | undefined> {
  const folders = workspace.workspaceFolders ?? [];
  const [first] = folders;
  if (!first) {
    throw new UserError(l10n.t('No folder is open. Open the folder of your browser extension first.'), {
      label: l10n.t('Open Folder…'),
      command: 'workbench.action.files.openFolder',
    });
  }
  const onDisk = folders.filter(({ uri }) => uri.scheme === 'file');
  if (onDisk.length === 0) {
    throw new UserError(
      l10n.t(
        '"{0}" is a virtual folder. A push needs files on a disk: clone the repository and open that folder.',
        first.name,
      ),
    );
  }
  const candidates = await candidatesOf(folders);
  return knownFolder(candidates, memory) ?? (await askForWorkspaceFolder(candidates, memory));
}

/** The workspace folder that `pickWorkspaceFolder` returns where it asks nothing; undefined where it asks or throws. */
export async function currentWorkspaceFolder(memory: Memento): Promise<WorkspaceFolder | undefined> {
  return knownFolder(await candidatesOf(workspace.workspaceFolders ?? []), memory);
}

/** The folders on a disk that can be meant: those with an extension, else the first. */
async function candidatesOf(folders: readonly WorkspaceFolder[]): Promise<WorkspaceFolder[]> {
  const onDisk = folders.filter(({ uri }) => uri.scheme === 'file');
  if (folders.length === 1) return onDisk;
  const found = await withExtension(onDisk);
  return found.length > 0 ? found : onDisk.slice(0, 1);
}

function knownFolder(candidates: readonly WorkspaceFolder[], memory: Memento): WorkspaceFolder | undefined {
  if (candidates.length === 1) return candidates[0];
  const active = window.activeTextEditor && workspace.getWorkspaceFolder(window.activeTextEditor.document.uri);
  const remembered = memory.get<string>(FOLDER_KEY);
  return candidates.find((folder) => folder === active) ?? candidates.find(({ uri }) => uri.toString() === remembered);
}

/** Asks for a workspace folder with an extension and remembers it; the only one is returned without asking. */
async function askForWorkspaceFolder(
  candidates: readonly WorkspaceFolder[],
  memory: Memento,
): Promise<WorkspaceFolder | undefined> {
  const choice = await pick(
    candidates.map((folder) => ({ label: folder.name, description: folder.uri.fsPath, folder })),
    { placeHolder: l10n.t('Select the folder of the extension (remembered for this workspace)') },
  );
  if (choice) await memory.update(FOLDER_KEY, choice.folder.uri.toString());
  return choice?.folder;
}

/** Those of the folders that hold an extension, or whose setting names a folder. */
async function withExtension(folders: readonly WorkspaceFolder[]): Promise<WorkspaceFolder[]> {
  const { locateExtensionFolders } = await import('../../archive/locate');
  const found = await Promise.all(
    folders.map(
      async ({ uri }) => readFolderSettings(uri).folder !== '' || (await locateExtensionFolders(uri.fsPath)).length > 0,
    ),
  );
  return folders.filter((_, index) => found[index]);
}

/**
 * Asks which extension is pushed, and remembers it: which workspace folder where several hold one, and which folder in it where it has
 * several. Undefined when the user cancels, or there is only one.
 * @throws UserError as `pickWorkspaceFolder` and `findExtensionFolder`.
 */
export async function chooseExtensionFolder(memory: Memento): Promise<ExtensionFolder | undefined> {
  const candidates = await withExtension((workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file'));
  const folder =
    candidates.length > 1 ? await askForWorkspaceFolder(candidates, memory) : await pickWorkspaceFolder(memory);
  if (!folder) return undefined;
  if (candidates.length === 0) return await browseForFolder(folder);
  await memory.update(CHOICE_KEY + folder.uri.fsPath, undefined);
  return await findExtensionFolder(folder, memory, true);
}

/** Asks for a folder of the disk in the workspace folder, and sets it as the one that is pushed. */
async function browseForFolder(workspaceFolder: WorkspaceFolder): Promise<ExtensionFolder | undefined> {
  const picked = await window.showOpenDialog({
    defaultUri: workspaceFolder.uri,
    canSelectFiles: false,
    canSelectFolders: true,
    openLabel: l10n.t('Push This Folder'),
  });
  const path = picked?.[0]?.fsPath;
  if (path === undefined) return undefined;
  const root = workspaceFolder.uri.fsPath;
  const configured = relative(root, path) || '.';
  const checked = await checkConfigured(root, configured);
  await workspace
    .getConfiguration(undefined, workspaceFolder.uri)
    .update(SETTINGS.folder, configured, ConfigurationTarget.WorkspaceFolder);
  return { workspaceFolder, path: checked };
}

/**
 * The extension that a command concerns: `pickWorkspaceFolder`, then `findExtensionFolder` with a question where several are found.
 * Undefined when the user cancels.
 * @throws UserError as both.
 */
export async function pickExtensionFolder(memory: Memento): Promise<ExtensionFolder | undefined> {
  const folder = await pickWorkspaceFolder(memory);
  return folder && (await findExtensionFolder(folder, memory, true));
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
      ...(await buildWays(folder)),
      { label: l10n.t('Choose Folder…'), command: COMMANDS.chooseFolder },
    );
  }
  const remembered = memory.get<string>(CHOICE_KEY + root);
  if (remembered !== undefined && found.includes(remembered)) return remembered;
  // While a build has deleted the chosen folder, another output is not pushed in its place.
  if (!ask) return remembered === undefined && found.length === 1 ? first : undefined;
  if (found.length === 1) {
    // Remembered, too: another output that comes later neither replaces it nor stops pushes.
    await memory.update(CHOICE_KEY + root, first);
    return first;
  }
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
