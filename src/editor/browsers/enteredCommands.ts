import * as l10n from '@vscode/l10n';
import { COMMANDS } from '../../ids';
import { itemOf } from '../lists/row';
import { showInformation } from '../notify';
import { setTarget } from '../targets/target';
import type { BrowserWiring } from './browserWiring';
import { enterBrowser } from './pickBrowser';
import { enterProfile, enterStored } from './pickRecord';

/** Commands for what the service does not list: its id or name is entered, and shown as a row. */
export class EnteredCommands {
  readonly handlers = {
    [COMMANDS.enterBrowser]: () => this.enterBrowser(),
    [COMMANDS.enterProfile]: async () => {
      await enterProfile(this.wiring.connection);
    },
    [COMMANDS.enterExtension]: async () => {
      await enterStored(this.wiring.connection);
    },
    [COMMANDS.removeEntered]: (row: unknown) => this.remove(row),
  };

  constructor(private readonly wiring: BrowserWiring) {}

  /** The browser that is entered becomes the push target. */
  async enterBrowser(): Promise<void> {
    const browser = await enterBrowser(this.wiring.connection);
    if (browser) await setTarget(this.wiring, browser);
  }

  /** Removes the row of what was entered; nothing happens on the service. */
  async remove(row: unknown): Promise<void> {
    const { connection, target, pins, records } = this.wiring;
    const browser = itemOf(row, 'browser');
    const profile = itemOf(row, 'profile');
    const stored = itemOf(row, 'extension');
    if (browser) {
      const { id, name } = browser;
      if (target.browserId === id) await target.forget();
      await pins.remove(id);
      records.delete(id);
      for (const entered of [id, name ?? id]) await connection.entered.remove('browser', entered);
    } else if (profile) await connection.entered.remove('profile', profile.id);
    else if (stored) await connection.entered.remove('extension', stored.id);
    else showInformation(l10n.t('Run this command from the menu of the row to remove.'));
  }
}
