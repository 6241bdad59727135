import * as l10n from '@vscode/l10n';
import { ServiceError } from '../../service/serviceErrors';
import type { Browser } from '../../service/model';
import { browserLabel } from '../lists/labels';
import type { ListView } from '../lists/listView';
import { showInformation } from '../notify';
import type { ServiceWiring } from '../service/connection';

/** What is needed to notice that a browser has ended. */
export interface GoneWiring extends ServiceWiring {
  lists: { browsers: Pick<ListView<Browser>, 'remove'> };
}

/**
 * Asks the service whether a browser still exists, after an action on it has failed. If it does not, removes it from the list and shows
 * a notification. Resolves to whether it is gone; false when the service cannot be reached.
 */
export async function removeIfGone(wiring: GoneWiring, browser: Browser): Promise<boolean> {
  if (!(await isGone(wiring, browser))) return false;
  wiring.lists.browsers.remove(browser.id);
  wiring.log.info(`Browser ${browserLabel(browser)} no longer exists`);
  showInformation(l10n.t('{0} no longer exists, so it was removed from the list.', browserLabel(browser)));
  return true;
}

/**
 * Runs an action on a browser. When it fails because the browser no longer exists, shows a notification and resolves to undefined; other
 * errors are thrown.
 */
export async function withBrowser<T>(
  wiring: GoneWiring,
  browser: Browser,
  act: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await act();
  } catch (error) {
    if (mayBeGone(error) && (await removeIfGone(wiring, browser))) return undefined;
    throw error;
  }
}

/** Whether an error of an action on a browser may mean that the browser no longer exists. */
export function mayBeGone(error: unknown): boolean {
  if (error instanceof ServiceError) return error.kind === 'notFound';
  return error instanceof Error && error.name === 'DevToolsError';
}

async function isGone({ connection }: ServiceWiring, { id }: Browser): Promise<boolean> {
  try {
    return (await (await connection.client()).findBrowser(id)) === undefined;
  } catch {
    return false;
  }
}
