import assert from 'node:assert/strict';
import type { BrowserLink } from '../../../../src/devtools/connection/link';
import { findWorker } from '../../../../src/devtools/extensions/inject';
import { ScriptedBrowser } from '../../../standins/scriptedBrowser';
import { TestClock } from '../../../support/testClock';

const ID = 'a'.repeat(32);

describe('the worker of an extension that answers', () => {
  let browser: ScriptedBrowser;
  let clock: TestClock;
  let link: BrowserLink;
  /** After how many milliseconds each worker answers; one that is not here has ended. */
  const answersAfter = new Map<string, number>();

  beforeEach(async () => {
    browser = new ScriptedBrowser();
    clock = new TestClock();
    answersAfter.clear();
    browser.onEvaluate(async (_expression, { target = '' }) => {
      const ms = answersAfter.get(target);
      if (ms === undefined) return undefined;
      await clock.delay(ms);
      return true;
    });
    link = await browser.link(clock);
  });

  afterEach(() => {
    link.close();
  });

  const worker = (targetId: string, ms?: number): void => {
    browser.show(targetId, `chrome-extension://${ID}/worker.js`, 'service_worker');
    if (ms !== undefined) answersAfter.set(targetId, ms);
  };

  it('is found though one that has ended is listed before it', async () => {
    worker('ended');
    worker('running', 0);
    const session = await clock.run(findWorker(link.connection, ID, clock));
    assert.ok(session);
    await clock.advance(1000);
    assert.equal(browser.sessions, 1);
    await session.detach();
    assert.equal(browser.sessions, 0);
  });

  it('is the only one that stays attached to: another one, as of incognito windows, could not fall asleep', async () => {
    worker('incognito', 200);
    worker('running', 100);
    worker('elsewhere', 100);
    const session = await clock.run(findWorker(link.connection, ID, clock));
    assert.ok(session);
    assert.equal(clock.now(), 100);
    await clock.advance(200);
    assert.equal(browser.sessions, 1);
    await session.send('Runtime.enable');
    assert.equal(browser.received.at(-1)?.target, 'running');
  });

  it('is none where none answers', async () => {
    worker('ended');
    assert.equal(await clock.run(findWorker(link.connection, ID, clock)), undefined);
    assert.equal(browser.sessions, 0);
  });
});
