import { ConfigurationTarget, l10n, window, workspace } from 'vscode';
import { SETTINGS } from '../ids';
import type { BrowserSession } from '../service/model';
import type { BrowserCommands } from './browserCommands';
import type { ServiceConnection } from './connection';
import { pickWorkspaceFolder } from './extensionFolder';
import { browserLabel } from './nodes';
import type { Pusher } from './pusher';
import { itemOf } from './row';
import { readFolderSettings } from './settings';
import { findTarget, pickBrowser, type PushTarget } from './target';

export interface PushCommandsOptions {
  connection: ServiceConnection;
  browsers: BrowserCommands;
  target: PushTarget;
  pusher: Pusher;
}

/** Commands that push and that say where pushes go. */
export class PushCommands {
  readonly #options: PushCommandsOptions;

  constructor(options: PushCommandsOptions) {
    this.#options = options;
  }

  /** Pushes to the row's browser, else to the target, else to the only one running, else asks. */
  async push(argument: unknown): Promise<void> {
    const folder = await pickWorkspaceFolder();
    if (!folder) return;
    const { connection, target } = this.#options;
    const session =
      itemOf(argument, 'browser') ??
      (await findTarget(await connection.client(), target)) ??
      (await this.#pickOrCreate(l10n.t('Which browser is the extension to be pushed to?')));
    if (session) await this.#options.pusher.push(folder, session, 'command');
  }

  /** Always asks where to. */
  async pushTo(): Promise<void> {
    const folder = await pickWorkspaceFolder();
    if (!folder) return;
    const session = await this.#pickOrCreate(l10n.t('Which browser is the extension to be pushed to?'));
    if (session) await this.#options.pusher.push(folder, session, 'command');
  }

  async setTarget(argument: unknown): Promise<void> {
    const session =
      itemOf(argument, 'browser') ?? (await this.#pickOrCreate(l10n.t('Which browser do pushes go to from now on?')));
    if (!session) return;
    await this.#options.target.remember(session.session_id);
    window.setStatusBarMessage(l10n.t('Sideload pushes to {0}', browserLabel(session)), 4000);
  }

  /** Switches push on save for the folder at hand. */
  async togglePushOnSave(): Promise<void> {
    const folder = await pickWorkspaceFolder();
    if (!folder) return;
    const isOn = readFolderSettings(folder.uri).pushOnSave !== 'off';
    const scope =
      (workspace.workspaceFolders?.length ?? 0) > 1
        ? ConfigurationTarget.WorkspaceFolder
        : ConfigurationTarget.Workspace;
    await workspace.getConfiguration(undefined, folder.uri).update(SETTINGS.pushOnSave, isOn ? 'off' : 'onSave', scope);
    window.setStatusBarMessage(
      isOn ? l10n.t('Push on save is off for {0}', folder.name) : l10n.t('Push on save is on for {0}', folder.name),
      4000,
    );
  }

  #pickOrCreate(placeHolder: string): Promise<BrowserSession | undefined> {
    return pickBrowser(this.#options.connection, placeHolder, () => this.#options.browsers.create());
  }
}
