import assert from 'node:assert/strict';
import { join } from 'node:path';
import { LocalhostBridges } from '../../src/bridge/localhostBridges';
import { newFolder } from '../../src/bridge/socketMessages';
import { portsOf, type LocalhostAccess } from '../../src/push/localhost';
import type { ServiceClient } from '../../src/service/client';
import { silentLogger } from '../../src/service/logger';
import type { Browser } from '../../src/service/model';
import { DevTools, type Target } from '../contract/devtools';
import { FarBrowser } from '../standins/farBrowser';
import { atEnd } from '../support/cleanup';
import { eventually } from '../support/eventually';
import { TestEngine } from '../support/testEngine';
import { USUAL_ORDER } from '../support/usualOrder';
import type { Bench } from './context';
import { DEVELOPMENT_TOOLS, DevelopmentProject } from '../machine/developmentProject';
import { startService, type BenchService } from './localService';
import { startOutside } from './outside';
import { medianOf, type Ratio } from './ratios';
import type { Measure, Summary } from './series';

/** How long a round trip to the browser takes that is elsewhere, in milliseconds. */
const ROUND_TRIP_MS = 80;

/** What the time of an edit may take more there, in round trips. */
const MOST_ROUND_TRIPS = 4;

/** How long a tool may take to be fetched and to build, and browsers to show its page, in milliseconds. */
const PREPARE_LIMIT_MS = 10 * 60_000;

/** How long an edit, and the page itself, may take to be shown, in milliseconds: less than a call of DevTools may. */
const SHOWN_LIMIT_MS = 20_000;

/** In a page: resolves to whether it shows a label in time. */
const UNTIL_SHOWN = `(label) => new Promise((resolve) => {
  const look = () => {
    if (document.getElementById('mark')?.textContent !== label) return;
    observer.disconnect();
    resolve(true);
  };
  const observer = new MutationObserver(look);
  observer.observe(document, { subtree: true, childList: true, characterData: true });
  setTimeout(resolve, ${SHOWN_LIMIT_MS}, false);
  look();
})`;

/** Suffixes of the measures of one edit. */
const LOCAL = ', local';
const ELSEWHERE = `, ${ROUND_TRIP_MS} ms away`;

/**
 * From an edit to the page that shows it by a hot update, with a typed text kept: at the same time in a browser of this machine, which reaches the
 * server itself, and in one without any network, which is 80 ms away and gets the answers of the server over DevTools.
 */
export async function localhostMeasures(
  bench: Bench,
  isChosen: (name: string) => boolean,
): Promise<readonly Measure[]> {
  const measures: Measure[] = [];
  for (const [name, tool] of Object.entries(DEVELOPMENT_TOOLS)) {
    if (!isChosen(name)) continue;
    const begin = async (): Promise<Measure[]> => {
      const project = await DevelopmentProject.start(tool, bench.report);
      const near = await pageOf(project, await bench.service());
      const far = await pageElsewhere(project, join(bench.root, 'elsewhere', name));
      return [{ name: nameOf(name), run: () => edit(project, near, far) }];
    };
    measures.push(...(await bench.prepare(nameOf(name), begin, PREPARE_LIMIT_MS)));
  }
  return measures;
}

/** What an edit takes more in the browser elsewhere, in round trips. */
export function localhostRatios(summaries: readonly Summary[]): Ratio[] {
  return Object.keys(DEVELOPMENT_TOOLS)
    .map((name) => {
      const [local, elsewhere] = [LOCAL, ELSEWHERE].map((suffix) => medianOf(summaries, nameOf(name) + suffix));
      const value = ((elsewhere ?? Number.NaN) - (local ?? Number.NaN)) / ROUND_TRIP_MS;
      return { ratio: `localhost/${name}`, value, limit: MOST_ROUND_TRIPS };
    })
    .filter(({ value }) => !Number.isNaN(value));
}

const nameOf = (name: string): string => `edit to page by the development server: ${name}`;

async function edit(project: DevelopmentProject, near: Target, far: Target): Promise<Record<string, number>> {
  const typed = `typed ${Date.now()}`;
  for (const page of [near, far]) await page.evaluate(`document.getElementById('typed').value = '${typed}'`);
  const label = project.nextLabel;
  const shown = Object.entries({ [LOCAL]: near, [ELSEWHERE]: far }).map(async ([where, page]) => {
    assert.equal(await page.evaluate(`(${UNTIL_SHOWN})('${label}')`), true, `${label} is not shown${where}`);
    return performance.now();
  });
  const started = performance.now();
  await project.edit();
  const [local, elsewhere] = await Promise.all(shown);
  for (const page of [near, far]) {
    assert.equal(await page.evaluate(`document.getElementById('typed').value`), typed, 'the typed text is lost');
  }
  assert(local !== undefined && elsewhere !== undefined);
  return { [LOCAL]: local - started, [ELSEWHERE]: elsewhere - started };
}

/** The page of a project in a browser of this machine. */
async function pageOf(project: DevelopmentProject, service: BenchService): Promise<Target> {
  const browser = await service.client.createBrowser({ headless: true, timeoutSeconds: 3600 });
  const id = await push(project, service.client, browser, { isLocal: true });
  return await openPage(project, service.client, browser, id);
}

/** The page of a project in a browser that reaches nothing, behind a network. */
async function pageElsewhere(project: DevelopmentProject, dataFolder: string): Promise<Target> {
  const { service, client, browser } = await browserElsewhere(dataFolder);
  const bridges = new LocalhostBridges({ log: silentLogger, folder: newFolder() });
  atEnd('the bridges', () => Promise.resolve(bridges.closeAll()));
  const localhost: LocalhostAccess = {
    grantFor: (uses) => Promise.resolve(bridges.grant(client, [...new Set([project.port, ...portsOf(uses)])])),
  };
  const id = await push(project, client, browser, { isLocal: false, localhost });
  if (id === undefined) {
    const bridge = await bridges.open(client, browser, [project.port]);
    assert.deepEqual(bridge.ports, [project.port]);
  }
  return await openPage(project, service.client, browser, id);
}

/**
 * A browser without any network, behind one that is 80 ms away, the clients that reach it past that and through it, and the port of a development
 * server with many modules.
 */
export async function browserElsewhere(
  dataFolder: string,
): Promise<{ service: BenchService; client: ServiceClient; browser: Browser; port: number }> {
  const far = await FarBrowser.make();
  atEnd('a browser without a network', () => far.end());
  const service = await startService(dataFolder, { browser: far.path });
  const { network, port } = await startOutside({ service: service.baseUrl, roundTripMs: ROUND_TRIP_MS });
  const client = service.clientAt(network);
  return { service, client, port, browser: await client.createBrowser({ headless: true, timeoutSeconds: 3600 }) };
}

/** Pushes the extension of a project. Resolves to its id, and to undefined for a web app. */
async function push(
  { extension }: DevelopmentProject,
  client: ServiceClient,
  browser: Browser,
  where: { isLocal: boolean; localhost?: LocalhostAccess },
): Promise<string | undefined> {
  if (extension === undefined) return undefined;
  const engine = new TestEngine({ log: silentLogger, idleMs: () => Infinity });
  atEnd('the connections to browsers', () => Promise.resolve(engine.dispose()));
  const order = {
    ...USUAL_ORDER,
    service: client,
    browsers: [browser],
    folder: extension,
    mustReload: false,
    ...where,
  };
  const [browserOutcome] = await engine.push(order);
  const outcome = browserOutcome?.outcome;
  if (outcome?.kind !== 'running') throw new Error(`the push has ended otherwise: ${JSON.stringify(outcome)}`);
  return outcome.extensionId;
}

/** Opens the page, past the network, and waits until it shows the label. */
async function openPage(
  { tool, port, label }: DevelopmentProject,
  client: ServiceClient,
  { id }: Browser,
  extensionId: string | undefined,
): Promise<Target> {
  const devtools = await DevTools.connect((await client.getBrowser(id)).devToolsUrl);
  atEnd('a connection to a page', () => Promise.resolve(devtools.close()));
  const origin = extensionId === undefined ? `http://localhost:${port}` : `chrome-extension://${extensionId}`;
  const { targetId } = await devtools.result('Target.createTarget', { url: `${origin}/${tool.page}` });
  const page = await devtools.attachTo(String(targetId));
  const isShown = `document.getElementById('mark')?.textContent === '${label}'`;
  let text: unknown;
  const shows = async (): Promise<boolean> => {
    text = await page.evaluate('document.body?.innerText');
    return (await page.evaluate(isShown)) === true;
  };
  await eventually(() => `${tool.page} shows ${label}, but ${JSON.stringify(text)}`, shows, SHOWN_LIMIT_MS);
  return page;
}
