import { Disposable, workspace, type Memento, type TextDocument, type WorkspaceFolder } from 'vscode';
import { SETTINGS } from '../ids';
import type { ServiceConnection } from './connection';
import { findExtensionFolder, isInside } from './extensionFolder';
import type { Log } from './log';
import { sentenceFor } from './messages';
import type { Pusher } from './pusher';
import { readFolderSettings } from './settings';
import type { StatusBar } from './statusBar';
import { findTarget, type PushTarget } from './target';

/** Quiet time after the last save before a push begins, in milliseconds: a Save All is one push. */
const QUIET_MS = 50;

export interface PushOnSaveOptions {
  connection: ServiceConnection;
  target: PushTarget;
  pusher: Pusher;
  statusBar: StatusBar;
  log: Log;
  memory: Memento;
}

/** Pushes a folder after a file of its extension was saved, where the folder's setting asks for it. */
export class PushOnSave implements Disposable {
  readonly #options: PushOnSaveOptions;
  readonly #subscriptions: Disposable;
  readonly #timers = new Map<string, NodeJS.Timeout>();
  #lastReason = '';

  constructor(options: PushOnSaveOptions) {
    this.#options = options;
    this.#subscriptions = Disposable.from(
      workspace.onDidSaveTextDocument((document) => {
        this.#onSave(document).catch((error: unknown) => {
          this.#pause(error);
        });
      }),
      workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration(SETTINGS.pushOnSave)) this.#showState();
      }),
      workspace.onDidChangeWorkspaceFolders(() => {
        this.#showState();
      }),
    );
    this.#showState();
  }

  dispose(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#subscriptions.dispose();
  }

  #showState(): void {
    const folders = workspace.workspaceFolders ?? [];
    this.#options.statusBar.pushOnSave = folders.some(({ uri }) => readFolderSettings(uri).pushOnSave !== 'off');
  }

  async #onSave(document: TextDocument): Promise<void> {
    if (document.uri.scheme !== 'file' || !workspace.isTrusted) return;
    const folder = workspace.getWorkspaceFolder(document.uri);
    if (!folder || readFolderSettings(folder.uri).pushOnSave === 'off') return;
    const extension = await findExtensionFolder(folder, this.#options.memory, false);
    if (extension === undefined || !isInside(extension, document.uri.fsPath)) return;
    const key = folder.uri.toString();
    clearTimeout(this.#timers.get(key));
    this.#timers.set(
      key,
      setTimeout(() => {
        this.#timers.delete(key);
        this.#push(folder).catch((error: unknown) => {
          this.#pause(error);
        });
      }, QUIET_MS),
    );
  }

  async #push(folder: WorkspaceFolder): Promise<void> {
    const { connection, target, pusher, log } = this.#options;
    const session = await findTarget(await connection.client(), target);
    if (!session) {
      const reason = 'Push on save waits: no browser is chosen. Push once by hand, or run "Sideload: Set Push Target".';
      if (reason !== this.#lastReason) log.warn(reason);
      this.#lastReason = reason;
      return;
    }
    this.#lastReason = '';
    await pusher.push(folder, session, 'save');
  }

  /** Told once in the log; the status bar shows it until the next push. */
  #pause(error: unknown): void {
    const reason = sentenceFor(error) ?? String(error);
    if (reason !== this.#lastReason) this.#options.log.warn(`Push on save: ${reason}`);
    this.#lastReason = reason;
    this.#options.statusBar.show({ state: 'failed', browser: '', reason, at: new Date() });
  }
}
