import assert from 'node:assert/strict';
import { connectDevTools, type Connection } from '../../../../src/devtools/protocol/connect';
import { KeptTab } from '../../../../src/devtools/pages/keptTab';
import { ScriptedBrowser } from '../../../standins/scriptedBrowser';
import { TestClock } from '../../../support/testClock';
import { IN_MEMORY } from '../../../support/devToolsAddress';

const PAGE = { targetId: 'tab', url: `chrome-extension://${'a'.repeat(32)}/page.html` };

/** How long a page may take to leave or to come, in milliseconds. */
const LIMIT_MS = 3000;

/** How long a test of milliseconds may take on a busy machine, in milliseconds. */
const TEST_LIMIT_MS = 30_000;

describe('a tab that is kept over a reload', function () {
  this.timeout(TEST_LIMIT_MS);
  let browser: ScriptedBrowser;
  let clock: TestClock;
  let connection: Connection;

  beforeEach(async () => {
    browser = new ScriptedBrowser();
    browser.show(PAGE.targetId, PAGE.url);
    browser.on('Page.getNavigationHistory', () => ({
      currentIndex: 1,
      entries: [{ id: 4 }, { id: 7 }, { id: 9 }],
    }));
    clock = new TestClock();
    connection = await connectDevTools(IN_MEMORY, undefined, undefined, () => Promise.resolve(browser));
  });

  afterEach(() => {
    connection.dispose();
  });

  /** The main frame shows an address, or another frame does, or an error page. */
  const navigated = (url: string, more: object = {}): void => {
    browser.event('Page.frameNavigated', { frame: { id: 'tab', url, ...more } }, 'tab');
  };

  /** What a promise resolves to, as far as it has. */
  const outcomeOf = <T>(promise: Promise<T>): (() => T | string | undefined) => {
    let outcome: T | string | undefined;
    promise.then(
      (value) => (outcome = value),
      (error: unknown) => (outcome = String(error)),
    );
    return () => outcome;
  };

  const isDone = (promise: Promise<void>): (() => unknown) => outcomeOf(promise.then(() => 'done'));

  it('leaves once its main frame is blank, not when the command is answered', async () => {
    const tab = await KeptTab.of(connection, PAGE, clock);
    const left = isDone(tab.leave());
    await clock.advance(100);
    assert.deepEqual(browser.received.at(-1)?.params, { url: 'about:blank' });
    assert.equal(left(), undefined);
    navigated('about:blank', { parentId: 'other' });
    navigated(PAGE.url);
    await clock.idle();
    assert.equal(left(), undefined);
    navigated('about:blank');
    await clock.idle();
    assert.equal(left(), 'done');
  });

  it('is left at last when it does not go in time', async () => {
    const tab = await KeptTab.of(connection, PAGE, clock);
    const left = isDone(tab.leave());
    await clock.advance(LIMIT_MS - 1);
    assert.equal(left(), undefined);
    await clock.advance(1);
    assert.equal(left(), 'done');
  });

  it('answers the question whether it may be left, and no other', async () => {
    await KeptTab.of(connection, PAGE, clock);
    for (const type of ['alert', 'confirm', 'prompt']) browser.event('Page.javascriptDialogOpening', { type }, 'tab');
    await clock.idle();
    assert.ok(!browser.methodsOf('tab').includes('Page.handleJavaScriptDialog'));
    browser.event('Page.javascriptDialogOpening', { type: 'beforeunload' }, 'tab');
    await clock.idle();
    assert.deepEqual(browser.received.at(-1)?.params, { accept: true });
  });

  it('comes back by the entry of its history that it had, so that nothing of that is lost', async () => {
    const tab = await KeptTab.of(connection, PAGE, clock);
    const back = outcomeOf(tab.comeBack());
    await clock.idle();
    assert.deepEqual(browser.received.at(-1)?.params, { entryId: 7 });
    navigated('about:blank');
    await clock.idle();
    assert.equal(back(), undefined);
    navigated(PAGE.url);
    await clock.idle();
    assert.equal(back(), true);
    assert.ok(!browser.methodsOf('tab').includes('Page.navigate'));
  });

  it('comes back by its address when that entry is gone', async () => {
    browser.on('Page.navigateToHistoryEntry', () => new Error('No entry with passed id'));
    const tab = await KeptTab.of(connection, PAGE, clock);
    const back = outcomeOf(tab.comeBack());
    await clock.idle();
    assert.deepEqual(browser.received.at(-1)?.params, { url: PAGE.url });
    navigated(PAGE.url);
    await clock.idle();
    assert.equal(back(), true);
  });

  it('is not back when it shows an error page, by its entry and by its address', async () => {
    const tab = await KeptTab.of(connection, PAGE, clock);
    const back = outcomeOf(tab.comeBack());
    for (const method of ['Page.navigateToHistoryEntry', 'Page.navigate']) {
      await clock.idle();
      assert.equal(browser.received.at(-1)?.method, method);
      navigated('chrome-error://chromewebdata/', { unreachableUrl: PAGE.url });
    }
    await clock.idle();
    assert.equal(back(), false);
  });

  it('is not back when it was closed meanwhile, and leaves without an error then', async () => {
    const tab = await KeptTab.of(connection, PAGE, clock);
    browser.remove('tab');
    await clock.idle();
    const [left, back] = [isDone(tab.leave()), outcomeOf(tab.comeBack())];
    await clock.idle();
    assert.deepEqual([left(), back()], ['done', false]);
  });

  it('is none when it was closed before', async () => {
    browser.remove('tab');
    await assert.rejects(KeptTab.of(connection, PAGE, clock), /No target/);
  });

  it('is let go when its history cannot be read', async () => {
    browser.on('Page.getNavigationHistory', () => new Error('not attached'));
    await assert.rejects(KeptTab.of(connection, PAGE, clock), /not attached/);
    await clock.idle();
    assert.equal(browser.sessions, 0);
  });

  it('is detached from when it is released', async () => {
    const tab = await KeptTab.of(connection, PAGE, clock);
    assert.equal(browser.sessions, 1);
    await tab.held.release();
    assert.equal(browser.sessions, 0);
  });
});
