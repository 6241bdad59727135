import assert from 'node:assert/strict';
import { connectDevTools, type Connection } from '../../../../src/devtools/protocol/connect';
import { KeptProcesses } from '../../../../src/devtools/connection/keptProcesses';
import { ScriptedBrowser } from '../../../standins/scriptedBrowser';
import { TestClock } from '../../../support/testClock';
import { IN_MEMORY } from '../../../support/devToolsAddress';

/** How long a test of milliseconds may take on a busy machine, in milliseconds. */
const TEST_LIMIT_MS = 30_000;

const ID = 'a'.repeat(32);

describe('the processes that are kept over reloads', function () {
  this.timeout(TEST_LIMIT_MS);
  let browser: ScriptedBrowser;
  let clock: TestClock;
  let connection: Connection;
  let processes: KeptProcesses;
  /** Whether pages come when they are asked to. */
  let isQuick: boolean;

  beforeEach(async () => {
    isQuick = true;
    browser = new ScriptedBrowser();
    browser.on('Page.navigate', ({ target = '', params }) => {
      if (isQuick) browser.event('Page.frameNavigated', { frame: { id: target, url: params['url'] } }, target);
      return {};
    });
    clock = new TestClock();
    connection = await connectDevTools(IN_MEMORY, undefined, undefined, () => Promise.resolve(browser));
    processes = new KeptProcesses(connection, clock);
  });

  afterEach(() => {
    connection.dispose();
  });

  const count = (method: string): number => browser.received.filter((command) => command.method === method).length;

  it('are those of extensions whose page has become blank, which nothing is attached to', async () => {
    await processes.keep(ID);
    const shown = browser.received
      .filter(({ method }) => method === 'Page.navigate')
      .map(({ params }) => params['url']);
    assert.deepEqual(shown, [`chrome-extension://${ID}/manifest.json`, 'about:blank']);
    assert.deepEqual([count('Target.createTarget'), count('Target.closeTarget'), browser.sessions], [1, 0, 0]);
    assert.ok(processes.holds('created-1'));
  });

  it('are kept once, however often that is asked for', async () => {
    await Promise.all([processes.keep(ID), processes.keep(ID)]);
    await processes.keep(ID);
    assert.equal(count('Target.createTarget'), 1);
  });

  it('end when they are released, and can be kept again before the browser has closed their page', async () => {
    browser.on('Target.closeTarget', () => ({ success: true }));
    await processes.keep(ID);
    await processes.release(ID);
    assert.equal(count('Target.closeTarget'), 1);
    assert.equal(processes.holds('created-1'), false);
    await processes.keep(ID);
    assert.equal(count('Target.createTarget'), 2);
  });

  it('are kept again after their page was closed or has crashed', async () => {
    await processes.keep(ID);
    browser.remove('created-1');
    await clock.idle();
    await processes.keep(ID);
    browser.event('Target.targetCrashed', { targetId: 'created-3', status: 'killed', errorCode: 9 });
    await clock.idle();
    assert.equal(count('Target.closeTarget'), 1);
    await processes.keep(ID);
    assert.equal(count('Target.createTarget'), 3);
  });

  it('hold no reload up for longer than a second, and are given up then', async () => {
    isQuick = false;
    const keeping = processes.keep(ID);
    let isSettled = false;
    void processes.settled(ID).then(() => (isSettled = true));
    await clock.advance(999);
    assert.equal(isSettled, false);
    await clock.advance(1);
    assert.equal(isSettled, true);
    assert.equal(processes.holds('created-1'), false);
    await clock.advance(10_000);
    await keeping;
    assert.equal(count('Target.closeTarget'), 1);
  });

  it('are not those of an extension that shows an error page', async () => {
    browser.on('Page.navigate', ({ target = '', params }) => {
      const isOurs = String(params['url']).startsWith('chrome-extension:');
      const frame = { id: target, url: params['url'], ...(isOurs && { unreachableUrl: params['url'] }) };
      browser.event('Page.frameNavigated', { frame }, target);
      return {};
    });
    await processes.keep(ID);
    assert.equal(count('Target.closeTarget'), 1);
  });
});
