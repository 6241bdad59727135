import assert from 'node:assert/strict';
import { attach } from '../../../../src/devtools/protocol/attach';
import type { CDPSession } from '../../../../src/devtools/protocol/connect';
import { untilZoomed } from '../../../../src/devtools/screen/pageZoom';
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
