import * as l10n from '@vscode/l10n';
import { ConfigurationTarget, window, workspace, type WorkspaceFolder } from 'vscode';
import { SETTINGS } from '../../ids';
import type { BrowserSession } from '../../service/model';
import type { BrowserCommands } from '../browsers/browserCommands';
import { pickBrowser, pickBrowsers } from '../browsers/pickBrowser';
import type { PushPins } from '../browsers/pins';
import { findTargets, type PushTarget } from '../browsers/target';
import { pickWorkspaceFolder } from '../folder/extensionFolder';
import { browserLabel } from '../lists/labels';
import { itemOf } from '../lists/row';
import type { Log } from '../log';
import type { ServiceConnection } from '../service/connection';
import { readFolderSettings } from '../settings';
import type { Pusher } from './pusher';

export interface PushCommandsOptions {
  connection: ServiceConnection;
  browsers: BrowserCommands;
  target: PushTarget;
  pins: PushPins;
  pusher: Pusher;
  log: Log;
}

/** How long the status bar says what was just set, in milliseconds. */
const STATUS_MS = 4000;

/** Commands that push and that say where pushes go. */
export class PushCommands {
  readonly #options: PushCommandsOptions;

  constructor(options: PushCommandsOptions) {
    this.#options = options;
  }

  /** Pushes to the row's browser, else to the pinned ones, else to the target, else to the only one running, else asks. */
  async push(argument: unknown): Promise<void> {
    const folder = await pickWorkspaceFolder();
    if (!folder) return;
    const row = itemOf(argument, 'browser');
    const found = row ? [row] : await findTargets(await this.#options.connection.client(), this.#options);
    if (found.length > 0) await this.#options.pusher.push(folder, found, 'command');
    else await this.#pushToPicked(folder);
  }

  /** Always asks where to. */
  async pushTo(): Promise<void> {
    const folder = await pickWorkspaceFolder();
    if (folder) await this.#pushToPicked(folder);
  }

  /** Asks for browsers, pins them and no others, and pushes to them. */
  async pushToSeveral(): Promise<void> {
    const folder = await pickWorkspaceFolder();
    if (!folder) return;
    const { connection, pins, target, pusher } = this.#options;
    const sessions = await pickBrowsers(
      connection,
      l10n.t('Which browsers do pushes go to from now on? (remembered for this workspace)'),
      (id) => (pins.isEmpty ? id === target.sessionId : pins.has(id)),
    );
    if (!sessions) return;
    await pins.replace(sessions);
    if (sessions.length > 0) await pusher.push(folder, sessions, 'command');
    else window.setStatusBarMessage(l10n.t('No browser is pinned any more'), STATUS_MS);
  }

  /** One target from now on: pins are taken back. */
  async setTarget(argument: unknown): Promise<void> {
    const session =
      itemOf(argument, 'browser') ?? (await this.#pickOrCreate(l10n.t('Which browser do pushes go to from now on?')));
    if (!session) return;
    const { pins, target } = this.#options;
    await pins.replace([]);
    await target.remember(session.session_id);
    window.setStatusBarMessage(l10n.t('Sideload pushes to {0}', browserLabel(session)), STATUS_MS);
  }

  async pin(argument: unknown): Promise<void> {
    const session =
      itemOf(argument, 'browser') ??
      (await pickBrowser(this.#options.connection, l10n.t('Which browser is to be pinned as a push target?')));
    if (session) await this.#options.pins.add(session);
  }

  async unpin(argument: unknown): Promise<void> {
    const { connection, pins } = this.#options;
    const row = itemOf(argument, 'browser');
    if (row) {
      await pins.remove(row.session_id);
      return;
    }
    const kept = await pickBrowsers(connection, l10n.t('Which browsers are to stay pinned?'), (id) => pins.has(id));
    if (kept) await pins.replace(kept);
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
      STATUS_MS,
    );
  }

  async #pushToPicked(folder: WorkspaceFolder): Promise<void> {
    const session = await this.#pickOrCreate(l10n.t('Which browser is the extension to be pushed to?'));
    if (session) await this.#options.pusher.push(folder, [session], 'command');
  }

  #pickOrCreate(placeHolder: string): Promise<BrowserSession | undefined> {
    return pickBrowser(this.#options.connection, placeHolder, () => this.#options.browsers.create());
  }
}
