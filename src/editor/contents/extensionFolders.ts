import { commands, Disposable, workspace } from 'vscode';
import { CONTEXT } from '../../ids';
import type { Log } from '../log';

/** Quiet time after a manifest was created or deleted, in milliseconds. */
const QUIET_MS = 500;

/**
 * Keeps the context key with the paths of all extension folders in the workspace, by which the Explorer shows Sideload's commands on
 * them alone.
 */
export class ExtensionFolders implements Disposable {
  readonly #log: Log;
  readonly #subscriptions: Disposable;
  #timer: NodeJS.Timeout | undefined;
  #abort = new AbortController();

  constructor({ log }: { log: Log }) {
    this.#log = log;
    const soon = (): void => {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => void this.#update(), QUIET_MS);
    };
    const watcher = workspace.createFileSystemWatcher('**/manifest.json', false, true, false);
    this.#subscriptions = Disposable.from(
      watcher,
      watcher.onDidCreate(soon),
      watcher.onDidDelete(soon),
      workspace.onDidChangeWorkspaceFolders(soon),
    );
    soon();
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#abort.abort();
    this.#subscriptions.dispose();
  }

  async #update(): Promise<void> {
    this.#abort.abort();
    const { signal } = (this.#abort = new AbortController());
    try {
      const { locateExtensionFolders } = await import('../../archive/locate');
      const roots = (workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
      const found = await Promise.all(roots.map(({ uri }) => locateExtensionFolders(uri.fsPath, { signal })));
      await commands.executeCommand('setContext', CONTEXT.extensionFolders, found.flat());
    } catch (error) {
      if (!signal.aborted) this.#log.warn(`The extension folders could not be listed: ${String(error)}`);
    }
  }
}
