import { listContexts } from '../devtools/extensions/contexts';
import type { BrowserConnections } from '../devtools/connection/browserConnections';
import type { Probe } from './examination';

/** What a probe asks of a browser, over the connections that pushes use, too. */
export function browserProbe(
  connections: () => Promise<Pick<BrowserConnections, 'use'>>,
): Pick<Probe, 'product' | 'extensions' | 'worker'> {
  return {
    product: async (browser) =>
      await (
        await connections()
      ).use(browser, async ({ connection }) => (await connection.send('Browser.getVersion')).product),
    extensions: async (browser) => await (await connections()).use(browser, (link) => link.extensions()),
    worker: async (browser, id) => (await (await connections()).use(browser, (link) => listContexts(link, id))).worker,
  };
}
