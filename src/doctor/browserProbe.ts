import { listContexts } from '../devtools/extensions/contexts';
import type { BrowserConnections } from '../devtools/connection/browserConnections';
import type { Probe } from './examination';

/** What a probe asks of a service about a browser, whose credentials it puts into `secrets`, and of the browser, over the connections of pushes. */
export function browserProbe(
  findBrowser: Probe['findBrowser'],
  connections: () => Promise<Pick<BrowserConnections, 'use'>>,
  secrets: string[],
): Pick<Probe, 'findBrowser' | 'product' | 'extensions' | 'worker'> {
  return {
    findBrowser: async () => {
      const browser = await findBrowser();
      const { devToolsUrl = '', webDriverUrl = '', liveViewUrl } = browser ?? {};
      secrets.push(...[devToolsUrl, webDriverUrl, liveViewUrl ?? ''].filter((secret) => secret !== ''));
      return browser;
    },
    product: async (browser) =>
      await (
        await connections()
      ).use(browser, async ({ connection }) => (await connection.send('Browser.getVersion')).product),
    extensions: async (browser) => await (await connections()).use(browser, (link) => link.extensions()),
    worker: async (browser, id) => (await (await connections()).use(browser, (link) => listContexts(link, id))).worker,
  };
}
