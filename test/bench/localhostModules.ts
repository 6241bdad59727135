import { join } from 'node:path';
import { Bridge } from '../../src/bridge/bridge';
import { DevTools, type Target } from '../contract/devtools';
import { DEV_SERVER_HOST, DevServer } from '../standins/devServer';
import { atEnd } from '../support/cleanup';
import { addressOf } from '../support/devToolsAddress';
import { eventually } from '../support/eventually';
import type { Bench } from './context';
import { browserElsewhere } from './localhost';
import { medianOf, type Ratio } from './ratios';
import type { Measure, Summary } from './series';

/** The modules of the page: so many levels, each of so many, which import two of the next level each. */
const LEVELS = 8;
const OF_LEVEL = 50;

/** What the first load of the page may take, in milliseconds. */
const LIMIT_MS = 1500;

/** How long it may take until it counts as failed, in milliseconds. */
const LOADED_LIMIT_MS = 30_000;

/** Some code of each module, in characters. */
const CODE = `/*${'x'.repeat(1000)}*/`;

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
    const server = await DevServer.start(answer);
    atEnd('the development server', () => server.close());
    const { service, browser } = await browserElsewhere(join(bench.root, 'elsewhere', 'modules'));
    const bridge = await Bridge.start({
      address: () => Promise.resolve(addressOf(browser)),
      ports: [server.port],
      extensionIds: [],
      log: { debug: () => undefined },
      forward: { host: DEV_SERVER_HOST },
    });
    atEnd('the bridge', () => Promise.resolve(bridge.close()));
    const devtools = await DevTools.connect((await service.client.getBrowser(browser.id)).devToolsUrl);
    atEnd('a connection to a page', () => Promise.resolve(devtools.close()));
    let count = 0;
    const run = async (): Promise<Record<string, number>> => {
      const url = `${server.origin}/${++count}/page`;
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

/** Answers with the page, or with a module, whose addresses are others in each folder. */
const answer: Parameters<typeof DevServer.start>[0] = ({ path }, response) => {
  const [, folder = '', name = ''] = /^\/(\d+)\/(page|\d+-\d+\.js)$/.exec(path) ?? [];
  const importOf = (level: number, at: number): string => `import '/${folder}/${level}-${at % OF_LEVEL}.js';`;
  if (name === 'page') {
    const imports = Array.from({ length: OF_LEVEL }, (_, at) => importOf(0, at)).join('');
    const script = `<script type="module">${imports} globalThis.loadedMs = performance.now();</script>`;
    response.setHeader('content-type', 'text/html').end(`<!doctype html><title>Modules</title>${script}`);
    return true;
  }
  if (name === '') return false;
  const [level = 0, at = 0] = name.split(/\D/).map(Number);
  const imports = level + 1 < LEVELS ? importOf(level + 1, at) + importOf(level + 1, at + 1) : '';
  response.setHeader('content-type', 'text/javascript').end(imports + CODE);
  return true;
};

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
