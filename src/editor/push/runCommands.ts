import * as l10n from '@vscode/l10n';
import { join, relative } from 'node:path';
import { commands } from 'vscode';
import { COMMANDS, VIEWS } from '../../ids';
import { readRegularFile } from '../../disk';
import type { BrowserSession } from '../../service/model';
import { defaultName } from '../browsers/names';
import { listRunning } from '../browsers/pickBrowser';
import { startAgain } from '../browsers/startAgain';
import { startBrowser } from '../browsers/startBrowser';
import { findChosen } from '../browsers/target';
import { UserError } from '../errors';
import { currentWorkspaceFolder, findExtensionFolder, type ExtensionFolder } from '../folder/extensionFolder';
import { pick, type Choice } from '../notify';
import { readFolderSettings } from '../settings';
import { openPage, pageAddress, pagesOf } from './pages';
import type { PushParts } from './pushParts';

/** A larger manifest is not read, in bytes. */
const MAX_MANIFEST_BYTES = 2 * 1024 * 1024;

/** The one act to a running extension, its pages, and the menu of the status bar. */
export class RunCommands {
  readonly handlers = {
    [COMMANDS.runExtension]: () => this.run(),
    [COMMANDS.openPage]: () => this.openPage(),
    [COMMANDS.showMenu]: () => this.showMenu(),
  };
  readonly #parts: PushParts;

  constructor(parts: PushParts) {
    this.#parts = parts;
  }

  /**
   * Finds and checks the extension, starts a browser named after it unless chosen ones run, brings the extension in and opens its start
   * page. Asks nothing where nothing can be lost.
   */
  async run(): Promise<void> {
    const { pusher, engines } = this.#parts;
    const extension = await pusher.find();
    if (!extension) return;
    await pusher.check(extension);
    const sessions = await this.#browsers();
    if (!sessions) return;
    const ends = await pusher.push(extension, sessions);
    const { startUrl } = readFolderSettings(extension.workspaceFolder.uri);
    if (startUrl === '') return;
    const engine = await engines.load();
    for (const { session, end } of ends) {
      if (end.outcome !== 'running') continue;
      const address = pageAddress(end.extensionId, startUrl);
      if (address === undefined) throw new UserError(l10n.t('The start page "{0}" cannot be opened.', startUrl));
      await openPage(engine, session, address);
    }
  }

  /** Asks for a page of the pushed extension and opens it in the target. */
  async openPage(): Promise<void> {
    const { connection, engines, records } = this.#parts;
    const extension = await this.#parts.pusher.find();
    if (!extension) return;
    const { running } = await findChosen(await connection.client(), this.#parts);
    const found = running.flatMap((session) => {
      const id = records.get(session.session_id)?.extensionId;
      return id === undefined ? [] : [{ session, id }];
    });
    const [first] = found;
    if (!first) {
      throw new UserError(l10n.t('This window has not pushed the extension to a browser yet. Run it first.'), {
        label: l10n.t('Run Extension'),
        command: COMMANDS.runExtension,
      });
    }
    const pages = pagesOf(await readManifest(extension)).map(({ key, path }) => ({
      label: path,
      description: key,
      path,
    }));
    const { startUrl } = readFolderSettings(extension.workspaceFolder.uri);
    const start = startUrl === '' ? [] : [{ label: startUrl, description: l10n.t('start page'), path: startUrl }];
    const choices = [...pages, ...start];
    if (choices.length === 0) {
      throw new UserError(l10n.t('The manifest names no page that could be opened.'));
    }
    const choice =
      choices.length === 1 ? choices[0] : await pick(choices, { placeHolder: l10n.t('Select the page to open') });
    if (!choice) return;
    const engine = await engines.load();
    for (const { session, id } of found) {
      const address = pageAddress(id, choice.path);
      if (address !== undefined) await openPage(engine, session, address);
    }
  }

  /** What one may want to do with the item of the status bar. */
  async showMenu(): Promise<void> {
    const { target, pins } = this.#parts;
    const current = await this.#current();
    const browser = pins.isEmpty ? target.browser?.label : pins.browsers.map(({ label }) => label).join(', ');
    const entries: (Choice & { command: string })[] = [
      {
        icon: 'cloud-upload',
        label: l10n.t('Push Extension'),
        description: browser === undefined ? '' : l10n.t('to {0}', browser),
        command: COMMANDS.push,
      },
      { icon: 'play', label: l10n.t('Run Extension'), command: COMMANDS.runExtension },
      {
        icon: 'target',
        label: l10n.t('Choose Browser…'),
        description: browser ?? l10n.t('none is chosen'),
        command: COMMANDS.setTarget,
      },
      {
        icon: 'folder',
        label: l10n.t('Choose Extension Folder…'),
        description: current.folder,
        command: COMMANDS.chooseFolder,
      },
      { icon: 'save', label: l10n.t('Push on Save…'), description: current.saves, command: COMMANDS.setPushOnSave },
      { icon: 'link-external', label: l10n.t('Open Popup or Page…'), command: COMMANDS.openPage },
      { icon: 'archive', label: l10n.t('Show What Is Pushed'), command: COMMANDS.showContents },
      { icon: 'list-tree', label: l10n.t('Show Browsers'), command: `${VIEWS.browsers}.focus` },
      { icon: 'output', label: l10n.t('Show Log'), command: COMMANDS.showLog },
    ];
    const choice = await pick(entries, { placeHolder: 'Sideload' });
    if (choice) await commands.executeCommand(choice.command);
  }

  /** The chosen browsers that run, started again if they have ended; else a new one. Undefined when the user cancels. */
  async #browsers(): Promise<BrowserSession[] | undefined> {
    const { connection, context } = this.#parts;
    const client = await connection.client();
    const { running, ended } = await findChosen(client, this.#parts);
    if (running.length > 0) return running;
    if (ended.length > 0) return await startAgain(this.#parts, ended);
    const taken = (await listRunning(client)).flatMap(({ name }) => name ?? []);
    const session = await startBrowser(this.#parts, { name: await defaultName(context.workspaceState, taken) });
    return session && [session];
  }

  /** Which folder is pushed and when, as far as that is known without a question. */
  async #current(): Promise<{ folder: string; saves: string }> {
    const { context } = this.#parts;
    const workspaceFolder = await currentWorkspaceFolder(context.workspaceState);
    if (!workspaceFolder) return { folder: '', saves: '' };
    const extension = await findExtensionFolder(workspaceFolder, context.workspaceState, false).catch(() => undefined);
    const below = extension && relative(workspaceFolder.uri.fsPath, extension.path);
    const saves = readFolderSettings(workspaceFolder.uri).pushOnSave;
    return {
      folder: extension ? [workspaceFolder.name, below].filter(Boolean).join('/') : l10n.t('none is chosen'),
      saves: { off: l10n.t('off'), onSave: l10n.t('on save'), onBuild: l10n.t('on build') }[saves],
    };
  }
}

async function readManifest({ path }: ExtensionFolder): Promise<unknown> {
  const bytes = await readRegularFile(join(path, 'manifest.json'), MAX_MANIFEST_BYTES);
  const { parse } = await import('jsonc-parser');
  return bytes && parse(bytes.toString('utf8'));
}
