import type { Browser } from '../../../service/model';
import type { BrowserParts } from '../browserWiring';
import type { RememberedBrowser } from '../../targets/remembered';
import { startBrowser } from './startBrowser';

/**
 * Starts browsers like those that have ended: same names, profiles, screens and modes. They take the places of the ended ones among the
 * pins. Undefined when the user cancels.
 * @throws an error of the service
 */
export async function startAgain(
  parts: BrowserParts,
  ended: readonly RememberedBrowser[],
): Promise<Browser[] | undefined> {
  const browsers: Browser[] = [];
  for (const { browserId, request } of ended) {
    const isPinned = parts.pins.has(browserId);
    const browser = await startBrowser(parts, request);
    if (!browser) return undefined;
    if (isPinned) {
      await parts.pins.add(browser);
      await parts.pins.remove(browserId);
    }
    browsers.push(browser);
  }
  return browsers;
}
