import * as l10n from '@vscode/l10n';
import { COMMANDS } from '../../ids';
import { browserLabel } from '../lists/labels';
import { itemOf } from '../lists/row';
import { askModal } from '../notify';
import type { BrowserParts } from './browserParts';
import { createBrowser } from './createBrowser';
import { pickBrowser } from './pickBrowser';

/** Commands that create and delete browsers. */
export class BrowserCommands {
  readonly handlers = {
    [COMMANDS.createBrowser]: async () => {
      await createBrowser(this.#parts);
    },
    [COMMANDS.deleteBrowser]: (row: unknown) => this.delete(row),
  };
  readonly #parts: BrowserParts;

  constructor(parts: BrowserParts) {
    this.#parts = parts;
  }

  /** Deletes a browser after a confirmation. */
  async delete(argument: unknown): Promise<void> {
    const { connection, target, pins, log, lists } = this.#parts;
    const session =
      itemOf(argument, 'browser') ?? (await pickBrowser(connection, l10n.t('Select the browser to delete')));
    if (!session) return;
    const label = browserLabel(session);
    const confirm = l10n.t('Delete');
    const choice = await askModal(
      l10n.t('Delete the browser {0}?', label),
      [l10n.t('Its tabs are closed and what was pushed to it is gone. A profile that it saves to is kept.')],
      confirm,
    );
    if (choice !== confirm) return;
    await (await connection.client()).deleteBrowser(session.session_id);
    log.info(`Browser ${label} deleted`);
    if (target.sessionId === session.session_id) await target.forget();
    await pins.remove(session.session_id);
    await lists.browsers.refresh();
  }
}
