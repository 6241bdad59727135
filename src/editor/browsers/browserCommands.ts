import * as l10n from '@vscode/l10n';
import { commands } from 'vscode';
import { fieldOf } from '../../base/fields';
import { COMMANDS } from '../../ids';
import type { Browser } from '../../service/model';
import { UserError } from '../errorTexts';
import { browserLabel } from '../lists/labels';
import { Notice } from '../notice';
import { confirm, askText, openNotice, pick } from '../notify';
import type { BrowserWiring } from './browserWiring';
import { createBrowser, createBrowserWithOptions } from './creating/createBrowser';
import { withBrowser } from './gone';
import { nameFor, nameProblem } from './defaultNames';
import { chooseBrowser } from './pickBrowser';
import { endedProfileLines } from './account/profileWriters';
import { labelsOf } from '../targets/remembered';
import { chooseOnly, chosenOf, isChosen } from '../targets/target';

/**
 * VS Code's own browser, which desktop versions have: it shows any page in an editor tab. It stores the whole address of each tab with the
 * workspace until the tab is closed, and in its history (`serialize` of VS Code's `browserEditorInput.ts`, `BrowserHistoryStore`).
 */
const OWN_BROWSER = 'workbench.action.browser.open';
const OUTSIDE = 'vscode.open';

/** How long the notification is shown that a new browser is not the push target, in milliseconds. */
const TOLD_MS = 15_000;

/** Commands that create, rename, show and delete browsers. */
export class BrowserCommands {
  readonly handlers = {
    [COMMANDS.createBrowser]: async () => {
      this.#tellTarget(await createBrowser(this.wiring));
    },
    [COMMANDS.createBrowserWithOptions]: async () => {
      this.#tellTarget(await createBrowserWithOptions(this.wiring));
    },
    [COMMANDS.deleteBrowser]: (row: unknown) => this.delete(row),
    [COMMANDS.renameBrowser]: (row: unknown) => this.rename(row),
    [COMMANDS.openLiveView]: (argument: unknown) => this.openLiveView(argument),
  };

  /** Which browser was started and is not pushed to, until another choice is made. */
  readonly #started = new Notice(openNotice);

  constructor(private readonly wiring: BrowserWiring) {
    const withdraw = (): void => this.#started.withdraw();
    wiring.own({ dispose: withdraw }, wiring.target.onDidChange(withdraw), wiring.pins.onDidChange(withdraw));
  }

  /** Deletes a browser after a confirmation. One from a pool is replaced there by a new one. */
  async delete(argument: unknown): Promise<void> {
    const { connection, target, pins, records, log, lists } = this.wiring;
    const browser = await chooseBrowser(connection, argument, l10n.t('Select the browser to delete'));
    if (!browser) return;
    const label = browserLabel(browser);
    // The answer is about this service, also when another one is chosen meanwhile.
    const client = await connection.client();
    const isConfirmed = await confirm(
      l10n.t('Delete the browser {0}?', label),
      [
        l10n.t('Its tabs are closed and what was pushed to it is gone.'),
        ...endedProfileLines(browser, lists.browsers.items),
      ],
      l10n.t('Delete'),
    );
    if (!isConfirmed) return;
    const { id, pool } = browser;
    await withBrowser(this.wiring, browser, async () => {
      // The next user of the pool must not get the extension.
      if (pool) await client.releaseBrowser(pool.id, { browser: id, reuse: false });
      else await client.deleteBrowser(id);
      log.info(`Browser ${label} deleted`);
    });
    if (target.browserId === id) await target.forget();
    await pins.remove(id);
    lists.browsers.remove(id);
    records.delete(id);
    await lists.browsers.refresh();
  }

  async rename(argument: unknown): Promise<void> {
    const { connection, target, pins, records, lists, log } = this.wiring;
    const browser = await chooseBrowser(connection, argument, l10n.t('Select the browser to rename'));
    if (!browser) return;
    const client = await connection.client();
    const text = await askText({
      title: l10n.t('Rename Browser'),
      prompt: l10n.t('Name of the browser. Leave it empty to remove the name.'),
      value: browser.name ?? '',
      problemOf: nameProblem,
    });
    if (text === undefined) return;
    await withBrowser(this.wiring, browser, async () => {
      const renamed = await client.updateBrowser(browser.id, { name: nameFor(text) });
      log.info(`Browser ${browserLabel(browser)} renamed to ${browserLabel(renamed)}`);
      await connection.entered.rename('browser', browser.name ?? '', renamed.name ?? renamed.id);
      // The list may not go as far as to it.
      records.follow([renamed]);
      await pins.follow([renamed]);
      await target.follow([renamed]);
    });
    await lists.browsers.refresh();
  }

  /**
   * Opens the live view of a browser, that of the row or of the argument's `browser`: outside, or in the editor's own browser, where there is
   * one. The argument's `place` says which, `outside` or `editor`; without it the user is asked, since the editor stores the address.
   */
  async openLiveView(argument: unknown): Promise<void> {
    const { connection } = this.wiring;
    const question = l10n.t('Select the browser to look at');
    const hasView = ({ liveViewUrl }: Browser): boolean => Boolean(liveViewUrl);
    const browser = await chooseBrowser(connection, argument, question, undefined, hasView);
    if (!browser) return;
    const command = await liveViewCommand(fieldOf(argument, 'place'));
    if (command === undefined) return;
    await withBrowser(this.wiring, browser, async () => {
      // The address of the row may have expired.
      const { liveViewUrl: url } = await (await connection.client()).getBrowser(browser.id);
      if (!url || !/^https?:/i.test(url)) {
        throw new UserError(l10n.t('{0} has no live view.', browserLabel(browser)));
      }
      // As text: `env.openExternal` takes a parsed address, and opens one whose escaped characters are unescaped.
      await commands.executeCommand(command, url);
    });
  }

  /** Says that pushes go on to the browsers that were chosen before this one was started. */
  #tellTarget(started: Browser | undefined): void {
    if (!started || isChosen(this.wiring, started.id)) return;
    const names = labelsOf(chosenOf(this.wiring));
    const instead = l10n.t('Push to {0}', browserLabel(started));
    const text = l10n.t('{0} is started. Pushes go on to {1}.', browserLabel(started), names);
    const pushThere = (): void => void chooseOnly(this.wiring, started);
    this.#started.show(text, { buttons: [{ label: instead, act: pushThere }], forMs: TOLD_MS });
  }
}

/** The command that opens an address at a place, or where the user wants it; undefined when the user backs out. */
async function liveViewCommand(place: unknown): Promise<string | undefined> {
  const hasOwn = place !== 'outside' && (await commands.getCommands(true)).includes(OWN_BROWSER);
  if (!hasOwn) return OUTSIDE;
  if (place === 'editor') return OWN_BROWSER;
  const choices = [
    { icon: 'link-external', label: l10n.t('Outside of VS Code'), command: OUTSIDE },
    {
      icon: 'browser',
      label: l10n.t('In an Editor Tab'),
      description: l10n.t('VS Code stores its address, which lets anyone who has it use the browser'),
      command: OWN_BROWSER,
    },
  ];
  return (await pick(choices, { placeHolder: l10n.t('Select where to open the live view') }))?.command;
}
