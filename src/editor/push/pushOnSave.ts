import { Disposable, workspace, type TextDocument, type WorkspaceFolder } from 'vscode';
import { SETTINGS } from '../../ids';
import { BUILD_QUIET_MS, QUIET_MS, quietMs } from '../../push/quiet';
import type { BrowserSession } from '../../service/model';
import { findTargets } from '../browsers/target';
import { findExtensionFolder, isInside, type ExtensionFolder } from '../folder/extensionFolder';
import { sentenceFor } from '../messages';
import { readFolderSettings } from '../settings';
import type { PushParts } from './pushParts';

/** How long an incomplete build may take to be completed, in milliseconds; then it is pushed, and the push says what is missing. */
const BUILD_PATIENCE_MS = 3000;

/** How long after a save an unsaved file of the extension is taken for the next one of Save All, in milliseconds. */
const SAVE_ALL_MS = 200;

/** How long the targets of a push are reused, in milliseconds. */
const TARGETS_FRESH_MS = 500;

/** Folders whose changes are never a build. */
const NO_BUILD = /[\\/](?:node_modules|\.[^\\/]+)(?:[\\/]|$)/;

/**
 * Pushes a folder automatically, where its setting asks for it: after a file of its extension was saved in the editor, or after its
 * extension folder has changed on disk and no more writes follow.
 */
export class PushOnSave implements Disposable {
  readonly #parts: PushParts;
  readonly #subscriptions: Disposable;
  readonly #timers = new Map<string, NodeJS.Timeout>();
  /** The targets of the next push, by folder: requested while the quiet time runs. */
  readonly #targets = new Map<string, { askedAt: number; sessions: Promise<BrowserSession[]> }>();
  #watchers: Disposable[] = [];
  #lastReason = '';

  constructor(parts: PushParts) {
    this.#parts = parts;
    this.#subscriptions = Disposable.from(
      workspace.onDidSaveTextDocument((document) => {
        this.#onSave(document).catch((error: unknown) => {
          this.#pause(error);
        });
      }),
      workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration(SETTINGS.pushOnSave) || event.affectsConfiguration(SETTINGS.folder))
          this.#begin();
      }),
      workspace.onDidChangeWorkspaceFolders(() => {
        this.#begin();
      }),
      workspace.onDidGrantWorkspaceTrust(() => {
        this.#begin();
      }),
    );
    this.#begin();
  }

  dispose(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer);
    for (const watcher of this.#watchers) watcher.dispose();
    this.#subscriptions.dispose();
  }

  #begin(): void {
    for (const watcher of this.#watchers) watcher.dispose();
    this.#watchers = [];
    const folders = workspace.workspaceFolders ?? [];
    this.#parts.statusBar.pushOnSave = folders.some(({ uri }) => readFolderSettings(uri).pushOnSave !== 'off');
    if (!workspace.isTrusted) return;
    for (const folder of folders) {
      if (readFolderSettings(folder.uri).pushOnSave === 'onBuild' && folder.uri.scheme === 'file') this.#watch(folder);
    }
  }

  /** Watches the workspace folder, because a build may delete and recreate the extension folder. */
  #watch(folder: WorkspaceFolder): void {
    // A bundler writes thousands of files: each event only records its path, and they are evaluated together.
    const written = new Map<string, number>();
    const onChange = (path: string): void => {
      written.set(path, performance.now());
      if (this.#timers.has(folder.uri.toString())) return;
      this.#schedule(folder, quietOfBuild(folder), () => this.#onWritten(folder, written));
    };
    this.#watchers.push(this.#parts.changes.watch(folder.uri.fsPath, onChange));
  }

  async #onSave(document: TextDocument): Promise<void> {
    if (document.uri.scheme !== 'file' || !workspace.isTrusted) return;
    const folder = workspace.getWorkspaceFolder(document.uri);
    if (!folder || readFolderSettings(folder.uri).pushOnSave !== 'onSave') return;
    const extension = await findExtensionFolder(folder, this.#parts.context.workspaceState, false);
    if (!extension || !isInside(extension.path, document.uri.fsPath)) return;
    const saved = performance.now();
    void this.#askForTargets(folder);
    this.#schedule(folder, quietOf(folder, QUIET_MS), () => this.#pushSaved(extension, saved));
  }

  /**
   * Pushes what a build has written once no more writes follow: `written` holds the time of each file's last write, and keeps what is
   * not pushed yet. Other files of the workspace folder neither cause a push nor delay it.
   */
  async #onWritten(folder: WorkspaceFolder, written: Map<string, number>): Promise<void> {
    const { pusher, context } = this.#parts;
    const extension = await findExtensionFolder(folder, context.workspaceState, false).catch(() => undefined);
    pusher.changed([...written.keys()]);
    for (const path of written.keys()) if (!extension || !isPart(extension.path, path)) written.delete(path);
    if (!extension || written.size === 0) return;
    const parts = [...written];
    const lastMs = parts.reduce((latest, [, at]) => Math.max(latest, at), 0);
    const again = (delayMs: number): void => {
      this.#schedule(folder, delayMs, () => this.#onWritten(folder, written));
    };
    const restMs = performance.now() - lastMs;
    const quietMs = quietOfBuild(folder);
    if (restMs < quietMs) {
      again(quietMs - restMs);
      return;
    }
    void this.#askForTargets(folder);
    if (restMs < BUILD_PATIENCE_MS && !(await pusher.isComplete(extension))) {
      again(quietMs);
      return;
    }
    // The build has gone on meanwhile, and its events have scheduled the next look.
    if ([...written].some(([path, at]) => at > lastMs && isPart(extension.path, path))) return;
    for (const [path, at] of parts) if (written.get(path) === at) written.delete(path);
    await this.#push(extension);
  }

  #schedule(folder: WorkspaceFolder, delayMs: number, act: () => Promise<void>): void {
    const key = folder.uri.toString();
    clearTimeout(this.#timers.get(key));
    this.#timers.set(
      key,
      setTimeout(() => {
        this.#timers.delete(key);
        act().catch((error: unknown) => {
          this.#pause(error);
        });
      }, delayMs),
    );
  }

  /** Saves that belong together, such as those of Save All, are one push. */
  async #pushSaved(extension: ExtensionFolder, saved: number): Promise<void> {
    const { workspaceFolder, path } = extension;
    const isDirty = workspace.textDocuments.some(({ isDirty, fileName }) => isDirty && isInside(path, fileName));
    if (isDirty && performance.now() - saved < SAVE_ALL_MS) {
      this.#schedule(workspaceFolder, quietOf(workspaceFolder, QUIET_MS), () => this.#pushSaved(extension, saved));
      return;
    }
    await this.#push(extension);
  }

  /** Requests the targets of the next push, unless that was done just now for another save of the same push. */
  #askForTargets(folder: WorkspaceFolder): Promise<BrowserSession[]> {
    const key = folder.uri.toString();
    const known = this.#targets.get(key);
    if (known && performance.now() - known.askedAt < TARGETS_FRESH_MS) return known.sessions;
    const sessions = this.#parts.connection.client().then((client) => findTargets(client, this.#parts));
    this.#targets.set(key, { askedAt: performance.now(), sessions });
    // The push that awaits the targets reports the failure.
    sessions.catch(() => undefined);
    return sessions;
  }

  async #push(extension: ExtensionFolder): Promise<void> {
    const { pusher, log } = this.#parts;
    const folder = extension.workspaceFolder;
    const targets = this.#askForTargets(folder);
    this.#targets.delete(folder.uri.toString());
    const sessions = await targets;
    if (sessions.length === 0) {
      const reason = 'Push on save waits: no browser is chosen. Push once by hand, or run "Sideload: Set Push Target".';
      if (reason !== this.#lastReason) log.warn(reason);
      this.#lastReason = reason;
      return;
    }
    this.#lastReason = '';
    await pusher.pushSaved(extension, sessions);
  }

  /** Logs the reason once; the status bar shows it until the next push. */
  #pause(error: unknown): void {
    const reason = sentenceFor(error) ?? String(error);
    if (reason !== this.#lastReason) this.#parts.log.warn(`Push on save: ${reason}`);
    this.#lastReason = reason;
    this.#parts.statusBar.show({ state: 'failed', browser: '', reason, at: new Date() });
  }
}

/** The quiet time before a push of `folder`, in milliseconds. */
function quietOf(folder: WorkspaceFolder, usualMs: number): number {
  return quietMs(usualMs, readFolderSettings(folder.uri).delivery);
}

function quietOfBuild(folder: WorkspaceFolder): number {
  return quietOf(folder, BUILD_QUIET_MS);
}

/** Bundlers write to folders such as `.output`, so only the path within the extension folder is tested. */
function isPart(extension: string, path: string): boolean {
  return isInside(extension, path) && !NO_BUILD.test(path.slice(extension.length));
}
