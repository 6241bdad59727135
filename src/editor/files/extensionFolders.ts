import * as l10n from '@vscode/l10n';
import { basename, extname } from 'node:path';
import { commands, workspace, type Disposable, ConfigurationTarget, Uri } from 'vscode';
import { CONTEXT, SETTINGS } from '../../ids';
import type { ChangeKind } from '../../archive/watcherGaps';
import type { FolderWiring } from '../folder/fileChanges';
import { rootsOnDisk } from '../folder/foldersOnDisk';
import { fieldOf } from '../../base/fields';
import { UserError } from '../errorTexts';
import { readFolderSettings } from '../settings';
import { requireReadableSettings } from '../trust';

/** Quiet time after a manifest or a folder was created or deleted, in milliseconds. */
const QUIET_MS = 500;

/**
 * Keeps the context key with the paths of all extension folders in the workspace, by which the Explorer shows Sideload's commands on
 * them alone, until the window ends.
 */
export function followExtensionFolders({ changes, log, own }: FolderWiring): void {
  const watches: Disposable[] = [];
  let timer: NodeJS.Timeout | undefined;
  let abort = new AbortController();
  const update = async (): Promise<void> => {
    abort.abort();
    const { signal } = (abort = new AbortController());
    try {
      const { locateExtensionFolders } = await import('../../archive/locate');
      const found = await Promise.all(rootsOnDisk().map((root) => locateExtensionFolders(root, signal)));
      await commands.executeCommand('setContext', CONTEXT.extensionFolders, found.flat());
    } catch (error) {
      if (!signal.aborted) log.warn(`The extension folders could not be listed: ${String(error)}`);
    }
  };
  const soon = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => void update(), QUIET_MS);
  };
  const end = (): void => {
    for (const watch of watches.splice(0)) watch.dispose();
  };
  const begin = (): void => {
    end();
    const onChange = (path: string, kind: ChangeKind): void => {
      // What is in a folder that is deleted or moved is not reported.
      if (kind === 'entry' && (basename(path) === 'manifest.json' || extname(path) === '')) soon();
    };
    watches.push(...rootsOnDisk().map((root) => changes.watch(root, onChange)));
    soon();
  };
  begin();
  own(workspace.onDidChangeWorkspaceFolders(begin), {
    dispose: () => {
      clearTimeout(timer);
      abort.abort();
      end();
    },
  });
}

/**
 * Adds one path to the files that are sent although they are left out by default, or to those that are left out: what the quick fix of a
 * finding asks for. Does nothing with an argument of another form.
 * @throws UserError for a folder outside of the workspace, and in one that is not trusted
 */
export async function addToFileList(argument: unknown): Promise<void> {
  const [folder, list, path] = ['folder', 'list', 'path'].map((name) => fieldOf(argument, name));
  if (typeof folder !== 'string' || typeof path !== 'string' || (list !== 'include' && list !== 'exclude')) return;
  requireReadableSettings();
  const uri = Uri.file(folder);
  const glob = globOf(path);
  const globs = readFolderSettings(uri)[list];
  if (globs.includes(glob)) return;
  const setting = list === 'include' ? SETTINGS.include : SETTINGS.exclude;
  if (!workspace.getWorkspaceFolder(uri)) {
    throw new UserError(
      l10n.t(
        '"{0}" is outside of the workspace, which holds its settings. Add that folder to the workspace first.',
        folder,
      ),
      { label: l10n.t('Add Folder…'), command: 'workbench.action.addRootFolder' },
    );
  }
  const target = ConfigurationTarget.WorkspaceFolder;
  await workspace.getConfiguration(undefined, uri).update(setting, [...globs, glob], target);
}

/** The glob that matches one path and no other. */
function globOf(path: string): string {
  return `/${path.replaceAll(/[\\*?[\]{}()!+@|]/g, String.raw`\$&`)}`;
}
