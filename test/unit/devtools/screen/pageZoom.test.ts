import assert from 'node:assert/strict';
import { attach } from '../../../../src/devtools/protocol/attach';
import type { CDPSession } from '../../../../src/devtools/protocol/connect';
import { isTurnPrevented, untilZoomed } from '../../../../src/devtools/screen/pageZoom';
import { ScriptedBrowser } from '../../../standins/scriptedBrowser';
import { TestClock } from '../../../support/testClock';

describe('the zoom of a page', () => {
  let browser: ScriptedBrowser;
  let clock: TestClock;
  let session: CDPSession;

  /** The page has these zooms, one after the other, and then the last of them. */
  const zooms = (...factors: number[]): void => {
    browser.on('Page.getLayoutMetrics', () => ({
      cssVisualViewport: { zoom: factors.length > 1 ? factors.shift() : factors[0] },
    }));
  };
  const asked = (): number => browser.methodsOf('page').filter((method) => method === 'Page.getLayoutMetrics').length;

  beforeEach(async () => {
    browser = new ScriptedBrowser();
    clock = new TestClock();
    browser.show('page', 'https://example.com/', 'page');
    const { connection } = await browser.link(clock);
    session = (await attach(connection, 'page')) ?? assert.fail('the page has no session');
  });

  afterEach(() => {
    browser.close();
  });

  it('is awaited until the page has it, which comes after the browser has confirmed it', async () => {
    zooms(1.5, 1.5, 1.5, 1);
    await clock.run(untilZoomed(session, 100, clock));
    assert.equal(asked(), 4);
  });

  it('is awaited for three seconds where the browser gives another one', async () => {
    zooms(5);
    await clock.run(untilZoomed(session, 700, clock));
    assert.ok(clock.now() >= 3000 && clock.now() < 3100, String(clock.now()));
  });
});

describe('the wheel with Control', () => {
  let browser: ScriptedBrowser;
  let clock: TestClock;
  let session: CDPSession;
  let turns: number;

  /** Turns it over a page that listens as `listens` says, and answers with `handled`: not at all for undefined. */
  async function isHandled(listens: object | Error | undefined, handled: boolean | undefined): Promise<boolean> {
    browser.on('DOM.getNodeForLocation', () => listens);
    browser.on('Page.createIsolatedWorld', () => ({ executionContextId: 7 }));
    // The first one listens.
    browser.onEvaluate(() => (turns === 0 ? null : handled));
    const turn = (): Promise<void> => {
      turns += 1;
      return Promise.resolve();
    };
    return await clock.run(isTurnPrevented(session, { x: 1, y: 1 }, turn, clock));
  }

  beforeEach(async () => {
    browser = new ScriptedBrowser();
    clock = new TestClock();
    turns = 0;
    browser.show('page', 'https://example.com/', 'page');
    const { connection } = await browser.link(clock);
    session = (await attach(connection, 'page')) ?? assert.fail('the page has no session');
  });

  afterEach(() => {
    assert.equal(turns, 1);
    browser.close();
  });

  it('is handled by a page that prevents what it does, and by no other one', async () => {
    assert.equal(await isHandled({ frameId: 'top' }, true), true);
    turns = 0;
    assert.equal(await isHandled({ frameId: 'top' }, false), false);
  });

  it('is for the browser where the page has nothing that could listen', async () => {
    assert.equal(await isHandled(new Error('No node found at given location'), undefined), false);
  });

  it('is left to a page that answers late, before the turn or after it: it would be zoomed as well', async () => {
    assert.equal(await isHandled(undefined, undefined), true);
    turns = 0;
    assert.equal(await isHandled({ frameId: 'top' }, undefined), true);
  });
});
