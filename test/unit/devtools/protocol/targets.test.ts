import assert from 'node:assert/strict';
import { connectDevTools } from '../../../../src/devtools/protocol/connect';
import { Targets } from '../../../../src/devtools/protocol/targets';
import { ScriptedBrowser } from '../../../standins/scriptedBrowser';
import { TestClock } from '../../../support/testClock';
import { IN_MEMORY } from '../../../support/devToolsAddress';

const EXTENSION = `chrome-extension://${'a'.repeat(32)}`;

/** How long changes are collected, in milliseconds. */
const COALESCE_MS = 300;

/** After this time the pages have their titles, in milliseconds. */
const TITLE_MS = 2000;

describe('the targets of a browser', () => {
  let browser: ScriptedBrowser;
  let clock: TestClock;
  let targets: Targets;
  let calls: number;

  beforeEach(async () => {
    browser = new ScriptedBrowser();
    clock = new TestClock();
    browser.show('page', 'https://site.test/', 'page');
    browser.show('worker', `${EXTENSION}/worker.js`, 'service_worker');
    calls = 0;
    const open = (): Promise<ScriptedBrowser> => Promise.resolve(browser);
    const connection = await connectDevTools(IN_MEMORY, undefined, undefined, open);
    targets = new Targets(connection, () => (calls += 1), COALESCE_MS, clock);
    await targets.list();
    await clock.advance(0);
  });
  afterEach(() => {
    browser.close();
  });

  /** How many calls there are until pages have been collected, and until they have their titles. */
  async function callsAfter(change: () => void): Promise<[number, number]> {
    change();
    const before = calls;
    await clock.advance(COALESCE_MS);
    const collected = calls - before;
    await clock.advance(TITLE_MS);
    return [collected, calls - before];
  }

  async function listed(): Promise<string[]> {
    return (await targets.list()).map(({ targetId }) => targetId).toSorted();
  }

  it('are known when they were there before, without a call', async () => {
    await clock.advance(COALESCE_MS + TITLE_MS);
    assert.deepEqual(await listed(), ['page', 'worker']);
    assert.equal(calls, 0);
  });

  it('calls when a page is opened, and once more for its title', async () => {
    assert.deepEqual(await callsAfter(() => browser.show('new', 'https://site.test/new', 'page')), [1, 2]);
    assert.deepEqual(await listed(), ['new', 'page', 'worker']);
  });

  it('calls when a page is closed, and lists it no more', async () => {
    assert.deepEqual(await callsAfter(() => browser.remove('page')), [1, 2]);
    assert.deepEqual(await listed(), ['worker']);
  });

  it('calls when a page shows another address', async () => {
    assert.deepEqual(await callsAfter(() => browser.show('page', 'https://other.test/')), [1, 2]);
    assert.equal((await targets.list()).find(({ targetId }) => targetId === 'page')?.url, 'https://other.test/');
  });

  it('calls once for many changes in quick succession', async () => {
    const change = (): void => {
      for (let count = 0; count < 5; count++) browser.show(`new ${count}`, 'https://site.test/', 'page');
      browser.remove('new 0');
    };
    assert.deepEqual(await callsAfter(change), [1, 2]);
  });

  it('does not call for workers, whose coming and going is reported elsewhere', async () => {
    const change = (): void => {
      browser.show('another', `${EXTENSION}/worker.js`, 'service_worker');
      browser.remove('worker');
    };
    assert.deepEqual(await callsAfter(change), [0, 0]);
    assert.deepEqual(await listed(), ['another', 'page']);
  });

  it('calls for frames and background pages of extensions, not for those of sites', async () => {
    assert.deepEqual(await callsAfter(() => browser.show('frame', 'https://site.test/frame', 'iframe')), [0, 0]);
    assert.deepEqual(await callsAfter(() => browser.show('frame', `${EXTENSION}/frame.html`)), [1, 2]);
    assert.deepEqual(await callsAfter(() => browser.remove('frame')), [1, 2]);
    const offscreen = `${EXTENSION}/offscreen.html`;
    assert.deepEqual(await callsAfter(() => browser.show('hidden', offscreen, 'background_page')), [1, 2]);
  });

  it('calls for a title, but not for that of a page that somebody attaches to', async () => {
    const told = { targetId: 'page', type: 'page', url: 'https://site.test/', attached: false };
    const tell = (change: object): (() => void) => {
      return () => browser.event('Target.targetInfoChanged', { targetInfo: { ...told, ...change } });
    };
    assert.deepEqual(await callsAfter(tell({ title: 'Site' })), [1, 2]);
    assert.deepEqual(await callsAfter(tell({ title: 'Site, read', attached: true })), [0, 0]);
    assert.deepEqual(await callsAfter(tell({ title: 'Site, read again', attached: true })), [1, 2]);
  });

  it('rejects when the connection is lost before they are known', async () => {
    const silent = new ScriptedBrowser().on('Target.setDiscoverTargets', () => undefined);
    const lost = await connectDevTools(IN_MEMORY, undefined, undefined, () => Promise.resolve(silent));
    const list = new Targets(lost, () => undefined, COALESCE_MS, clock).list();
    silent.lose();
    await assert.rejects(list, /closed/i);
  });
});
