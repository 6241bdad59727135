import { join } from 'node:path';
import { Disposable, workspace, type Memento, type TextDocument, type WorkspaceFolder } from 'vscode';
import { SETTINGS } from '../../ids';
import { BUILD_QUIET_MS, QUIET_MS, quietMs } from '../../push/quiet';
import type { BrowserSession } from '../../service/model';
import type { PushPins } from '../browsers/pins';
import { findTargets, type PushTarget } from '../browsers/target';
import { findExtensionFolder, isInside } from '../folder/extensionFolder';
import type { FileChanges } from '../folder/fileChanges';
import type { Log } from '../log';
import { sentenceFor } from '../messages';
import type { ServiceConnection } from '../service/connection';
import { readFolderSettings } from '../settings';
import type { Pusher } from './pusher';
import type { StatusBar } from './statusBar';

/** How long an incomplete build is waited for, in milliseconds; then it is pushed, and the push says what is missing. */
const BUILD_PATIENCE_MS = 3000;

/** How long after a save another file of the extension, which is not saved, is taken to be the next of Save All, in milliseconds. */
const SAVE_ALL_MS = 200;

/** How long it is taken for granted where a push goes, in milliseconds. */
const TARGETS_FRESH_MS = 500;

/** Folders whose changes are never a build, wherever the extension folder is. */
const NO_BUILD = /[\\/](?:node_modules|\.[^\\/]+)(?:[\\/]|$)/;

export interface PushOnSaveOptions {
  connection: ServiceConnection;
  changes: FileChanges;
  target: PushTarget;
  pins: PushPins;
  pusher: Pusher;
  statusBar: StatusBar;
  log: Log;
  memory: Memento;
}

/**
 * Pushes a folder by itself, where its setting asks for it: after a file of its extension was saved in the editor, or after
 * its extension folder has changed on the disk and has come to rest.
 */
export class PushOnSave implements Disposable {
  readonly #options: PushOnSaveOptions;
  readonly #subscriptions: Disposable;
  readonly #timers = new Map<string, NodeJS.Timeout>();
  /** Where the next push goes, by folder: the service is asked while the quiet time runs. */
  readonly #targets = new Map<string, { askedAt: number; sessions: Promise<BrowserSession[]> }>();
  #watchers: Disposable[] = [];
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
    this.#options.statusBar.pushOnSave = folders.some(({ uri }) => readFolderSettings(uri).pushOnSave !== 'off');
    if (!workspace.isTrusted) return;
    for (const folder of folders) {
      if (readFolderSettings(folder.uri).pushOnSave === 'onBuild' && folder.uri.scheme === 'file') this.#watch(folder);
    }
  }

  /** Watches the workspace folder: the extension folder may be made anew by each build. */
  #watch(folder: WorkspaceFolder): void {
    // A bundler writes thousands of files: each only adds its path, and one look at the end decides.
    const written = new Map<string, number>();
    const onChange = (path: string): void => {
      written.set(path, performance.now());
      if (this.#timers.has(folder.uri.toString())) return;
      this.#schedule(folder, quietOfBuild(folder), () => this.#onWritten(folder, written));
    };
    this.#watchers.push(this.#options.changes.watch(folder.uri.fsPath, onChange));
  }

  async #onSave(document: TextDocument): Promise<void> {
    if (document.uri.scheme !== 'file' || !workspace.isTrusted) return;
    const folder = workspace.getWorkspaceFolder(document.uri);
    if (!folder || readFolderSettings(folder.uri).pushOnSave !== 'onSave') return;
    const extension = await findExtensionFolder(folder, this.#options.memory, false);
    if (extension === undefined || !isInside(extension, document.uri.fsPath)) return;
    const saved = performance.now();
    void this.#askForTargets(folder);
    this.#schedule(folder, quietOf(folder, QUIET_MS), () => this.#pushSaved(folder, extension, saved));
  }

  /**
   * Pushes what a build has written once its files have come to rest: `written` holds when each was written last, and keeps what
   * is not pushed yet. Other files of the workspace folder neither cause a push nor put it off.
   */
  async #onWritten(folder: WorkspaceFolder, written: Map<string, number>): Promise<void> {
    const extension = await findExtensionFolder(folder, this.#options.memory, false).catch(() => undefined);
    this.#options.pusher.changed([...written.keys()]);
    for (const path of written.keys()) if (extension === undefined || !isPart(extension, path)) written.delete(path);
    if (extension === undefined || written.size === 0) return;
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
    // A build whose manifest names files that are not there yet is not whole.
    if (restMs < BUILD_PATIENCE_MS && !(await isWhole(extension))) {
      again(quietMs);
      return;
    }
    for (const [path, at] of parts) if (written.get(path) === at) written.delete(path);
    await this.#push(folder);
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
  async #pushSaved(folder: WorkspaceFolder, extension: string, saved: number): Promise<void> {
    const isDirty = workspace.textDocuments.some(({ isDirty, fileName }) => isDirty && isInside(extension, fileName));
    if (isDirty && performance.now() - saved < SAVE_ALL_MS) {
      this.#schedule(folder, quietOf(folder, QUIET_MS), () => this.#pushSaved(folder, extension, saved));
      return;
    }
    await this.#push(folder);
  }

  /** Asks where the next push goes, unless that was asked just now, for another save of the same push. */
  #askForTargets(folder: WorkspaceFolder): Promise<BrowserSession[]> {
    const key = folder.uri.toString();
    const known = this.#targets.get(key);
    if (known && performance.now() - known.askedAt < TARGETS_FRESH_MS) return known.sessions;
    const sessions = this.#options.connection.client().then((client) => findTargets(client, this.#options));
    this.#targets.set(key, { askedAt: performance.now(), sessions });
    // The push that awaits it tells of the failure.
    sessions.catch(() => undefined);
    return sessions;
  }

  async #push(folder: WorkspaceFolder): Promise<void> {
    const { pusher, log } = this.#options;
    const asked = this.#askForTargets(folder);
    this.#targets.delete(folder.uri.toString());
    const sessions = await asked;
    if (sessions.length === 0) {
      const reason = 'Push on save waits: no browser is chosen. Push once by hand, or run "Sideload: Set Push Target".';
      if (reason !== this.#lastReason) log.warn(reason);
      this.#lastReason = reason;
      return;
    }
    this.#lastReason = '';
    await pusher.push(folder, sessions, 'save');
  }

  /** Told once in the log; the status bar shows it until the next push. */
  #pause(error: unknown): void {
    const reason = sentenceFor(error) ?? String(error);
    if (reason !== this.#lastReason) this.#options.log.warn(`Push on save: ${reason}`);
    this.#lastReason = reason;
    this.#options.statusBar.show({ state: 'failed', browser: '', reason, at: new Date() });
  }
}

/** The quiet time before a push of `folder`, in milliseconds. */
function quietOf(folder: WorkspaceFolder, usualMs: number): number {
  return quietMs(usualMs, readFolderSettings(folder.uri).delivery);
}

function quietOfBuild(folder: WorkspaceFolder): number {
  return quietOf(folder, BUILD_QUIET_MS);
}

/** Builders write to `.output` and the like, so only the part below the extension folder counts. */
function isPart(extension: string, path: string): boolean {
  return isInside(extension, path) && !NO_BUILD.test(path.slice(extension.length));
}

async function isWhole(extension: string): Promise<boolean> {
  const [{ checkFolder }, { stat }] = await Promise.all([import('../../manifest/check'), import('node:fs/promises')]);
  const { findings, manifest } = await checkFolder(extension);
  if (!manifest || findings.some(({ severity }) => severity === 'error')) return false;
  const sizes = await Promise.all(manifest.files.map((file) => stat(join(extension, file)).catch(() => undefined)));
  return sizes.every((info) => info !== undefined);
}
