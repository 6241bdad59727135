import * as l10n from '@vscode/l10n';
import { COMMANDS } from '../../ids';
import { devToolsAddress } from '../../service/devToolsAddress';
import type { BrowserWiring } from '../browsers/browserWiring';
import { withBrowser } from '../browsers/gone';
import { chooseBrowser } from '../browsers/pickBrowser';
import { withLink } from '../browsers/readContents';
import { browserLabel } from '../lists/labels';
import { localhostAddress } from '../localhost/localhostAddress';
import { askText } from '../notify';

/** The command that opens an address of this computer in a browser, which may be elsewhere. */
export function localhostHandlers(
  wiring: BrowserWiring,
): Record<typeof COMMANDS.openLocalhost, (row?: unknown) => unknown> {
  return { [COMMANDS.openLocalhost]: (row) => open(wiring, row) };
}

/** Opens it in the browser of a row, else in one that is asked for. */
async function open(wiring: BrowserWiring, row: unknown): Promise<void> {
  const { connection, localhost } = wiring;
  const browser = await chooseBrowser(connection, row, l10n.t('Select the browser to open localhost in'));
  if (!browser) return;
  // Before anything is asked: without DevTools it is impossible.
  devToolsAddress(browser.devToolsUrl, (await connection.client()).baseUrl);
  const text = await askText({
    title: l10n.t('Open localhost in {0}', browserLabel(browser)),
    prompt: l10n.t('Port or address on this computer, such as 8080 or localhost:8080/login'),
    problemOf: (typed) =>
      localhostAddress(typed) ? undefined : l10n.t('Enter a port, or an address that begins with localhost.'),
  });
  const address = localhostAddress(text ?? '');
  if (!address) return;
  const { showAddress } = await import('../../devtools/extensions/surfaces');
  await withBrowser(wiring, browser, async () => {
    if (await localhost.reach(browser, address.href)) {
      await withLink(wiring, browser, (link) => showAddress(link, address.href));
    }
  });
}
