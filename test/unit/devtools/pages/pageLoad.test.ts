import assert from 'node:assert/strict';
import { whenLoaded, LOAD_LIMIT_MS, type OpenedPage } from '../../../../src/devtools/pages/pageLoad';
import type { BrowserLink } from '../../../../src/devtools/connection/link';
import { ScriptedBrowser } from '../../../standins/scriptedBrowser';
import { TestClock } from '../../../support/testClock';

const PAGE = `chrome-extension://${'a'.repeat(32)}/options.html`;
const SITE = 'https://example.com/';

/** How long a test of milliseconds may take on a busy machine, in milliseconds. */
const TEST_LIMIT_MS = 30_000;

describe('whether a page has loaded', function () {
  this.timeout(TEST_LIMIT_MS);
  let browser: ScriptedBrowser;
  let clock: TestClock;
  let link: BrowserLink;
  /** What each target says of itself: its address once it has loaded. */
  let loaded: Map<string, string>;

  beforeEach(async () => {
    browser = new ScriptedBrowser();
    loaded = new Map();
    browser.onEvaluate((_expression, { target = '' }) => loaded.get(target) ?? '');
    clock = new TestClock();
    link = await browser.link(clock);
  });

  afterEach(() => {
    link.close();
  });

  /** Opens a page, of which the browser tells before it answers the command. */
  const show = async (...target: Parameters<ScriptedBrowser['show']>): Promise<void> => {
    browser.show(...target);
    await clock.idle();
  };

  /** Begins to wait, and tells what the outcome is so far. */
  const wait = (page: OpenedPage, signal?: AbortSignal): (() => string | undefined) => {
    let outcome: string | undefined;
    whenLoaded(link, page, signal).then(
      (load) => (outcome = load),
      (error: unknown) => (outcome = String(error)),
    );
    return () => outcome;
  };

  it('is known when its document is complete, not before', async () => {
    await show('tab', SITE);
    const outcome = wait({ url: SITE, targetId: 'tab' });
    await clock.advance(3000);
    assert.equal(outcome(), undefined);
    loaded.set('tab', SITE);
    await clock.advance(100);
    assert.equal(outcome(), 'loaded');
    assert.equal(browser.sessions, 0, 'it is still attached to');
  });

  it('is not so for the empty document before the first one', async () => {
    await show('tab', '');
    loaded.set('tab', 'about:blank');
    const outcome = wait({ url: SITE, targetId: 'tab' });
    await clock.advance(1000);
    assert.equal(outcome(), undefined);
    // A page that leads to another address counts, too.
    loaded.set('tab', `${SITE}login`);
    await clock.advance(100);
    assert.equal(outcome(), 'loaded');
  });

  it('is no after the limit, also for one that never comes', async () => {
    await show('tab', SITE);
    const [here, coming] = [wait({ url: SITE, targetId: 'tab' }), wait({ url: PAGE, mayCome: true })];
    await clock.advance(LOAD_LIMIT_MS - 100);
    assert.deepEqual([here(), coming()], [undefined, undefined]);
    await clock.advance(200);
    assert.deepEqual([here(), coming()], ['loading', 'loading']);
  });

  it('is no while it does not answer', async () => {
    await show('tab', SITE);
    browser.on('Runtime.evaluate', () => undefined);
    const outcome = wait({ url: SITE, targetId: 'tab' });
    await clock.advance(LOAD_LIMIT_MS - 100);
    assert.equal(outcome(), undefined);
    await clock.advance(2000);
    assert.equal(outcome(), 'loading');
  });

  it('waits for one that Chromium opens in a page of its own, whatever its query and hash are', async () => {
    const outcome = wait({ url: PAGE, mayCome: true });
    await clock.advance(1000);
    assert.equal(outcome(), undefined);
    browser.show('frame', `${PAGE}?a#b`, 'webview');
    await clock.advance(1000);
    assert.equal(outcome(), undefined);
    loaded.set('frame', `${PAGE}?a#b`);
    await clock.advance(100);
    assert.equal(outcome(), 'loaded');
  });

  it('has failed where Chromium shows an error page', async () => {
    await show('tab', SITE);
    loaded.set('tab', 'chrome-error://chromewebdata/');
    const outcome = wait({ url: SITE, targetId: 'tab' });
    await clock.advance(100);
    assert.equal(outcome(), 'failed');
  });

  it('ends with the page: a popup that has closed itself is not waited for', async () => {
    await show('popup', PAGE);
    const [seen, gone] = [wait({ url: PAGE }), wait({ url: SITE })];
    await clock.advance(500);
    assert.deepEqual([seen(), gone()], [undefined, 'loaded']);
    browser.remove('popup');
    await clock.advance(100);
    assert.equal(seen(), 'loaded');
  });

  it('is not asked of workers, nor of pages with other paths', async () => {
    browser.show('worker', PAGE, 'service_worker');
    browser.show('other', PAGE.replace('options', 'popup'));
    const outcome = wait({ url: PAGE, mayCome: true });
    await clock.advance(LOAD_LIMIT_MS + 100);
    assert.equal(outcome(), 'loading');
    assert.equal(browser.methodsOf('worker').length + browser.methodsOf('other').length, 0);
  });

  it('is no longer waited for after a cancellation', async () => {
    await show('tab', SITE);
    const abort = new AbortController();
    const outcome = wait({ url: SITE, targetId: 'tab' }, abort.signal);
    await clock.advance(100);
    abort.abort(new Error('cancelled'));
    await clock.advance(100);
    assert.equal(outcome(), 'Error: cancelled');
  });
});
