import * as l10n from '@vscode/l10n';
import { env } from 'vscode';
import { COMMANDS, VIEWS } from '../../ids';
import { browserLabel, recordLabel } from '../lists/labels';
import { itemOf } from '../lists/row';
import { pick, showInformation, showStatus } from '../notify';
import type { BrowserCommands } from './browserCommands';
import type { BrowserWiring } from './browserWiring';
import type { ContentCommands } from './contentCommands';
import { givenBrowser } from './namedBrowser';
import { listRunning } from './pickBrowser';
import { listProfiles, listStored, namedProfile, namedStored } from './pickRecord';
import type { ProfileCommands } from './account/profileCommands';
import type { StoredCommands } from './account/storedCommands';

/** The commands of the rows that the keys lead to. */
interface RowCommands {
  browsers: BrowserCommands;
  contents: ContentCommands;
  profiles: ProfileCommands;
  stored: StoredCommands;
}

/** Commands that do for any row what its kind does, and that keys run for the selected row. */
export class SelectionCommands {
  readonly handlers = {
    [COMMANDS.copyId]: (row: unknown) => this.copyId(row),
    [COMMANDS.deleteSelected]: (view: unknown) => this.deleteSelected(view),
    [COMMANDS.renameSelected]: (view: unknown) => this.renameSelected(view),
  };

  constructor(
    private readonly wiring: BrowserWiring,
    private readonly commands: RowCommands,
  ) {}

  /** Copies the id of a row's item, else of a browser, profile or stored extension that is listed. */
  async copyId(argument: unknown): Promise<void> {
    const id = idOf(argument) ?? (await this.#namedId(argument)) ?? (await this.#pickId());
    if (id === undefined) return;
    await env.clipboard.writeText(id);
    showStatus(l10n.t('The id {0} was copied', id));
  }

  /** Deletes what the selected row of a view stands for, as its menu does. */
  async deleteSelected(view: unknown): Promise<void> {
    const row = this.#selectionOf(view);
    const { browsers, contents, profiles, stored } = this.commands;
    if (itemOf(row, 'browser')) await browsers.delete(row);
    else if (itemOf(row, 'browserExtension')) await contents.removeExtension(row);
    else if (itemOf(row, 'browserTab')) await contents.handlers[COMMANDS.closeTab](row);
    else if (itemOf(row, 'profile')) await profiles.deleteProfile(row);
    else if (itemOf(row, 'extension')) await stored.delete(row);
  }

  /** Renames what the selected row of a view stands for, if it has a name that can be changed. */
  async renameSelected(view: unknown): Promise<void> {
    const row = this.#selectionOf(view);
    if (itemOf(row, 'browser')) await this.commands.browsers.rename(row);
    else if (itemOf(row, 'profile')) await this.commands.profiles.renameProfile(row);
  }

  #selectionOf(view: unknown): unknown {
    const { browsers, profiles, extensions } = this.wiring.lists;
    const lists = { [VIEWS.browsers]: browsers, [VIEWS.profiles]: profiles, [VIEWS.extensions]: extensions };
    return Object.entries(lists).find(([id]) => id === view)?.[1].selection;
  }

  /** The id of what `browser`, `profile` or `extension` of a command's argument names. */
  async #namedId(argument: unknown): Promise<string | undefined> {
    const { connection } = this.wiring;
    const browser = await givenBrowser(connection, argument);
    if (browser) return browser.id;
    return (await namedProfile(connection, argument))?.id ?? namedStored(argument)?.id;
  }

  async #pickId(): Promise<string | undefined> {
    const { connection } = this.wiring;
    const [browsers, profiles, extensions] = await Promise.all([
      listRunning(connection),
      listProfiles(connection),
      listStored(connection),
    ]);
    const choices = [
      ...browsers.map((browser) => ({
        icon: 'browser',
        label: browserLabel(browser),
        description: browser.id,
      })),
      ...profiles.map((profile) => ({ icon: 'account', label: recordLabel(profile), description: profile.id })),
      ...extensions.map((stored) => ({ icon: 'package', label: recordLabel(stored), description: stored.id })),
    ];
    if (choices.length === 0) {
      showInformation(l10n.t('There is nothing with an id.'));
      return undefined;
    }
    return (await pick(choices, { placeHolder: l10n.t('Select the id to copy') }))?.description;
  }
}

function idOf(row: unknown): string | undefined {
  return (
    itemOf(row, 'browser')?.id ??
    itemOf(row, 'profile')?.id ??
    itemOf(row, 'extension')?.id ??
    itemOf(row, 'browserExtension')?.extension.id
  );
}
