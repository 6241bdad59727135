// Covers: src/bridge
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Bridge } from '../../src/bridge/bridge';
import { findBrowser } from '../../src/local/chromium/browserPaths';
import { type BareChromium, startBareChromium } from '../support/bareChromium';
import { addressOf } from '../support/devToolsAddress';
import { eventually } from '../support/eventually';
import { ROOT } from '../support/paths';
import { DEV_SERVER_HOST, DevServer } from '../standins/devServer';
import { SlowNetwork } from '../standins/slowNetwork';
import { SOON_MS } from './bridgeStage';
import { DevTools } from './devtools';

/** The most that one page of {@link moduleOf} may cost on the way to the browser, in bytes. */
const MAX_BYTES = 500_000;

/** How many scripts the page has, and how long each is, in bytes, without its map: as a page with React, of 3.7 MB with 2.7 MB of maps. */
const MODULES = 14;
const CODE_BYTES = 75_000;
const MAP_BYTES = 135_000;

/** Code of a real program, which compresses as such does: each part is another one. */
const PROGRAM = readFileSync(join(ROOT, 'node_modules', 'typescript', 'lib', 'typescript.js'), 'latin1').replaceAll(
  '*/',
  '',
);
const textOf = (length: number, part: number): string => PROGRAM.slice(part * length, (part + 1) * length);

const MAP = (at: number): string =>
  JSON.stringify({ version: 3, sources: [`a${at}.ts`], sourcesContent: [textOf(MAP_BYTES, at)], mappings: '' });

/** A script with its source map in it. */
function moduleOf(at: number): string {
  const code = `globalThis.ran = (globalThis.ran ?? 0) + 1;\n/*${textOf(CODE_BYTES, 30 + at)}*/\n`;
  return `${code}//# sourceMappingURL=data:application/json;base64,${Buffer.from(MAP(at)).toString('base64')}`;
}

describe('what a bridge sends', function () {
  this.timeout(120_000);
  let folder: string;
  let chromium: BareChromium;
  let server: DevServer;
  let network: SlowNetwork;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sideload-bytes-'));
    // The local service does not compress.
    chromium = await startBareChromium(String(await findBrowser()), join(folder, 'profile'));
    network = await SlowNetwork.start(chromium.url.replace(/^ws/, 'http'));
    server = await DevServer.start(({ path }, response) => {
      const [, at] = /^\/module(\d+)\.js$/.exec(path) ?? [];
      if (at === undefined && path !== '/page') return false;
      const scripts = Array.from({ length: MODULES }, (_, each) => `<script src="/module${each}.js"></script>`);
      response.setHeader('content-type', at === undefined ? 'text/html' : 'text/javascript');
      response.end(at === undefined ? `<title>Page</title>${scripts.join('')}` : moduleOf(Number(at)));
      return true;
    });
  });

  after(async () => {
    await network.close();
    await server.close();
    await chromium.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it(`is at most ${MAX_BYTES / 1000} kB for a page of 3.7 MB, whose source maps can be had`, async () => {
    const devToolsUrl = chromium.url.replace(new URL(chromium.url).host, new URL(network.baseUrl).host);
    let isDebugged = false;
    const bridge = await Bridge.start({
      isDebugged: () => isDebugged,
      address: () => Promise.resolve(addressOf({ devToolsUrl })),
      ports: [server.port],
      extensionIds: [],
      log: { debug: () => undefined },
      forward: { host: DEV_SERVER_HOST },
    });
    const devtools = await DevTools.connect(chromium.url);
    try {
      const url = `${server.origin}/page`;
      const page = await devtools.attachTo(String((await devtools.result('Target.createTarget', { url }))['targetId']));
      const ran = async (): Promise<unknown> => page.evaluate('globalThis.ran').catch(() => undefined);
      await eventually('all scripts have run', async () => (await ran()) === MODULES, SOON_MS);
      const { up } = network.traffic;
      const { bytes } = bridge.requests.counts;
      assert.ok(bytes > 3_500_000 && up <= MAX_BYTES, `${up} bytes on the line for ${bytes} of the server`);
      const map = `fetch('/module3.js').then((answer) => answer.text()).then((code) => fetch(code.slice(code.lastIndexOf('=') + 1))).then((answer) => answer.text())`;
      assert.equal(await page.evaluate(map), MAP(3));
      assert.ok(!server.paths.some((path) => path.startsWith('/.sideload')));
      isDebugged = true;
      const read = await page.evaluate(`fetch('/module3.js').then((answer) => answer.text())`);
      assert.equal(read, moduleOf(3), 'A debugger of this machine finds the map in what was answered.');
    } finally {
      devtools.close();
      bridge.close();
    }
  });
});
