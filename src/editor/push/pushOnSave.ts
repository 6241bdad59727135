import * as l10n from '@vscode/l10n';
import { Disposable, TextDocumentSaveReason, workspace, type TextDocument, type WorkspaceFolder } from 'vscode';
import { SETTINGS } from '../../ids';
import type { BrowserSession } from '../../service/model';
import { BuildQuiet, QUIET_MS, quietMs } from '../../push/quiet';
import type { RememberedBrowser } from '../browsers/remembered';
import { findChosen, type ChosenBrowsers } from '../browsers/target';
import { findExtensionFolder, isInside, type ExtensionFolder } from '../folder/extensionFolder';
import { sentenceFor } from '../messages';
import { readFolderSettings } from '../settings';
import { endedText, offerStartAgain } from './endedBrowsers';
import type { PushParts } from './pushParts';

/** How long an incomplete build may take to be completed, in milliseconds; then it is pushed, and the push says what is missing. */
const BUILD_PATIENCE_MS = 3000;

/** How long after a save an unsaved file of the extension is taken for the next one of Save All, in milliseconds. */
const SAVE_ALL_MS = 200;

/** How long the targets of a push are reused, in milliseconds. */
const TARGETS_FRESH_MS = 500;

/** Folders whose changes are never a build. */
const NO_BUILD = /[\\/](?:node_modules|\.[^\\/]+)(?:[\\/]|$)/;

/** What was written in a workspace folder with builds, and is not pushed yet. */
interface Writes {
  /** The time of each file's last write, by path. */
  readonly times: Map<string, number>;
  readonly quiet: BuildQuiet;
}

/**
 * Pushes a folder automatically, where its setting asks for it: after a file of its extension was saved in the editor, or after its
 * extension folder has changed on disk and no more writes follow.
 */
export class PushOnSave implements Disposable {
  readonly #parts: PushParts;
  readonly #subscriptions: Disposable;
  readonly #timers = new Map<string, NodeJS.Timeout>();
  /** The targets of the next push, by folder: requested while the quiet time runs. */
  readonly #targets = new Map<string, { askedAt: number; chosen: Promise<ChosenBrowsers> }>();
  /** Documents whose last save was not by the user's hand. */
  readonly #autoSaved = new Set<string>();
  #watchers: Disposable[] = [];
  #lastReason = '';

  constructor(parts: PushParts) {
    this.#parts = parts;
    this.#subscriptions = Disposable.from(
      workspace.onWillSaveTextDocument(({ document, reason }) => {
        if (reason === TextDocumentSaveReason.Manual) this.#autoSaved.delete(document.uri.toString());
        else this.#autoSaved.add(document.uri.toString());
      }),
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
    this.#showSaves(folders);
    if (!workspace.isTrusted) return;
    for (const folder of folders) {
      if (readFolderSettings(folder.uri).pushOnSave === 'onBuild' && folder.uri.scheme === 'file') this.#watch(folder);
    }
  }

  #showSaves(folders: readonly WorkspaceFolder[]): void {
    const pushing = folders.filter(({ uri }) => readFolderSettings(uri).pushOnSave !== 'off');
    const [first] = pushing;
    const mode = first ? readFolderSettings(first.uri).pushOnSave : 'off';
    const names = pushing.map(({ name }) => name).join(', ');
    this.#parts.statusBar.showSaves(mode, folders.length > 1 && first ? names : undefined);
  }

  /** Watches the workspace folder, because a build may delete and recreate the extension folder. */
  #watch(folder: WorkspaceFolder): void {
    // A bundler writes thousands of files: each event only records its path, and they are evaluated together.
    const writes: Writes = { times: new Map(), quiet: new BuildQuiet() };
    const onChange = (path: string): void => {
      writes.times.set(path, performance.now());
      if (this.#timers.has(folder.uri.toString())) return;
      this.#schedule(folder, quietOf(folder, writes.quiet.ms), () => this.#onWritten(folder, writes));
    };
    this.#watchers.push(this.#parts.changes.watch(folder.uri.fsPath, onChange));
  }

  async #onSave(document: TextDocument): Promise<void> {
    if (document.uri.scheme !== 'file' || !workspace.isTrusted) return;
    const folder = workspace.getWorkspaceFolder(document.uri);
    if (!folder) return;
    const { pushOnSave, pushOnAutoSave } = readFolderSettings(folder.uri);
    if (pushOnSave !== 'onSave') return;
    // A file that is saved in the middle of a line is no state that anybody wants to run.
    if (!pushOnAutoSave && this.#autoSaved.has(document.uri.toString())) return;
    const extension = await findExtensionFolder(folder, this.#parts.context.workspaceState, false);
    if (!extension) {
      this.#waitForFolder(folder);
      return;
    }
    if (!isInside(extension.path, document.uri.fsPath)) return;
    const saved = performance.now();
    void this.#askForTargets(folder);
    this.#schedule(folder, quietOf(folder, QUIET_MS), () => this.#pushSaved(extension, saved));
  }

  /**
   * Pushes what a build has written once no more writes follow. Other files of the workspace folder neither cause a push nor delay it.
   */
  async #onWritten(folder: WorkspaceFolder, writes: Writes): Promise<void> {
    const { times: written, quiet } = writes;
    const { pusher, context } = this.#parts;
    const found = await findExtensionFolder(folder, context.workspaceState, false).catch(() => 'none' as const);
    pusher.changed([...written.keys()]);
    const again = (delayMs: number): void => {
      this.#schedule(folder, delayMs, () => this.#onWritten(folder, writes));
    };
    if (found === undefined) {
      // A build may have deleted the chosen folder just now.
      if (performance.now() - latestOf(written) < BUILD_PATIENCE_MS) again(quietOf(folder, quiet.ms));
      else this.#waitForFolder(folder);
      return;
    }
    const extension = found === 'none' ? undefined : found;
    for (const path of written.keys()) if (!extension || !isPart(extension.path, path)) written.delete(path);
    if (!extension || written.size === 0) return;
    quiet.note(written.values());
    const quietMs = quietOf(folder, quiet.ms);
    const parts = [...written];
    const lastMs = latestOf(written);
    const restMs = performance.now() - lastMs;
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

  #waitForFolder(folder: WorkspaceFolder): void {
    this.#wait(
      l10n.t('choose a folder'),
      l10n.t(
        '"{0}" has several extension folders, or not the chosen one. Choose the one to push: "Sideload: Choose Extension Folder…".',
        folder.name,
      ),
    );
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
  #askForTargets(folder: WorkspaceFolder): Promise<ChosenBrowsers> {
    const key = folder.uri.toString();
    const known = this.#targets.get(key);
    if (known && performance.now() - known.askedAt < TARGETS_FRESH_MS) return known.chosen;
    const { connection, engines, lists } = this.#parts;
    // A connection tells when its browser ends.
    const connected = (id: string): BrowserSession | undefined => {
      const session = engines.engine?.browsers.connected(id);
      return session && (lists.browsers.items.find(({ session_id }) => session_id === id) ?? session);
    };
    const chosen = connection.client().then((client) => findChosen(client, this.#parts, connected));
    this.#targets.set(key, { askedAt: performance.now(), chosen });
    // The push that awaits the targets reports the failure.
    chosen.catch(() => undefined);
    return chosen;
  }

  async #push(extension: ExtensionFolder): Promise<void> {
    const { pusher } = this.#parts;
    const folder = extension.workspaceFolder;
    const targets = this.#askForTargets(folder);
    this.#targets.delete(folder.uri.toString());
    const { running, ended } = await targets;
    if (ended.length > 0) this.#tellEnded(extension, ended);
    else if (running.length === 0) {
      this.#wait(
        l10n.t('no browser chosen'),
        l10n.t('Push on save waits: no browser is chosen. Push once by hand, or choose a browser.'),
      );
    } else this.#lastReason = '';
    if (running.length > 0) await pusher.pushSaved(extension, running);
  }

  /** Shows once that saves are not pushed to browsers that have ended. */
  #tellEnded(extension: ExtensionFolder, ended: readonly RememberedBrowser[]): void {
    const text = l10n.t('{0} Saves are not pushed there.', endedText(ended));
    if (!this.#wait(l10n.t('has ended, saves wait'), text)) return;
    offerStartAgain(this.#parts, extension, ended, text).catch((error: unknown) => {
      this.#pause(error);
    });
  }

  /** Shows why saves are not pushed, and logs it once; returns whether it is new. */
  #wait(label: string, reason: string): boolean {
    const { statusBar, log } = this.#parts;
    statusBar.showWaiting(label, reason);
    if (reason === this.#lastReason) return false;
    this.#lastReason = reason;
    log.warn(reason);
    return true;
  }

  #pause(error: unknown): void {
    const reason = sentenceFor(error) ?? String(error);
    this.#wait(l10n.t('not pushed'), l10n.t('Push on save failed: {0}', reason));
  }
}

/** The time of the last write. */
function latestOf(written: ReadonlyMap<string, number>): number {
  return [...written.values()].reduce((latest, at) => Math.max(latest, at), 0);
}

/** The quiet time before a push of `folder`, in milliseconds. */
function quietOf(folder: WorkspaceFolder, usualMs: number): number {
  return quietMs(usualMs, readFolderSettings(folder.uri).delivery);
}

/** Bundlers write to folders such as `.output`, so only the path within the extension folder is tested. */
function isPart(extension: string, path: string): boolean {
  return isInside(extension, path) && !NO_BUILD.test(path.slice(extension.length));
}
