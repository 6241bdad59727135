import assert from 'node:assert/strict';
import { BrowserConnections } from '../../../../src/devtools/connection/browserConnections';
import type { Browser } from '../../../../src/service/model';
import { ScriptedBrowser } from '../../../standins/scriptedBrowser';
import { TestClock } from '../../../support/testClock';
import { REPLAYED } from '../../../transcripts/replayScenario';

describe('the hidden pages of a browser', () => {
  let clock: TestClock;
  let browsers: BrowserConnections;
  let opened: string[];

  const first: Browser = { ...REPLAYED, id: 'first' };
  const second: Browser = { ...REPLAYED, id: 'second' };

  /** Opens the page of a process, as a push does. */
  const keep = (browser: Browser): Promise<void> =>
    clock.run(browsers.use(browser, ({ processes }) => processes.keep('a'.repeat(32))));

  beforeEach(() => {
    clock = new TestClock();
    let pages = 0;
    const open = (): Promise<ScriptedBrowser> => {
      const browser = new ScriptedBrowser().onEvaluate(() => 'there');
      browser.on('Target.createTarget', () => ({ targetId: `page ${++pages}` }));
      return Promise.resolve(browser);
    };
    browsers = new BrowserConnections(new URL('https://service.test'), () => Infinity, {}, { open, clock });
    opened = [];
    for (const browser of [first, second]) {
      browsers.hiddenOf(browser).onOpened(() => void opened.push(browser.id));
    }
  });

  afterEach(() => {
    browsers.dispose();
  });

  it('are known to who asks for those of that browser, over each connection to it', async () => {
    await keep(first);
    const atFirst = opened.length;
    assert.deepEqual([...new Set(opened)], ['first']);
    browsers.close(first);
    await keep(first);
    assert.ok(opened.length > atFirst);
    await keep(second);
    assert.deepEqual([...new Set(opened)], ['first', 'second']);
  });

  it('are being opened until they have their id', async () => {
    const hidden = browsers.hiddenOf(first);
    assert.equal(hidden.isOpening, false);
    const keeping = keep(first);
    const seen: boolean[] = [];
    hidden.onOpened(() => void seen.push(hidden.isOpening));
    await keeping;
    assert.ok(seen.length > 0 && seen.every(Boolean));
    assert.equal(hidden.isOpening, false);
  });
});
