import * as l10n from '@vscode/l10n';
import type { Tab } from '../../devtools/pages/tabs';
import type { Connection } from '../../devtools/protocol/connect';
import { COMMANDS } from '../../ids';
import { durationText } from '../../base/units';
import { UserError } from '../errorTexts';
import { tabTexts, type BrowserTab } from '../lists/browserContents';
import { browserLabel } from '../lists/labels';
import { itemOf } from '../lists/row';
import { confirm, pick, showInformation, showStatus } from '../notify';
import type { BrowserWiring } from './browserWiring';
import { withLink, withLinkOrGone } from './readContents';
import { withBrowser } from './gone';
import { browserOf, chooseExtension } from './chooseExtension';

/** Commands for what is in a browser: its extensions and its tabs. */
export class ContentCommands {
  readonly handlers = {
    [COMMANDS.reloadExtension]: (row: unknown) => this.reloadExtension(row),
    [COMMANDS.removeExtension]: (row: unknown) => this.removeExtension(row),
    [COMMANDS.showTab]: (row: unknown) =>
      this.#onTab(row, l10n.t('Select the tab to show'), (tabs, connection, tab) => tabs.showTab(connection, tab)),
    [COMMANDS.reloadTab]: (row: unknown) =>
      this.#onTab(row, l10n.t('Select the tab to reload'), (tabs, connection, tab) =>
        tabs.reloadTabs(connection, [tab]),
      ),
    [COMMANDS.closeTab]: (row: unknown) =>
      this.#onTab(row, l10n.t('Select the tab to close'), (tabs, connection, tab) => tabs.closeTab(connection, tab)),
  };

  constructor(private readonly wiring: BrowserWiring) {}

  /** Reloads an extension from the files on the browser's machine: the row's extension, else the pushed one of the row's browser. */
  async reloadExtension(argument: unknown): Promise<void> {
    const chosen = await chooseExtension(this.wiring, argument, l10n.t('Select the extension to reload'), {
      isPushed: true,
    });
    if (!chosen) return;
    const { browser, extension } = chosen;
    const started = performance.now();
    const [{ LoadRefusedError }, { closeHiddenPages }] = await Promise.all([
      import('../../devtools/protocol/loadRefused'),
      import('../../devtools/protocol/hiddenPage'),
    ]);
    await withLinkOrGone(this.wiring, browser, async (link) => {
      await closeHiddenPages(link, extension.id);
      try {
        // The reload of a disabled extension would never be answered (C-RELOAD-DISABLED).
        const isDone = extension.enabled ? await link.reload(extension.id) : await link.setEnabled(extension.id, true);
        if (!isDone) await link.loadFolder(extension.path);
      } catch (error) {
        if (!(error instanceof LoadRefusedError)) throw error;
        throw new UserError(l10n.t('Chromium refused to reload {0}: {1}', extension.name, error.chromium));
      }
      const took = durationText(performance.now() - started);
      this.wiring.log.info(`Reloaded ${extension.name} in ${browserLabel(browser)} in ${took}`);
      showStatus(l10n.t('{0} was reloaded in {1}', extension.name, browserLabel(browser)));
    });
    void this.wiring.lists.browsers.refreshChildren(browser.id);
  }

  /** Removes an extension from a browser, after a confirmation. */
  async removeExtension(argument: unknown): Promise<void> {
    const chosen = await chooseExtension(this.wiring, argument, l10n.t('Select the extension to remove'), {
      isPushed: false,
    });
    if (!chosen) return;
    const { browser, extension } = chosen;
    const { connection, engines, log, lists } = this.wiring;
    const isConfirmed = await confirm(
      l10n.t('Remove {0} from {1}?', extension.name, browserLabel(browser)),
      [l10n.t('What it has stored in this browser is lost.'), l10n.t('id {0}', extension.id)],
      l10n.t('Remove'),
    );
    if (!isConfirmed) return;
    await withBrowser(this.wiring, browser, async () => {
      const [service, engine] = await Promise.all([connection.client(), engines.load()]);
      await engine.remove(service, browser, [extension]);
      log.info(`Removed ${extension.name} from ${browserLabel(browser)}`);
    });
    void lists.browsers.refreshChildren(browser.id);
  }

  async #onTab(
    argument: unknown,
    question: string,
    act: (tabs: typeof import('../../devtools/pages/tabs'), connection: Connection, tab: Tab) => Promise<unknown>,
  ): Promise<void> {
    const chosen = itemOf(argument, 'browserTab') ?? (await this.#pickTab(argument, question));
    if (!chosen) return;
    const { browser, tab } = chosen;
    await withLinkOrGone(this.wiring, browser, async ({ connection }) => {
      try {
        await act(await import('../../devtools/pages/tabs'), connection, tab);
      } catch (error) {
        // It was closed meanwhile, which its row will show.
        this.wiring.log.info(`Tab of ${browserLabel(browser)}: ${String(error)}`);
      }
    });
    void this.wiring.lists.browsers.refreshChildren(browser.id);
  }

  async #pickTab(argument: unknown, question: string): Promise<BrowserTab | undefined> {
    const browser = await browserOf(this.wiring, argument);
    if (!browser) return undefined;
    const tabs = await withBrowser(this.wiring, browser, async () => {
      const { listTabs } = await import('../../devtools/pages/tabs');
      return withLink(this.wiring, browser, listTabs);
    });
    if (!tabs) return undefined;
    if (tabs.length === 0) {
      showInformation(l10n.t('{0} has no tab.', browserLabel(browser)));
      return undefined;
    }
    const choices = tabs.map((tab) => {
      const { label, place } = tabTexts(tab);
      return { label, description: place, tab };
    });
    const choice = await pick(choices, { placeHolder: question });
    return choice && { browser, tab: choice.tab };
  }
}
