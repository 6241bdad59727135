import assert from 'node:assert/strict';
import type { BrowserLink } from '../../../../src/devtools/connection/link';
import { reopenPanels } from '../../../../src/devtools/inPage/panelCalls';
import { WorkerDebuggers } from '../../../../src/devtools/workers/workerDebuggers';
import { activate, type Placed } from '../../../../src/push/activate/activate';
import { type BrowserSnapshot, type Needs, needsOfLoad, takeSnapshot } from '../../../../src/push/activate/snapshot';
import type { StagedBuild } from '../../../../src/push/place/place';
import { silentLogger } from '../../../../src/service/logger';
import { EXTENSIONS_ROOT } from '../../../support/extensionsRoot';
import { LoadRefusedError } from '../../../../src/devtools/protocol/loadRefused';
import { MemoryChromium } from '../../../standins/memoryChromium';
import { memoryMachine } from '../../../standins/memoryMachine';
import { MemoryService } from '../../../standins/memoryService';
import { isCallOf } from '../../../support/calledInPage';
import { TestClock } from '../../../support/testClock';
import { preparedOf } from '../../../transcripts/build';
import { deliveryOf } from '../../../transcripts/scenario';
import { build } from '../../../transcripts/scenarios';

const PATH = `${EXTENSIONS_ROOT}/sample`;
const ID = MemoryChromium.idOf(PATH);
const PAGE = `chrome-extension://${ID}/page.html`;

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

describe('the activation of a build', function () {
  this.timeout(TEST_LIMIT_MS);
  let clock: TestClock;
  let service: MemoryService;
  let chromium: MemoryChromium;
  let debuggers: WorkerDebuggers;
  let link: BrowserLink;
  let logged: string[];
  /** What was done to the staged files. */
  let staging: string[];

  beforeEach(async () => {
    clock = new TestClock();
    service = new MemoryService(clock);
    service.write({
      'sample/manifest.json': JSON.stringify({
        name: 'Sample',
        version: '1.0',
        background: { service_worker: 'worker.js' },
      }),
      'sample/worker.js': '1;\n',
    });
    chromium = new MemoryChromium(service);
    debuggers = new WorkerDebuggers();
    logged = [];
    staging = [];
    chromium.load(PATH);
    link = await chromium.link(clock, {}, debuggers);
    await clock.run(link.prepare());
    chromium.acts.length = 0;
  });

  afterEach(() => {
    link.close();
  });

  const staged = (restarted = false): StagedBuild => ({
    restarted,
    rollback: async () => {
      await clock.delay(20);
      staging.push('rollback');
      chromium.acts.push('rollback');
    },
    commit: () => Promise.resolve(),
    keep: () => Promise.resolve(undefined),
  });

  const placed = async (snapshot: BrowserSnapshot, more: Partial<Placed> = {}): Promise<Placed> => {
    const prepared = await preparedOf(build(1), 0);
    const note = (text: string): void => {
      logged.push(text);
    };
    const browser = memoryMachine(service, clock, { ...silentLogger, warn: note, info: note });
    return {
      delivery: deliveryOf(browser, 'sample', prepared, {}),
      archive: prepared.archive,
      path: PATH,
      loaded: chromium.extensions[0],
      previous: undefined,
      staged: staged(),
      snapshot,
      ...more,
    };
  };

  /** The extension's page in a tab, which leaves and comes back as the browser is asked to. */
  const openPage = async (targetId = 'tab'): Promise<void> => {
    chromium.show(targetId, PAGE);
    chromium.on('Page.getNavigationHistory', () => ({ currentIndex: 0, entries: [{ id: 1 }] }));
    chromium.on('Page.navigateToHistoryEntry', ({ target = '' }) => {
      chromium.navigate(target, PAGE);
      return {};
    });
    await clock.idle();
  };

  const snapshotOf = (needs: Needs): Promise<BrowserSnapshot> => clock.run(takeSnapshot(link, ID, needs));

  it('counts only the worker that starts after it: one that started between is forgotten', async () => {
    const snapshot = await snapshotOf(RELOAD);
    // As after a restart, when Chromium starts the worker of the files before, which may outlive the reload.
    chromium.attach('earlier', `chrome-extension://${ID}/worker.js`, 'service_worker', true);
    await clock.idle();
    // The new one takes its time.
    chromium.workers.push('absent');
    await clock.run(activate(link, await placed(snapshot)));
    let start: string | undefined;
    void snapshot.watch?.started(ID).then(({ state }) => (start = state));
    await clock.advance(500);
    assert.equal(start, undefined, 'The worker of before counts.');
    chromium.load(PATH);
    await clock.idle();
    assert.equal(start, 'running');
    await snapshot.dispose();
  });

  it('has the pages leave before the reload, and brings them back', async () => {
    await openPage();
    const { finish } = await clock.run(activate(link, await placed(await snapshotOf(RELOAD))));
    await clock.run(finish());
    assert.deepEqual(chromium.acts, ['show about:blank in tab', 'pause errors', 'reload', `show ${PAGE} in tab`]);
  });

  it('opens a page again in another tab when its own was closed by the reload', async () => {
    await openPage();
    const snapshot = await snapshotOf(RELOAD);
    chromium.remove('tab');
    const { finish } = await clock.run(activate(link, await placed(snapshot)));
    await clock.run(finish());
    const opened = chromium.received.filter(
      ({ method, params }) => method === 'Target.createTarget' && params['url'] === PAGE,
    );
    assert.deepEqual(
      opened.map(({ params }) => params),
      [{ url: PAGE, background: true }],
    );
  });

  it('releases the debugged worker before a load, and has it pause again when Chromium refuses', async () => {
    debuggers.add({
      extensionId: ID,
      pausedAt: () => undefined,
      isPagePaused: () => false,
      release: () => clock.delay(20).then(() => void chromium.acts.push('release')),
      restore: () => Promise.resolve(void chromium.acts.push('restore')),
      untilReady: () => Promise.resolve(),
    });
    const { finish } = await clock.run(activate(link, await placed(await snapshotOf({ ...RELOAD, reload: 'load' }))));
    await clock.run(finish());
    assert.deepEqual(chromium.acts, ['release', 'pause errors', 'load sample']);
    chromium.acts.length = 0;
    chromium.refusals.push('no');
    const again = await placed(await snapshotOf({ ...RELOAD, reload: 'load' }));
    await assert.rejects(clock.run(activate(link, again)), LoadRefusedError);
    assert.deepEqual(chromium.acts, ['release', 'pause errors', 'load sample', 'rollback', 'restore']);
  });

  it('has hidden pages of the extension closed before the reload, since their process would refuse the new worker’s calls', async () => {
    chromium.show('hidden', `chrome-extension://${ID}/manifest.json?sideload`, 'other');
    chromium.on('Target.closeTarget', async ({ params }) => {
      await clock.delay(20);
      chromium.acts.push(`close ${String(params['targetId'])}`);
      return {};
    });
    await clock.idle();
    const { snapshot } = await clock.run(activate(link, await placed(await snapshotOf(RELOAD))));
    assert.deepEqual(chromium.acts, ['close hidden', 'pause errors', 'reload']);
    await snapshot.dispose();
  });

  it('waits for the page that keeps the process, while that is still one of the extension', async () => {
    chromium.on('Page.navigate', async ({ target = '', params }) => {
      await clock.delay(100);
      chromium.acts.push(`keep ${String(params['url']).replace(ID, 'ID')}`);
      chromium.navigate(target, String(params['url']));
      return {};
    });
    void link.processes.keep(ID);
    await clock.idle();
    const { snapshot } = await clock.run(activate(link, await placed(await snapshotOf(RELOAD))));
    assert.deepEqual(chromium.acts, [
      'keep chrome-extension://ID/manifest.json',
      'keep about:blank',
      'pause errors',
      'reload',
    ]);
    await snapshot.dispose();
  });

  describe('after a restart for it', () => {
    const AFTER_RESTART: Needs = { ...RELOAD, reload: 'load', isAfterRestart: true, loadAhead: PATH };
    const loads = (): string[] => chromium.acts.filter((act) => act.startsWith('load'));

    it('begins with the watch, without a trip between them, and counts the worker of that load', async () => {
      const before = chromium.received.length;
      const taking = takeSnapshot(link, undefined, AFTER_RESTART);
      assert.deepEqual(
        chromium.received.slice(before).map(({ method }) => method),
        ['Target.setAutoAttach', 'Extensions.loadUnpacked'],
      );
      const snapshot = await clock.run(taking);
      const { extensionId } = await clock.run(activate(link, await placed(snapshot, { loaded: undefined })));
      assert.deepEqual([extensionId, loads()], [ID, ['load sample']]);
      assert.equal((await clock.run(snapshot.watch?.started(ID) ?? Promise.resolve(undefined)))?.state, 'running');
      await snapshot.dispose();
    });

    it('takes the files back when Chromium refuses them', async () => {
      chromium.refusals.push('no');
      const snapshot = await clock.run(takeSnapshot(link, undefined, AFTER_RESTART));
      const activating = activate(link, await placed(snapshot, { loaded: undefined, staged: staged(true) }));
      await assert.rejects(clock.run(activating), LoadRefusedError);
      assert.deepEqual(staging, ['rollback']);
    });

    for (const [title, id, needs] of [
      ['whose pages have to leave before', ID, AFTER_RESTART],
      ['that waits for leave to use localhost', undefined, { ...AFTER_RESTART, loadAhead: undefined }],
      ['without a restart', undefined, { ...AFTER_RESTART, isAfterRestart: false }],
    ] as const) {
      it(`does not begin with the watch for an extension ${title}`, async () => {
        const snapshot = await clock.run(takeSnapshot(link, id, needs));
        assert.deepEqual(loads(), []);
        await snapshot.dispose();
      });
    }
  });

  describe('with a side panel open', () => {
    /** How often panels were opened. */
    const openings = (): number =>
      chromium.received.filter(({ params }) => isCallOf(params['expression'], reopenPanels)).length;

    /** A snapshot of a browser with a panel open. */
    const withPanel = async (needs: Needs): Promise<BrowserSnapshot> => {
      chromium.show('panel', `chrome-extension://${ID}/panel.html`);
      await clock.idle();
      const snapshot = await snapshotOf(needs);
      snapshot.sidePanels = [{ targetId: 'panel', howToOpen: '{}' }];
      return snapshot;
    };

    it('opens it again when the worker has had its time, and not before', async () => {
      const { finish } = await clock.run(activate(link, await placed(await withPanel(RELOAD))));
      assert.equal(openings(), 0);
      await clock.run(finish());
      assert.equal(openings(), 1);
    });

    it('does not open it again when the user has closed it while the files were sent', async () => {
      const snapshot = await withPanel(RELOAD);
      chromium.remove('panel');
      await clock.idle();
      const { finish } = await clock.run(activate(link, await placed(snapshot)));
      await clock.run(finish());
      assert.equal(openings(), 0);
    });

    it('opens it again when Chromium refuses the build, too', async () => {
      chromium.refusals.push('no');
      await assert.rejects(clock.run(activate(link, await placed(await withPanel(RELOAD)))), LoadRefusedError);
      assert.equal(openings(), 1);
    });
  });

  it('that a fast reload refuses restores the files, and then loads them, which that has disabled', async () => {
    await openPage();
    chromium.refusals.push('no');
    const snapshot = await snapshotOf(RELOAD);
    await assert.rejects(clock.run(activate(link, await placed(snapshot))), LoadRefusedError);
    assert.deepEqual(chromium.acts.slice(1), [
      'pause errors',
      'reload',
      'rollback',
      'load sample',
      `show ${PAGE} in tab`,
    ]);
    assert.equal(chromium.extensions[0]?.enabled, true);
  });

  it('that a load refuses leaves the previous build running, which need not be loaded', async () => {
    chromium.refusals.push('no');
    const snapshot = await snapshotOf({ ...RELOAD, reload: 'load' });
    await assert.rejects(clock.run(activate(link, await placed(snapshot))), LoadRefusedError);
    assert.deepEqual(chromium.acts, ['pause errors', 'load sample', 'rollback']);
  });

  it('that is refused after a restart has the previous build loaded, which the restart has not', async () => {
    chromium.refusals.push('no');
    const snapshot = await snapshotOf({ ...RELOAD, reload: 'load' });
    await assert.rejects(clock.run(activate(link, await placed(snapshot, { staged: staged(true) }))), LoadRefusedError);
    assert.deepEqual(chromium.acts.slice(-2), ['rollback', 'load sample']);
  });

  it('leaves nothing attached to when it fails', async () => {
    await openPage();
    const sessions = chromium.sessions;
    chromium.refusals.push('no');
    const snapshot = await snapshotOf({ ...RELOAD, reload: 'load' });
    await assert.rejects(clock.run(activate(link, await placed(snapshot))), LoadRefusedError);
    await clock.advance(5000);
    assert.equal(chromium.sessions, sessions);
  });

  it('fails with the error itself when that is none of Chromium’s, and restores no files for it', async () => {
    const snapshot = await snapshotOf({ ...RELOAD, reload: 'load' });
    chromium.on('Extensions.loadUnpacked', () => {
      chromium.lose();
      return undefined;
    });
    await assert.rejects(
      clock.run(activate(link, await placed(snapshot))),
      (error) => !(error instanceof LoadRefusedError),
    );
    assert.deepEqual(staging, []);
  });

  it('enables an extension that is disabled, and says so', async () => {
    const loaded = { ...(chromium.extensions[0] ?? assert.fail()), enabled: false };
    chromium.on('Extensions.loadUnpacked', () => {
      for (const one of chromium.extensions) one.enabled = false;
      return { id: ID };
    });
    const snapshot = await snapshotOf(RELOAD);
    const { enabled } = await clock.run(activate(link, await placed(snapshot, { loaded })));
    await clock.run(enabled);
    assert.deepEqual(chromium.acts, ['pause errors', 'enable true']);
    assert.match(logged.join(), /was disabled in the browser; enabling it/);
    await snapshot.dispose();
  });

  it('of a first build asks for Developer mode before the load', async () => {
    const snapshot = await clock.run(
      takeSnapshot(link, undefined, needsOfLoad('visible', (await preparedOf(build(1), 0)).manifest)),
    );
    const { extensionId } = await clock.run(activate(link, await placed(snapshot, { loaded: undefined })));
    assert.equal(extensionId, ID);
    assert.deepEqual(chromium.acts, ['load sample']);
    await snapshot.dispose();
  });

  it('takes its snapshot again when the browser was restarted after it', async () => {
    const before = await snapshotOf(RELOAD);
    chromium.lose();
    const now = await chromium.link(clock, {}, debuggers);
    await clock.run(now.prepare());
    const { snapshot } = await clock.run(activate(now, await placed(before)));
    assert.equal(snapshot.link, now);
    // It may have read files of both builds, so a fast reload is not enough.
    assert.deepEqual(chromium.acts, ['pause errors', 'load sample']);
    await snapshot.dispose();
    now.close();
  });

  it('of nothing reloads no page, in which something may have been typed', async () => {
    chromium.show('tab', PAGE);
    chromium.show('frame', PAGE, 'iframe');
    await clock.idle();
    const { finish } = await clock.run(activate(link, await placed(await snapshotOf({ ...RELOAD, reload: 'none' }))));
    await clock.run(finish());
    assert.deepEqual(chromium.acts, []);
    assert.ok(!chromium.methodsOf('tab').includes('Page.reload'));
    assert.ok(!chromium.received.some(({ params }) => params['expression'] === 'location.reload()'));
  });

  it('of pages alone reloads these, frames by themselves, and not the extension', async () => {
    chromium.show('tab', PAGE);
    chromium.show('frame', PAGE, 'iframe');
    await clock.idle();
    const { finish } = await clock.run(activate(link, await placed(await snapshotOf({ ...RELOAD, reload: 'pages' }))));
    await clock.run(finish());
    assert.deepEqual(chromium.acts, []);
    assert.ok(chromium.methodsOf('tab').includes('Page.reload'));
    assert.ok(!chromium.methodsOf('frame').includes('Page.reload'));
    const reloads = chromium.received.filter(({ params }) => params['expression'] === 'location.reload()');
    assert.deepEqual(
      reloads.map(({ target }) => target),
      ['frame'],
    );
  });
});
