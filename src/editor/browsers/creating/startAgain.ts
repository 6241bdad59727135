import type { Browser } from '../../../service/model';
import type { BrowserWiring } from '../browserWiring';
import type { RememberedBrowser } from '../../targets/remembered';
import { startBrowser } from './startBrowser';

/**
 * Starts browsers like those that have ended: same names, profiles, screens and modes. They take the places of the ended ones among the
 * pins. Undefined when the user cancels.
 * @throws an error of the service
 */
export async function startAgain(
  wiring: BrowserWiring,
  ended: readonly RememberedBrowser[],
): Promise<Browser[] | undefined> {
  const browsers: Browser[] = [];
  for (const { browserId, request } of ended) {
    const isPinned = wiring.pins.has(browserId);
    const browser = await startBrowser(wiring, request, isPinned ? { pinned: browserId } : {});
    if (!browser) return undefined;
    browsers.push(browser);
  }
  return browsers;
}
