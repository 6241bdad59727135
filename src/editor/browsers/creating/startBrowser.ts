import * as l10n from '@vscode/l10n';
import type { Browser, CreateBrowserRequest } from '../../../service/model';
import { LOCAL_VIEWPORT } from '../../../programs/headless/localViewport';
import { durationText } from '../../../base/units';
import { browserLabel } from '../../lists/labels';
import { readServiceSettings } from '../../settings';
import type { BrowserWiring } from '../browserWiring';
import { createUnlessCancelled } from './cancelledStart';
import { mayCreate } from './concurrency';
import { confirmWriter } from '../account/profileWriters';
import { adoptAsTarget } from '../../targets/target';

/** How long a browser that Sideload created lives without use, in seconds: longer than a coffee, shorter than a forgotten bill. */
const CREATED_TIMEOUT_SECONDS = 3600;

/**
 * Starts a browser, with a notification that can cancel it, and makes it the push target unless a chosen one runs. Undefined when the user
 * cancels. A second browser that saves to a profile is started only after a question; `isConfirmed`: the user knows of the first. `pinned`:
 * the id of a pinned browser whose place it takes. Undefined, too, when another service is in use by then.
 * @throws an error of the service
 */
export async function startBrowser(
  wiring: BrowserWiring,
  request: CreateBrowserRequest,
  { isConfirmed = false, pinned }: { isConfirmed?: boolean; pinned?: string } = {},
): Promise<Browser | undefined> {
  const { connection, lists, log, ownBrowsers, pins } = wiring;
  // Another service may be in use when the browser has started.
  const { key } = connection;
  const client = await connection.client();
  if (!(await mayCreate(client))) return undefined;
  const confirmed = isConfirmed ? request : await confirmWriter(connection, request);
  if (!confirmed) return undefined;
  const started = performance.now();
  const options = { timeoutSeconds: CREATED_TIMEOUT_SECONDS, ...localDefaults(), ...confirmed };
  const { browser } =
    (await createUnlessCancelled(
      wiring,
      l10n.t('Starting a browser'),
      () => client.createBrowser(options),
      ({ id }) => client.deleteBrowser(id),
    )) ?? {};
  if (!browser) return undefined;
  log.info(`Browser ${browserLabel(browser)} started in ${durationText(performance.now() - started)}`);
  await ownBrowsers.remember('started', browser.id, key);
  if (key !== connection.key) return undefined;
  if (pinned === undefined) await adoptAsTarget(client, wiring, browser);
  else await pins.exchange(pinned, browser);
  await lists.browsers.refresh();
  return browser;
}

/** What Sideload adds to the options of a new browser on this machine; other services keep their defaults. */
export function localDefaults(): Pick<CreateBrowserRequest, 'headless' | 'viewport'> {
  const { service, headless } = readServiceSettings();
  if (service !== 'local') return {};
  return { viewport: LOCAL_VIEWPORT, ...(headless === 'auto' ? {} : { headless: headless === 'always' }) };
}
