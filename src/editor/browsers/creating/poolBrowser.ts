import * as l10n from '@vscode/l10n';
import { present } from '../../../base/fields';
import type { BrowserPool, Browser, CreateBrowserRequest } from '../../../service/model';
import { browserLabel, recordLabel } from '../../lists/labels';
import { showInformation } from '../../notify';
import type { BrowserWiring } from '../browserWiring';
import { createUnlessCancelled } from './cancelledStart';
import { adoptAsTarget } from '../../targets/target';

/** How long to wait until a browser of a pool becomes free, in seconds. */
const WAIT_SECONDS = 60;

/**
 * Takes a browser from a pool, with a notification that can cancel it, and makes it the push target unless a chosen one runs. Undefined when
 * the user cancels, or none became free in time; a notification says that.
 * @throws an error of the service
 */
export async function acquireFromPool(
  wiring: BrowserWiring,
  pool: BrowserPool,
  { name, startUrl }: CreateBrowserRequest,
): Promise<Browser | undefined> {
  const { connection, lists, log } = wiring;
  // Another service may be in use when the browser is there.
  const { key } = connection;
  const client = await connection.client();
  const label = recordLabel(pool);
  const options = { acquireTimeoutSeconds: WAIT_SECONDS, ...present({ name, startUrl }) };
  const acquired = await createUnlessCancelled(
    wiring,
    l10n.t('Taking a browser from the pool {0}', label),
    () => client.acquireBrowser(pool.id, options),
    ({ id }) => client.releaseBrowser(pool.id, { browser: id, reuse: true }),
  );
  if (!acquired) return undefined;
  const { browser } = acquired;
  if (browser) {
    log.info(`Browser ${browserLabel(browser)} taken from the pool ${label}`);
    if (key !== connection.key) return undefined;
    await adoptAsTarget(client, wiring, browser);
  } else {
    showInformation(l10n.t('No browser of the pool {0} became free within {1} s.', label, WAIT_SECONDS));
  }
  await lists.browsers.refresh();
  return browser;
}
