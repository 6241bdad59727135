import assert from 'node:assert/strict';
import type { BrowserLink } from '../../../../src/devtools/connection/link';
import { reloadExtension } from '../../../../src/devtools/inPage/extensionsPageCalls';
import { pageState } from '../../../../src/devtools/inPage/pageCalls';
import { injectScripts, registeredPaths } from '../../../../src/devtools/inPage/stateCalls';
import { WorkerDebuggers } from '../../../../src/devtools/workers/workerDebuggers';
import { activate } from '../../../../src/push/activate/activate';
import { type Needs, takeSnapshot } from '../../../../src/push/activate/snapshot';
import type { TabPolicy } from '../../../../src/push/browserDelivery';
import { silentLogger } from '../../../../src/service/logger';
import { EXTENSIONS_ROOT } from '../../../support/extensionsRoot';
import { MemoryChromium } from '../../../standins/memoryChromium';
import { memoryMachine } from '../../../standins/memoryMachine';
import { MemoryService } from '../../../standins/memoryService';
import { argumentsOf, isCallOf } from '../../../support/calledInPage';
import { TestClock } from '../../../support/testClock';
import { preparedOf } from '../../../transcripts/build';
import { deliveryOf } from '../../../transcripts/scenario';
import { build } from '../../../transcripts/scenarios';

const PATH = `${EXTENSIONS_ROOT}/sample`;
const ID = MemoryChromium.idOf(PATH);
const SITE = 'http://127.0.0.1/';

const RELOAD: Needs = {
  reload: 'reload',
  registrable: [],
  reloadUnregistered: 'reload',
  tabs: 'none',
  mayOpenPanels: false,
  runsAt: () => false,
  matches: () => false,
  isUpdatedInPlace: () => Promise.resolve(false),
};

/** How long a test of milliseconds may take on a busy machine, in milliseconds. */
const TEST_LIMIT_MS = 30_000;

describe('the tabs of an activation', function () {
  this.timeout(TEST_LIMIT_MS);
  let clock: TestClock;
  let service: MemoryService;
  let chromium: MemoryChromium;
  let debuggers: WorkerDebuggers;
  let link: BrowserLink;
  const warnings: string[] = [];
  /** Of a page: whether it is seen, and how far it has loaded; `silent`: it does not answer. */
  let stateOf = (target = ''): string => (target === 'front' ? 'visible complete' : 'hidden complete');
  const usualState = stateOf;
  /** The files that the extension has registered. */
  let registered: string[] = [];

  beforeEach(async () => {
    clock = new TestClock();
    service = new MemoryService(clock);
    service.write({ 'sample/manifest.json': '{ "name": "Sample", "version": "1.0" }' });
    chromium = new MemoryChromium(service);
    debuggers = new WorkerDebuggers();
    warnings.length = 0;
    chromium.load(PATH);
    chromium.on('Runtime.enable', ({ target = '' }) => {
      const origin = `chrome-extension://${target === 'other' ? 'b'.repeat(32) : ID}`;
      chromium.event('Runtime.executionContextCreated', { context: { id: 2, origin, name: 'Sample' } }, target);
      return {};
    });
    const asked = chromium.onEvaluate.bind(chromium);
    asked((expression, { target }) => {
      if (expression === 'true') return true;
      const [visibility, readyState] = stateOf(target).split(' ');
      if (visibility === 'silent') return undefined;
      if (expression === 'document.visibilityState') return visibility;
      if (isCallOf(expression, pageState)) return { isVisible: visibility === 'visible', readyState };
      if (isCallOf(expression, reloadExtension)) return true;
      if (isCallOf(expression, registeredPaths)) return registered;
      return 'there';
    });
    link = await chromium.link(clock, {}, debuggers);
    await clock.run(link.prepare());
    for (const tab of ['front', 'behind', 'other']) chromium.show(tab, SITE);
    await clock.idle();
  });

  afterEach(() => {
    link.close();
    stateOf = usualState;
    registered = [];
  });

  /**
   * The tabs that are reloaded when the content script has changed, which runs at `SITE`; `meanwhile` happens after the snapshot. `isFirst`: the
   * extension was not there before.
   */
  async function reloadedTabs(
    tabs: TabPolicy,
    meanwhile: () => void = () => undefined,
    { isFirst = false, ...more }: Partial<Needs> & { isFirst?: boolean } = {},
  ): Promise<(string | undefined)[]> {
    const needs: Needs = { ...RELOAD, tabs, runsAt: (url) => url === SITE, ...more };
    const snapshot = await clock.run(takeSnapshot(link, isFirst ? undefined : ID, needs));
    meanwhile();
    await clock.idle();
    const prepared = await preparedOf(build(1), 0);
    const warn = (text: string): void => {
      warnings.push(text);
    };
    const { finish } = await clock.run(
      activate(link, {
        delivery: deliveryOf(memoryMachine(service, clock, { ...silentLogger, warn }), 'sample', prepared, {}),
        archive: prepared.archive,
        path: PATH,
        staged: {
          restarted: false,
          rollback: () => Promise.resolve(),
          commit: () => Promise.resolve(),
          keep: () => Promise.resolve(undefined),
        },
        loaded: isFirst ? undefined : chromium.extensions[0],
        previous: undefined,
        snapshot,
      }),
    );
    await clock.run(finish());
    await snapshot.dispose();
    return chromium.received.filter(({ method }) => method === 'Page.reload').map(({ target }) => target);
  }

  it('are reloaded when they run its content scripts: the visible ones', async () => {
    assert.deepEqual(await reloadedTabs('visible'), ['front']);
  });

  it('are reloaded when they run its content scripts: all', async () => {
    assert.deepEqual((await reloadedTabs('all')).sort(), ['behind', 'front']);
  });

  it('are reloaded when they still load, since they may miss the scripts of both builds', async () => {
    stateOf = (target) => (target === 'other' ? 'visible loading' : usualState(target));
    assert.deepEqual((await reloadedTabs('visible')).sort(), ['front', 'other']);
  });

  it('are reloaded when they have come to their address after the snapshot', async () => {
    stateOf = (target) => (target === 'late' ? 'visible' : usualState(target));
    const come = (): void => {
      for (const tab of ['late', 'lateBehind']) chromium.show(tab, SITE);
      chromium.show('foreign', 'http://127.0.0.2/');
    };
    assert.deepEqual((await reloadedTabs('visible', come)).sort(), ['front', 'late']);
  });

  it('are reloaded when they have come late, all where all are, and are not attached to afterwards', async () => {
    stateOf = (target) => (target === 'late' ? 'visible' : usualState(target));
    const come = (): void => {
      for (const tab of ['late', 'lateBehind']) chromium.show(tab, SITE);
    };
    const sessions = chromium.sessions;
    assert.deepEqual((await reloadedTabs('all', come)).sort(), ['behind', 'front', 'late', 'lateBehind']);
    await clock.idle();
    assert.equal(chromium.sessions, sessions);
  });

  it('are reloaded when a content script in the main world may run in them, which does not show whose it is', async () => {
    stateOf = (target) => (target === 'other' ? 'visible complete' : usualState(target));
    const matches = (url: string): boolean => url === SITE;
    assert.deepEqual((await reloadedTabs('visible', undefined, { matches })).sort(), ['front', 'other']);
  });

  it('get the content scripts of a first build where the browser was not restarted for it, and no other is attached to', async () => {
    chromium.show('elsewhere', 'http://127.0.0.2/');
    const matches = (url: string): boolean => url === SITE;
    assert.deepEqual(await reloadedTabs('visible', undefined, { isFirst: true, reload: 'load', matches }), ['front']);
    assert.deepEqual(chromium.methodsOf('elsewhere'), []);
  });

  it('are reloaded where they had not answered, and their address has scripts', async () => {
    stateOf = (target) => (target === 'other' ? 'silent' : usualState(target));
    const answer = (): void => {
      stateOf = usualState;
    };
    const matches = (url: string): boolean => url === SITE;
    assert.deepEqual((await reloadedTabs('all', answer, { matches })).sort(), ['behind', 'front', 'other']);
  });

  it('are not looked at for a first build after a restart', async () => {
    const matches = (url: string): boolean => url === SITE;
    const needs: Partial<Needs> = { reload: 'load', matches, isAfterRestart: true };
    assert.deepEqual(await reloadedTabs('visible', undefined, { isFirst: true, ...needs }), []);
    assert.deepEqual(chromium.methodsOf('front'), []);
  });

  it('that still load are reloaded, not injected into: the new scripts could run there twice', async () => {
    stateOf = (target) => (target === 'other' ? 'visible loading' : usualState(target));
    chromium.show('worker', `chrome-extension://${ID}/worker.js`, 'service_worker');
    const reloaded = await reloadedTabs('inject');
    assert.ok(reloaded.includes('other'), reloaded.join());
    const injections = chromium.received.flatMap(({ params }) => {
      const called = argumentsOf(params['expression'], injectScripts);
      return called ? [called[1]] : [];
    });
    assert.deepEqual(injections, [[SITE, SITE]]);
  });

  it('are reloaded, and the extension is not, when they alone have what has changed', async () => {
    assert.deepEqual(await reloadedTabs('visible', undefined, { reload: 'pages' }), ['front']);
    assert.ok(!chromium.received.some(({ method }) => method === 'Extensions.loadUnpacked'));
  });

  describe('when a file has changed that may be registered as a content script', () => {
    const needs: Partial<Needs> = {
      registrable: ['own.js'],
      reloadUnregistered: 'pages',
      tabsIfRegistered: () => Promise.resolve('visible'),
    };
    const forget = (): void => {
      registered = [];
    };
    const reloads = (): unknown[] => chromium.received.filter(({ method }) => method === 'Page.reload');

    beforeEach(async () => {
      chromium.show('worker', `chrome-extension://${ID}/worker.js`, 'service_worker');
      await clock.idle();
    });

    it('are left where it is not', async () => {
      registered = ['other.js'];
      assert.deepEqual(await reloadedTabs('none', undefined, needs), []);
    });

    it('are reloaded once the extension has registered it again, not before', async () => {
      registered = ['/own.js'];
      let before: number | undefined;
      clock.after(1000, () => {
        before = reloads().length;
        registered = ['own.js'];
      });
      assert.deepEqual(await reloadedTabs('none', forget, needs), ['front']);
      assert.equal(before, 0);
    });

    it('are reloaded where nobody could say whether it is, once it is registered after the reload, and only then', async () => {
      chromium.remove('worker');
      await clock.idle();
      const wake = (): void => {
        chromium.show('worker', `chrome-extension://${ID}/worker.js`, 'service_worker');
      };
      assert.deepEqual(await reloadedTabs('none', wake, needs), []);
      chromium.remove('worker');
      await clock.idle();
      registered = ['own.js'];
      assert.deepEqual(await reloadedTabs('none', wake, needs), ['front']);
    });

    it('are reloaded after some seconds, too, when the extension does not register it again', async () => {
      registered = ['own.js'];
      const begun = clock.now();
      assert.deepEqual(await reloadedTabs('none', forget, needs), ['front']);
      assert.ok(clock.now() - begun >= 3000);
    });
  });

  it('are neither reloaded nor attached to where nothing is to happen to them', async () => {
    assert.deepEqual(await reloadedTabs('none'), []);
    assert.deepEqual(chromium.methodsOf('front'), []);
  });

  it('stay as they are while a debugger has paused them, and the outcome says so', async () => {
    debuggers.add({
      extensionId: ID,
      pausedAt: () => undefined,
      isPagePaused: (targetId) => targetId === 'front',
      release: () => Promise.resolve(),
      restore: () => Promise.resolve(),
      untilReady: () => Promise.resolve(),
    });
    assert.deepEqual(await reloadedTabs('all'), ['behind']);
    assert.match(warnings.join(), /paused 1 of the tabs/);
  });
});
