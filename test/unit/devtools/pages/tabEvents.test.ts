import assert from 'node:assert/strict';
import type { BrowserLink } from '../../../../src/devtools/connection/link';
import { listenedTabEvents, openAndCloseTab } from '../../../../src/devtools/pages/tabEvents';
import { ScriptedBrowser } from '../../../standins/scriptedBrowser';
import { TestClock } from '../../../support/testClock';

const ID = 'a'.repeat(32);

describe('the events of tabs that a worker listens to', () => {
  let browser: ScriptedBrowser;
  let clock: TestClock;
  let link: BrowserLink;
  /** What each worker says of `onCreated`, `onUpdated` and `onRemoved`; one that has ended does not answer. */
  const answers = new Map<string, boolean[]>();

  beforeEach(async () => {
    browser = new ScriptedBrowser();
    clock = new TestClock();
    answers.clear();
    browser.onEvaluate((_expression, { target = '' }) => answers.get(target));
    link = await browser.link(clock);
  });

  afterEach(() => {
    link.close();
  });

  const worker = (targetId: string, answer?: boolean[]): void => {
    browser.show(targetId, `chrome-extension://${ID}/worker.js`, 'service_worker');
    if (answer) answers.set(targetId, answer);
  };

  it('are those of the worker that answers, at once, though one that has ended is listed before it', async () => {
    worker('ended');
    worker('running', [false, true, true]);
    assert.deepEqual(await clock.run(listenedTabEvents(link, ID)), ['onUpdated', 'onRemoved']);
    assert.equal(clock.now(), 0);
    await clock.advance(1000);
    assert.equal(browser.sessions, 0, 'a worker is still attached to');
  });

  it('are none when no worker runs, or none answers', async () => {
    assert.deepEqual(await clock.run(listenedTabEvents(link, ID)), []);
    worker('ended');
    assert.deepEqual(await clock.run(listenedTabEvents(link, ID)), []);
    assert.equal(browser.sessions, 0, 'a worker is still attached to');
  });
});

describe('the tab that causes events of tabs', () => {
  it('is open until extensions have had the time to ask about it', async () => {
    const browser = new ScriptedBrowser();
    const clock = new TestClock();
    const link = await browser.link(clock);
    const closing = openAndCloseTab(link);
    await clock.advance(500);
    assert.ok(!browser.methodsOf(undefined).includes('Target.closeTarget'));
    await clock.run(closing);
    assert.ok(browser.methodsOf(undefined).includes('Target.closeTarget'));
    link.close();
  });
});
