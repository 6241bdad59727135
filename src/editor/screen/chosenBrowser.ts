import type { Browser } from '../../service/model';
import type { BrowserWiring } from '../browsers/browserWiring';
import { findChosen } from '../targets/target';

/**
 * The browser that the user has chosen for pushes, while it runs: the only pinned one, or the push target. Undefined when there is none,
 * or when several are pinned; a browser that nobody chose is never returned.
 */
export async function chosenBrowser(wiring: BrowserWiring): Promise<Browser | undefined> {
  const { running } = await findChosen(await wiring.connection.client(), wiring);
  return running.length === 1 ? running[0] : undefined;
}
