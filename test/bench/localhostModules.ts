import { join } from 'node:path';
import { Bridge } from '../../src/bridge/bridge';
import { DevTools, type Target } from '../contract/devtools';
import { DEV_SERVER_HOST } from '../standins/devServer';
import { atEnd } from '../support/cleanup';
import { addressOf } from '../support/devToolsAddress';
import { eventually } from '../support/eventually';
import type { Bench } from './context';
import { browserElsewhere } from './localhost';
import { medianOf, type Ratio } from './ratios';
import type { Measure, Summary } from './series';

/** What the first load of the page may take, in milliseconds. */
const LIMIT_MS = 1500;

/** How long it may take until it counts as failed, in milliseconds. */
const LOADED_LIMIT_MS = 30_000;

const NAME = 'load of 400 modules, 8 deep, of the development server, 80 ms away';
const FIRST = ', first';
const AGAIN = ', again';

/**
 * From the navigation to the last statement of a page with many modules that import each other, in a browser without any network that is 80 ms away: the
 * first load of the page, and the next one, for which its modules are known.
 */
export async function moduleMeasures(bench: Bench, isChosen: (name: string) => boolean): Promise<readonly Measure[]> {
  if (!isChosen('modules')) return [];
  return await bench.prepare(NAME, async () => {
    const { service, browser, port } = await browserElsewhere(join(bench.root, 'elsewhere', 'modules'));
    const bridge = await Bridge.start({
      address: () => Promise.resolve(addressOf(browser)),
      ports: [port],
      extensionIds: [],
      log: { debug: () => undefined },
      forward: { host: DEV_SERVER_HOST },
    });
    atEnd('the bridge', () => Promise.resolve(bridge.close()));
    const devtools = await DevTools.connect((await service.client.getBrowser(browser.id)).devToolsUrl);
    atEnd('a connection to a page', () => Promise.resolve(devtools.close()));
    let count = 0;
    const run = async (): Promise<Record<string, number>> => {
      const url = `http://localhost:${port}/${++count}/page`;
      const { targetId } = await devtools.result('Target.createTarget', { url });
      const page = await devtools.attachTo(String(targetId));
      const first = await loaded(page);
      await page.evaluate('globalThis.loadedMs = undefined; setTimeout(() => location.reload())');
      const again = await loaded(page);
      await devtools.closePage(String(targetId));
      return { [FIRST]: first, [AGAIN]: again };
    };
    return [{ name: NAME, run }];
  });
}

/** How long the loads of the page take. */
export function moduleRatios(summaries: readonly Summary[]): Ratio[] {
  const [first, again] = [FIRST, AGAIN].map((suffix) => medianOf(summaries, NAME + suffix));
  if (first === undefined || again === undefined || Number.isNaN(first)) return [];
  return [
    { ratio: 'localhost/modules, ms', value: first, limit: LIMIT_MS },
    { ratio: 'localhost/modulesAgain/modules', value: again / first, limit: 1 },
  ];
}

/** Resolves to the milliseconds that a load has taken. */
async function loaded(page: Target): Promise<number> {
  let ms: unknown;
  const isLoaded = async (): Promise<boolean> => {
    ms = await page.evaluate('globalThis.loadedMs').catch(() => undefined);
    return typeof ms === 'number';
  };
  await eventually('all modules have run', isLoaded, LOADED_LIMIT_MS);
  return Number(ms);
}
