import assert from 'node:assert/strict';
import { loadsOf, switchOnDeveloperMode } from '../../../../src/devtools/inPage/extensionsPageCalls';
import { BrowserConnections } from '../../../../src/devtools/connection/browserConnections';
import type { KnownBuild } from '../../../../src/push/prepare/changes';
import { KnownBrowsers } from '../../../../src/push/known/knownBrowsers';
import { ScriptedBrowser } from '../../../standins/scriptedBrowser';
import { isCallOf } from '../../../support/calledInPage';
import { SERVICE_HERE } from '../../../support/devToolsAddress';
import { TestClock } from '../../../support/testClock';
import { REPLAYED } from '../../../transcripts/replayScenario';

const PATH = '/home/kernel/extensions/sample';
const TIME = '2026-05-01T12:00:00Z';

const BUILD: KnownBuild = {
  extensionId: 'a'.repeat(32),
  contentScripts: 'null',
  digests: new Map(),
  workerScripts: new Set(),
  files: new Map(),
};

describe('the build that a browser is known to run', () => {
  let browser: ScriptedBrowser;
  let clock: TestClock;
  let connections: BrowserConnections;
  let known: KnownBrowsers;
  let loads: number;
  let time: string;

  beforeEach(async () => {
    [loads, time] = [1, TIME];
    browser = new ScriptedBrowser().onEvaluate((expression) => {
      if (isCallOf(expression, loadsOf)) return loads;
      return isCallOf(expression, switchOnDeveloperMode) ? 'on' : true;
    });
    clock = new TestClock();
    const open = (): Promise<ScriptedBrowser> => Promise.resolve(browser);
    connections = new BrowserConnections(SERVICE_HERE, () => Infinity, {}, { open, clock });
    known = new KnownBrowsers(connections);
    await clock.run(connections.use(REPLAYED, () => Promise.resolve()));
    known.record(REPLAYED, PATH, BUILD, folderTime);
    await clock.idle();
  });

  afterEach(() => {
    connections.dispose();
  });

  const folderTime = (): Promise<string> => Promise.resolve(time);
  const build = (): Promise<KnownBuild | undefined> => clock.run(known.build(REPLAYED, PATH, folderTime));

  it('is the recorded one as long as nobody else has loaded it or replaced its files', async () => {
    assert.equal(await build(), BUILD);
    assert.deepEqual(known.expectedBuild(REPLAYED, 'sample'), { path: PATH, build: BUILD });
    loads = 2;
    assert.equal(await build(), undefined);
    [loads, time] = [1, '2026-05-01T12:00:01Z'];
    assert.equal(await build(), undefined);
  });

  it('is none after it was dropped', async () => {
    known.drop(REPLAYED, PATH);
    assert.equal(await build(), undefined);
    assert.equal(known.expectedBuild(REPLAYED, 'sample'), undefined);
  });

  it('is none when the browser may have restarted meanwhile, also when all else is the same', async () => {
    browser.lose();
    await clock.idle();
    assert.equal(known.expectedBuild(REPLAYED, 'sample'), undefined);
    assert.equal(await build(), undefined);
  });
});
