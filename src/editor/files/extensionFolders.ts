import { basename, extname } from 'node:path';
import { commands, workspace, type Disposable, ConfigurationTarget, Uri } from 'vscode';
import { CONTEXT, SETTINGS } from '../../ids';
import type { ChangeKind } from '../../archive/watcherGaps';
import type { FolderWiring } from '../folder/fileChanges';
import { foldersOnDisk } from '../folder/foldersOnDisk';
import { fieldOf } from '../../base/fields';
import { readFolderSettings } from '../settings';

/** Quiet time after a manifest or a folder was created or deleted, in milliseconds. */
const QUIET_MS = 500;

/**
 * Keeps the context key with the paths of all extension folders in the workspace, by which the Explorer shows Sideload's commands on
 * them alone.
 */
export class ExtensionFolders implements Disposable {
  readonly #subscriptions: Disposable;
  #watches: Disposable[] = [];
  #timer: NodeJS.Timeout | undefined;
  #abort = new AbortController();

  constructor(private readonly wiring: FolderWiring) {
    this.#subscriptions = workspace.onDidChangeWorkspaceFolders(() => this.#begin());
    this.#begin();
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#abort.abort();
    this.#subscriptions.dispose();
    for (const watch of this.#watches) watch.dispose();
  }

  #begin(): void {
    for (const watch of this.#watches) watch.dispose();
    const soon = (): void => {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => void this.#update(), QUIET_MS);
    };
    const onChange = (path: string, kind: ChangeKind): void => {
      // What is in a folder that is deleted or moved is not reported.
      if (kind === 'entry' && (basename(path) === 'manifest.json' || extname(path) === '')) soon();
    };
    this.#watches = foldersOnDisk().map(({ uri: { fsPath: root } }) => this.wiring.changes.watch(root, onChange));
    soon();
  }

  async #update(): Promise<void> {
    this.#abort.abort();
    const { signal } = (this.#abort = new AbortController());
    try {
      const { locateExtensionFolders } = await import('../../archive/locate');
      const found = await Promise.all(
        foldersOnDisk().map(({ uri: { fsPath: root } }) => locateExtensionFolders(root, { signal })),
      );
      await commands.executeCommand('setContext', CONTEXT.extensionFolders, found.flat());
    } catch (error) {
      if (!signal.aborted) this.wiring.log.warn(`The extension folders could not be listed: ${String(error)}`);
    }
  }
}

/**
 * Adds one path to the files that are sent although they are left out by default, or to those that are left out: what the quick fix of a
 * finding asks for. Does nothing with an argument of another form.
 */
export async function addToFileList(argument: unknown): Promise<void> {
  const [folder, list, path] = ['folder', 'list', 'path'].map((name) => fieldOf(argument, name));
  if (typeof folder !== 'string' || typeof path !== 'string' || (list !== 'include' && list !== 'exclude')) return;
  const uri = Uri.file(folder);
  const glob = globOf(path);
  const globs = readFolderSettings(uri)[list];
  if (globs.includes(glob)) return;
  const setting = list === 'include' ? SETTINGS.include : SETTINGS.exclude;
  const target = ConfigurationTarget.WorkspaceFolder;
  await workspace.getConfiguration(undefined, uri).update(setting, [...globs, glob], target);
}

/** The glob that matches one path and no other. */
function globOf(path: string): string {
  return `/${path.replaceAll(/[\\*?[\]{}()!+@|]/g, String.raw`\$&`)}`;
}
