import * as l10n from '@vscode/l10n';
import type { Browser, CreateBrowserRequest } from '../../../service/model';
import { LOCAL_VIEWPORT } from '../../../programs/headless/localViewport';
import { durationText } from '../../../base/units';
import { browserLabel } from '../../lists/labels';
import { withProgressUnlessCancelled } from '../../notify';
import { readServiceSettings } from '../../settings';
import type { BrowserWiring } from '../browserWiring';
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
  const browser = await withProgressUnlessCancelled(l10n.t('Starting a browser'), (signal) =>
    client.createBrowser({ timeoutSeconds: CREATED_TIMEOUT_SECONDS, ...localDefaults(), ...confirmed }, signal),
  );
  if (!browser) {
    log.info('Create Browser: cancelled; a browser that was starting already may appear in the list');
    await lists.browsers.refresh();
    return undefined;
  }
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
