import * as l10n from '@vscode/l10n';
import { ConfigurationTarget, workspace, type WorkspaceFolder } from 'vscode';
import { COMMANDS, SETTINGS } from '../../ids';
import type { BrowserSession } from '../../service/model';
import { createBrowser } from '../browsers/createBrowser';
import { pickBrowser, pickBrowsers } from '../browsers/pickBrowser';
import { findTargets } from '../browsers/target';
import { pickWorkspaceFolder } from '../folder/extensionFolder';
import { browserLabel } from '../lists/labels';
import { itemOf } from '../lists/row';
import { showStatus } from '../notify';
import { readFolderSettings } from '../settings';
import type { PushParts } from './pushParts';

/** How long the status bar says what was just set, in milliseconds. */
const STATUS_MS = 4000;

/** Commands that push and that say where pushes go. */
export class PushCommands {
  readonly handlers = {
    [COMMANDS.push]: (row: unknown) => this.push(row),
    [COMMANDS.pushTo]: () => this.pushTo(),
    [COMMANDS.setTarget]: (row: unknown) => this.setTarget(row),
    [COMMANDS.pushToSeveral]: () => this.pushToSeveral(),
    [COMMANDS.pinBrowser]: (row: unknown) => this.pin(row),
    [COMMANDS.unpinBrowser]: (row: unknown) => this.unpin(row),
    [COMMANDS.togglePushOnSave]: () => this.togglePushOnSave(),
  };
  readonly #parts: PushParts;

  constructor(parts: PushParts) {
    this.#parts = parts;
  }

  /** Pushes to the row's browser, else to the pinned ones, else to the target, else to the only one running, else asks. */
  async push(argument: unknown): Promise<void> {
    const folder = await pickWorkspaceFolder();
    if (!folder) return;
    const row = itemOf(argument, 'browser');
    const found = row ? [row] : await findTargets(await this.#parts.connection.client(), this.#parts);
    if (found.length > 0) await this.#parts.pusher.push(folder, found);
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
    const { connection, pins, target, pusher } = this.#parts;
    const sessions = await pickBrowsers(
      connection,
      l10n.t('Select the browsers to push to (remembered for this workspace)'),
      (id) => (pins.isEmpty ? id === target.sessionId : pins.has(id)),
    );
    if (!sessions) return;
    await pins.replace(sessions);
    if (sessions.length > 0) await pusher.push(folder, sessions);
    else showStatus(l10n.t('No browser is pinned'), STATUS_MS);
  }

  /** One target from now on: pins are taken back. */
  async setTarget(argument: unknown): Promise<void> {
    const session =
      itemOf(argument, 'browser') ??
      (await this.#pickOrCreate(l10n.t('Select the browser to push to (remembered for this workspace)')));
    if (!session) return;
    const { pins, target } = this.#parts;
    await pins.replace([]);
    await target.remember(session);
    showStatus(l10n.t('Sideload pushes to {0}', browserLabel(session)), STATUS_MS);
  }

  async pin(argument: unknown): Promise<void> {
    const session =
      itemOf(argument, 'browser') ??
      (await pickBrowser(this.#parts.connection, l10n.t('Select the browser to pin as a push target')));
    if (session) await this.#parts.pins.add(session);
  }

  async unpin(argument: unknown): Promise<void> {
    const { connection, pins } = this.#parts;
    const row = itemOf(argument, 'browser');
    if (row) {
      await pins.remove(row.session_id);
      return;
    }
    const kept = await pickBrowsers(connection, l10n.t('Select the browsers that stay pinned'), (id) => pins.has(id));
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
    showStatus(
      isOn ? l10n.t('Push on save is off for {0}', folder.name) : l10n.t('Push on save is on for {0}', folder.name),
      STATUS_MS,
    );
  }

  async #pushToPicked(folder: WorkspaceFolder): Promise<void> {
    const session = await this.#pickOrCreate(l10n.t('Select the browser to push to'));
    if (session) await this.#parts.pusher.push(folder, [session]);
  }

  #pickOrCreate(placeHolder: string): Promise<BrowserSession | undefined> {
    return pickBrowser(this.#parts.connection, placeHolder, () => createBrowser(this.#parts));
  }
}
