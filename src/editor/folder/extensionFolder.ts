import * as l10n from '@vscode/l10n';
import { realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { ConfigurationTarget, Uri, window, workspace, type Memento, type WorkspaceFolder } from 'vscode';
import { isWithin, pathFrom } from '../../base/disk';
import { COMMANDS, SETTINGS } from '../../ids';
import { NoExtensionError, UserError } from '../errorTexts';
import { pick, pickMany } from '../notify';
import { readFolderSettings } from '../settings';
import { buildWays } from './packageScripts';
import { foldersOnDisk } from './foldersOnDisk';

const CHOICE_KEY = 'extensionFolder:';

const FOLDER_KEY = 'workspaceFolder';

/** A browser extension in the workspace. */
export interface ExtensionFolder {
  workspaceFolder: WorkspaceFolder;
  /** The folder that holds `manifest.json`, absolute. */
  path: string;
  /** The other folders that are pushed together with it, absolute. */
  together?: readonly string[];
}

/** An extension, and those that are pushed together with it, each by itself. */
export function eachOf({ workspaceFolder, path, together = [] }: ExtensionFolder): readonly ExtensionFolder[] {
  return [path, ...together].map((one) => ({ workspaceFolder, path: one }));
}

/**
 * The workspace folder that a command concerns: the only one with an extension, else `named`, else that of the active editor, else the
 * remembered one, else one that the user picks, which is then remembered. Undefined when the user cancels.
 * @throws UserError when no folder is open, none holds an extension, or the only folder is virtual.
 */
export async function pickWorkspaceFolder(
  memory: Memento,
  named?: WorkspaceFolder,
): Promise<WorkspaceFolder | undefined> {
  const folders = workspace.workspaceFolders ?? [];
  const [first] = folders;
  if (!first) {
    throw new UserError(l10n.t('No folder is open. Open the folder of your browser extension first.'), {
      label: l10n.t('Open Folder…'),
      command: 'workbench.action.files.openFolder',
    });
  }
  if (foldersOnDisk().length === 0) {
    throw new UserError(
      l10n.t(
        '"{0}" is a virtual folder. A push needs files on a disk: clone the repository and open that folder.',
        first.name,
      ),
    );
  }
  const found = await foldersMeant();
  const isNamed = ({ uri }: WorkspaceFolder): boolean => uri.toString() === named?.uri.toString();
  return found.find(isNamed) ?? knownFolder(found, memory) ?? (await askForWorkspaceFolder(found, memory));
}

/** The workspace folder that `pickWorkspaceFolder` returns where it asks nothing; undefined where it asks or throws. */
export async function currentWorkspaceFolder(memory: Memento): Promise<WorkspaceFolder | undefined> {
  return knownFolder(await foldersMeant(), memory);
}

/** The folders on a disk that can be meant: those with an extension, else the first. */
async function foldersMeant(): Promise<WorkspaceFolder[]> {
  const onDisk = foldersOnDisk();
  if (workspace.workspaceFolders?.length === 1) return onDisk;
  const found = await withExtension(onDisk);
  return found.length > 0 ? found : onDisk.slice(0, 1);
}

/** The document that was in the editor when a folder was chosen: the choice goes before its folder until another document is there. */
let besideChoice: string | undefined;

function knownFolder(found: readonly WorkspaceFolder[], memory: Memento): WorkspaceFolder | undefined {
  if (found.length === 1) return found[0];
  const document = window.activeTextEditor?.document.uri;
  const active = document && workspace.getWorkspaceFolder(document);
  const remembered = memory.get<string>(FOLDER_KEY);
  const ofEditor = found.find((folder) => folder === active);
  const chosen = found.find(({ uri }) => uri.toString() === remembered);
  return document?.toString() === besideChoice ? (chosen ?? ofEditor) : (ofEditor ?? chosen);
}

/** Asks for a workspace folder with an extension, and remembers it; undefined when the user cancels. */
async function askForWorkspaceFolder(
  candidates: readonly WorkspaceFolder[],
  memory: Memento,
): Promise<WorkspaceFolder | undefined> {
  const choice = await pick(
    candidates.map((folder) => ({ label: folder.name, description: folder.uri.fsPath, folder })),
    { placeHolder: l10n.t('Select the folder of the extension (remembered for this workspace)') },
  );
  if (!choice) return undefined;
  await memory.update(FOLDER_KEY, choice.folder.uri.toString());
  besideChoice = window.activeTextEditor?.document.uri.toString();
  return choice.folder;
}

/** Those of the folders that hold an extension, or whose setting names a folder. */
async function withExtension(folders: readonly WorkspaceFolder[]): Promise<WorkspaceFolder[]> {
  const { locateExtensionFolders } = await import('../../archive/locate');
  const found = await Promise.all(
    folders.map(async ({ uri }) => isConfigured(uri) || (await locateExtensionFolders(uri.fsPath)).length > 0),
  );
  return folders.filter((_, index) => found[index]);
}

function isConfigured(uri: Uri): boolean {
  const { folder, folders } = readFolderSettings(uri);
  return folder !== '' || folders.length > 0;
}

/**
 * Asks which extension is pushed, and remembers it: which workspace folder where several hold one, and which folders in it where it has
 * several; those that are ticked are pushed together. Undefined when the user cancels.
 * @throws UserError as `pickWorkspaceFolder` and `findExtensionFolder`.
 */
export async function chooseExtensionFolder(memory: Memento): Promise<ExtensionFolder | undefined> {
  const candidates = await withExtension(foldersOnDisk());
  const folder =
    candidates.length > 1 ? await askForWorkspaceFolder(candidates, memory) : await pickWorkspaceFolder(memory);
  if (!folder) return undefined;
  if (candidates.length === 0) return await browseForFolder(folder);
  if (!isConfigured(folder.uri)) {
    const { locateExtensionFolders } = await import('../../archive/locate');
    const found = await locateExtensionFolders(folder.uri.fsPath);
    if (found.length > 1) return await tickFolders(folder, found, memory);
  }
  await memory.update(CHOICE_KEY + folder.uri.fsPath, undefined);
  return await findExtensionFolder(folder, memory, { ask: true });
}

/** Asks which of several folders are pushed, and remembers them. */
async function tickFolders(
  workspaceFolder: WorkspaceFolder,
  found: readonly string[],
  memory: Memento,
): Promise<ExtensionFolder | undefined> {
  const root = workspaceFolder.uri.fsPath;
  const remembered = rememberedFolders(memory, root);
  const ticked = await pickMany(
    found.map((path) => ({
      label: relative(root, path) || '.',
      description: path,
      path,
      picked: remembered.includes(path),
    })),
    { placeHolder: l10n.t('Tick what is pushed; several are pushed together (remembered for this workspace)') },
  );
  if (!ticked || ticked.length === 0) return undefined;
  const paths = ticked.map(({ path }) => path);
  await memory.update(CHOICE_KEY + root, paths);
  return extensionOf(workspaceFolder, paths);
}

/** The folders that were chosen in a workspace folder. */
function rememberedFolders(memory: Memento, root: string): readonly string[] {
  const remembered = memory.get<string | readonly string[]>(CHOICE_KEY + root) ?? [];
  return typeof remembered === 'string' ? [remembered] : remembered;
}

/**
 * The folders that a workspace folder pushes together, as far as that was configured or chosen, absolute; empty for fewer than two. Whether
 * they exist is not known.
 */
export function foldersTogether({ uri }: WorkspaceFolder, memory: Memento): readonly string[] {
  const { folder, folders } = readFolderSettings(uri);
  const configured = folders.length > 0 || folder !== '' ? folders : rememberedFolders(memory, uri.fsPath);
  const paths = [...new Set(configured.map((path) => resolve(uri.fsPath, path)))];
  return paths.length > 1 ? paths : [];
}

/**
 * One of the folders that a workspace folder pushes together, by itself; undefined while it holds no extension.
 * @throws UserError when it is outside of the workspace folder
 */
export async function findTogether(
  workspaceFolder: WorkspaceFolder,
  path: string,
): Promise<ExtensionFolder | undefined> {
  const { holdsExtension } = await import('../../archive/locate');
  if (!(await holdsExtension(path))) return undefined;
  return { workspaceFolder, path: await checkConfigured(workspaceFolder.uri.fsPath, path, SETTINGS.folders) };
}

function extensionOf(workspaceFolder: WorkspaceFolder, paths: readonly string[]): ExtensionFolder | undefined {
  const [path, ...together] = paths;
  if (path === undefined) return undefined;
  return together.length === 0 ? { workspaceFolder, path } : { workspaceFolder, path, together };
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
  // The setting may be shared with other systems.
  const configured = pathFrom(root, path);
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
export async function pickExtensionFolder(
  memory: Memento,
  named?: WorkspaceFolder,
): Promise<ExtensionFolder | undefined> {
  const folder = await pickWorkspaceFolder(memory, named);
  return folder && (await findExtensionFolder(folder, memory, { ask: true }));
}

/** As {@link pickExtensionFolder}; where several are pushed together, the one that the user picks. */
export async function pickOneExtension(memory: Memento): Promise<ExtensionFolder | undefined> {
  const extension = await pickExtensionFolder(memory);
  if (!extension?.together) return extension;
  const root = extension.workspaceFolder.uri.fsPath;
  const choice = await pick(
    eachOf(extension).map((one) => ({ label: relative(root, one.path) || '.', description: one.path, one })),
    { placeHolder: l10n.t('Select the extension') },
  );
  return choice?.one;
}

/**
 * The extension of a workspace folder that is pushed: in the configured folder, else the remembered one, else the only one found.
 * When there are several, the user is asked if `ask` is true; undefined when the user is not asked or cancels.
 * @throws NoExtensionError when there is none, which says where it was searched; UserError about a folder of the settings.
 */
export async function findExtensionFolder(
  workspaceFolder: WorkspaceFolder,
  memory: Memento,
  { ask }: { ask: boolean },
): Promise<ExtensionFolder | undefined> {
  return extensionOf(workspaceFolder, await findPaths(workspaceFolder, memory, ask));
}

/** The extensions of all workspace folders that are known without a question, each by itself. */
export async function knownExtensions(memory: Memento): Promise<ExtensionFolder[]> {
  const found = await Promise.all(
    foldersOnDisk().map((folder) => findExtensionFolder(folder, memory, { ask: false }).catch(() => undefined)),
  );
  return found.flatMap((extension) => (extension ? eachOf(extension) : []));
}

async function findPaths(folder: WorkspaceFolder, memory: Memento, ask: boolean): Promise<readonly string[]> {
  const root = folder.uri.fsPath;
  const { folder: configured, folders } = readFolderSettings(folder.uri);
  if (folders.length > 0) {
    return await Promise.all([...new Set(folders)].map((one) => checkConfigured(root, one, SETTINGS.folders)));
  }
  if (configured !== '') return [await checkConfigured(root, configured)];
  const { holdExtensions, locateElsewhere, locateExtensionFolders } = await import('../../archive/locate');
  const remembered = rememberedFolders(memory, root);
  // First, because a search of a large workspace would delay each save.
  if (remembered.length > 0 && (await holdExtensions(root, remembered))) return remembered;
  const found = await locateExtensionFolders(root);
  const [first] = found;
  if (first === undefined) {
    const elsewhere = ask ? await locateElsewhere(root) : [];
    if (elsewhere.length > 0) return await askForPath(root, elsewhere, memory);
    throw new NoExtensionError(
      l10n.t(
        'No manifest.json with a manifest_version was found in "{0}" or in its usual build folders. Build the extension, or name the folder in the setting {1}.',
        folder.name,
        SETTINGS.folder,
      ),
      ...(await buildWays(folder)),
      { label: l10n.t('Choose Folder…'), command: COMMANDS.chooseFolder },
    );
  }
  // While a build has deleted the chosen folder, another output is not pushed in its place.
  if (!ask) return remembered.length === 0 && found.length === 1 ? [first] : [];
  const { withoutSources } = await import('../../push/prepare/sourceFolders');
  const offered = await withoutSources(found, () => readFolderSettings(folder.uri));
  const [only, ...others] = offered;
  // What was chosen may be there again in a moment, as after a build that empties its folder first.
  const missing = remembered.map((path) => pathFrom(root, path)).join(', ');
  if (missing !== '') return await askForPath(root, offered, memory, missing);
  if (only !== undefined && others.length === 0) {
    // Remembered, too: another output that comes later neither replaces it nor stops pushes.
    await memory.update(CHOICE_KEY + root, only);
    return [only];
  }
  return await askForPath(root, offered, memory);
}

/** The folder of an entry of the Explorer: itself, or that of a manifest. */
export function folderOfEntry({ fsPath }: Uri): string {
  return basename(fsPath) === 'manifest.json' ? dirname(fsPath) : fsPath;
}

/**
 * The extension of an entry of the Explorer, which is pushed from now on unless the settings name others; undefined for the sources of one that is
 * built from them.
 * @throws UserError when there is none
 */
export async function extensionOfEntry(
  entry: Uri,
  workspaceFolder: WorkspaceFolder,
  memory: Memento,
): Promise<ExtensionFolder | undefined> {
  const path = folderOfEntry(entry);
  const root = workspaceFolder.uri.fsPath;
  const { holdsExtension, locateExtensionFolders } = await import('../../archive/locate');
  if (!(await holdsExtension(path))) {
    throw new UserError(
      l10n.t(
        '"{0}" holds no browser extension: that needs a manifest.json with a manifest_version.',
        pathFrom(root, path) || workspaceFolder.name,
      ),
      { label: l10n.t('Choose Folder…'), command: COMMANDS.chooseFolder },
    );
  }
  const { withoutSources } = await import('../../push/prepare/sourceFolders');
  const found = [...new Set([path, ...(await locateExtensionFolders(root))])];
  if (!(await withoutSources(found, () => readFolderSettings(workspaceFolder.uri))).includes(path)) return undefined;
  const extension = { workspaceFolder, path };
  const isChosen = isConfigured(workspaceFolder.uri) || rememberedFolders(memory, root).includes(path);
  if (!isChosen) await rememberExtension(memory, extension);
  return extension;
}

/** Remembers which extension of its workspace folder is pushed. */
export async function rememberExtension(memory: Memento, { workspaceFolder, path }: ExtensionFolder): Promise<void> {
  await memory.update(CHOICE_KEY + workspaceFolder.uri.fsPath, path);
}

/** Asks which extension is pushed, and remembers it; empty when the user cancels. `missing`: the folders that were chosen, without an extension now. */
async function askForPath(
  root: string,
  found: readonly string[],
  memory: Memento,
  missing = '',
): Promise<readonly string[]> {
  const choice = await pick(
    found.map((path) => ({ label: relative(root, path) || '.', description: path, path })),
    {
      placeHolder:
        missing === ''
          ? l10n.t('Select the extension to push (remembered for this workspace)')
          : l10n.t('"{0}" holds no extension now. Build it, or select another one to push', missing),
    },
  );
  if (choice) await memory.update(CHOICE_KEY + root, choice.path);
  return choice ? [choice.path] : [];
}

/** The URI of a file in the extension folder, from the `/`-separated path in findings. */
export function fileUri(folder: string, path: string): Uri {
  return Uri.file(join(folder, ...path.split('/')));
}

async function checkConfigured(root: string, configured: string, setting: string = SETTINGS.folder): Promise<string> {
  const path = resolve(root, configured);
  const info = await stat(path).catch(() => undefined);
  if (!info?.isDirectory()) {
    throw new UserError(l10n.t('The folder "{0}" of the setting {1} does not exist.', configured, setting));
  }
  const [realRoot, real] = await Promise.all([realpath(root), realpath(path)]);
  if (!isWithin(realRoot, real) && isWithin(root, path)) {
    throw new UserError(
      l10n.t(
        'The folder "{0}" of the setting {1} is behind a symbolic link that leads out of the workspace folder, to "{2}". Add that folder to the workspace, or let the build write into the workspace folder.',
        configured,
        setting,
        real,
      ),
    );
  }
  if (!isWithin(realRoot, real)) {
    throw new UserError(
      l10n.t('The folder "{0}" of the setting {1} lies outside the workspace folder.', configured, setting),
    );
  }
  // With the drive of Windows as VS Code spells it in other paths.
  return Uri.file(path).fsPath;
}
