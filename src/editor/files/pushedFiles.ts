import * as l10n from '@vscode/l10n';
import { basename } from 'node:path';
import {
  commands,
  type Disposable,
  EventEmitter,
  Uri,
  window,
  workspace,
  type TreeDataProvider,
  type TreeItem,
  type TreeView,
} from 'vscode';
import { isWithin } from '../../base/disk';
import type { Contents } from '../../archive/archiveTree';
import { COMMANDS, CONTEXT, SETTINGS, VIEWS } from '../../ids';
import { secretsText } from '../../push/prepare/secretsText';
import type { Handler } from '../commandRegistry';
import { folderOfEntry, pickOneExtension } from '../folder/extensionFolder';
import type { FolderWiring } from '../folder/fileChanges';
import { sentenceFor } from '../messages';
import { readFolderSettings } from '../settings';
import { countAndSize, itemOf, rowsBelow, topRows, type ContentsRow } from './fileRows';

/** Quiet time after a change until the folder is listed again, in milliseconds. */
const QUIET_MS = 300;

/** Settings that change what is pushed. */
const CONTENT_SETTINGS = [SETTINGS.exclude, SETTINGS.include];

/**
 * The view of what a push of one extension folder sends, with sizes, and of what it leaves out, with the rule. It is hidden until
 * "Show What Is Pushed" asks for it, and follows files and settings while it is visible.
 */
export class PushedFiles implements TreeDataProvider<ContentsRow> {
  readonly handlers: Record<typeof COMMANDS.showContents | typeof COMMANDS.hideContents, Handler> = {
    [COMMANDS.showContents]: (argument) => this.#open(argument),
    [COMMANDS.hideContents]: () => this.#close(),
  };

  readonly #changed = new EventEmitter<undefined>();
  readonly onDidChangeTreeData = this.#changed.event;
  readonly #view: TreeView<ContentsRow>;
  #folder: string | undefined;
  #contents: Contents | undefined;
  /** What is shown, to draw it again only when it is another. */
  #shown = '';
  #watcher: Disposable | undefined;
  #timer: NodeJS.Timeout | undefined;
  #abort = new AbortController();
  #loading: Promise<void> = Promise.resolve();

  constructor(private readonly wiring: FolderWiring) {
    this.#view = window.createTreeView(VIEWS.contents, { treeDataProvider: this, showCollapseAll: true });
    wiring.own(
      { dispose: () => this.#stop() },
      this.#changed,
      this.#view,
      this.#view.onDidChangeVisibility(() => this.#follow()),
      workspace.onDidChangeConfiguration((event) => {
        if (CONTENT_SETTINGS.some((name) => event.affectsConfiguration(name))) this.#refreshSoon();
      }),
    );
  }

  getTreeItem(row: ContentsRow): TreeItem {
    return itemOf(row, this.#folder ?? '');
  }

  async getChildren(parent?: ContentsRow): Promise<ContentsRow[]> {
    if (parent) return rowsBelow(parent);
    // The first call waits for the list, so that the view shows VS Code's progress.
    if (!this.#contents) await this.#loading;
    return this.#contents ? topRows(this.#contents) : [];
  }

  /** Shows the folder of `argument`, a Uri from the Explorer; else that of the workspace, which the user chooses among several. */
  async #open(argument: unknown): Promise<void> {
    const folder =
      argument instanceof Uri
        ? folderOfEntry(argument)
        : (await pickOneExtension(this.wiring.context.workspaceState))?.path;
    if (folder === undefined) return;
    if (folder !== this.#folder) {
      this.#stop();
      this.#folder = folder;
      this.#contents = undefined;
      this.#shown = '';
      this.#view.description = basename(folder);
      this.#changed.fire(undefined);
    }
    await commands.executeCommand('setContext', CONTEXT.showsContents, true);
    await commands.executeCommand(`${VIEWS.contents}.focus`);
    this.#follow();
  }

  async #close(): Promise<void> {
    this.#stop();
    this.#folder = undefined;
    await commands.executeCommand('setContext', CONTEXT.showsContents, false);
  }

  /** Watches and lists the folder while the view is visible. */
  #follow(): void {
    const folder = this.#folder;
    if (!this.#view.visible || folder === undefined) {
      this.#stop();
      return;
    }
    this.#watcher ??= this.wiring.changes.watch(folder, (path) => {
      if (isWithin(folder, path) || isWithin(path, folder)) this.#refreshSoon();
    });
    this.#refresh(folder);
  }

  #stop(): void {
    clearTimeout(this.#timer);
    this.#abort.abort();
    this.#watcher?.dispose();
    this.#watcher = undefined;
  }

  #refreshSoon(): void {
    const folder = this.#folder;
    if (!this.#watcher || folder === undefined) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#refresh(folder), QUIET_MS);
  }

  /** Lists the folder; a later call ends this one. */
  #refresh(folder: string): void {
    this.#abort.abort();
    const abort = (this.#abort = new AbortController());
    this.#loading = this.#load(folder, abort.signal).catch((error: unknown) => {
      if (abort.signal.aborted) return;
      const sentence = sentenceFor(error) ?? String(error);
      this.wiring.log.warn(`${VIEWS.contents}: ${sentence}`);
      this.#show(folder, undefined, sentence);
    });
  }

  async #load(folder: string, signal: AbortSignal): Promise<void> {
    const [{ FolderSource }, { secretsOf }, { contentsOf }, { unusableGlobs }] = await Promise.all([
      import('../../archive/folderSource'),
      import('../../archive/selection'),
      import('../../archive/archiveTree'),
      import('../../archive/choice'),
    ]);
    const { exclude, include } = readFolderSettings(Uri.file(folder));
    const contents = contentsOf(await new FolderSource(folder).list({ exclude, include, signal }));
    if (signal.aborted) return;
    const unusable = unusableGlobs({ exclude, include });
    const warning =
      unusable.length > 0 ? l10n.t('These globs of your settings cannot be used: {0}', unusable.join(', ')) : '';
    const secrets = secretsText(secretsOf(contents).length);
    this.#show(folder, contents, [secrets, warning].filter((text) => text !== '').join(' '));
  }

  #show(folder: string, contents: Contents | undefined, message: string): void {
    const { size = 0, count = 0 } = contents?.root ?? {};
    this.#view.description = [...(contents ? [countAndSize(count, size)] : []), basename(folder)].join(' · ');
    this.#view.message = message;
    const shown = JSON.stringify([folder, contents]);
    if (shown === this.#shown) return;
    this.#shown = shown;
    this.#contents = contents;
    this.#changed.fire(undefined);
  }
}
