import { join } from 'node:path';
import type { ServiceClient } from '../../src/service/client';
import { DevTools } from '../contract/devtools';
import { startBareChromium } from '../support/bareChromium';
import { atEnd } from '../support/cleanup';
import { MEASURES } from './ratios';
import { summarize, type Measure } from './series';

/** Commands of one sample, one after the other. */
const COMMANDS = 300;

/** A DevTools command and its response: over the local service, and with nothing between client and browser. */
export async function roundTrips(executable: string, client: ServiceClient, root: string): Promise<Measure[]> {
  const bare = await startBareChromium(executable, join(root, 'round-trips'));
  atEnd('the browser of the round trips', () => bare.stop());
  const browser = await client.createBrowser({ headless: true, timeoutSeconds: 3600 });
  const [direct, shared] = await Promise.all([DevTools.connect(bare.url), DevTools.connect(browser.devToolsUrl)]);
  return [
    { name: MEASURES.bareRoundTrip, run: () => oneRoundTrip(direct) },
    { name: MEASURES.roundTrip, run: () => oneRoundTrip(shared) },
  ];
}

async function oneRoundTrip(devtools: DevTools): Promise<number> {
  const times: number[] = [];
  for (let at = 0; at < COMMANDS; at += 1) {
    const sent = performance.now();
    await devtools.result('Browser.getVersion');
    times.push(performance.now() - sent);
  }
  return summarize('round trip', times).median;
}
