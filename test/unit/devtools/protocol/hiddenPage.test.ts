import assert from 'node:assert/strict';
import type { BrowserLink } from '../../../../src/devtools/connection/link';
import { extensionPageState } from '../../../../src/devtools/inPage/pageCalls';
import { HiddenPage } from '../../../../src/devtools/protocol/hiddenPage';
import { ScriptedBrowser } from '../../../standins/scriptedBrowser';
import { isCallOf } from '../../../support/calledInPage';
import { TestClock } from '../../../support/testClock';

const ID = 'a'.repeat(32);

/** What a page takes to load on a slow machine with no core to spare, in milliseconds (C-TIME-PAGE). */
const SLOW_MS = 6000;

describe('a hidden page', () => {
  let clock: TestClock;
  let browser: ScriptedBrowser;
  let link: BrowserLink;
  /** When it has loaded. */
  let loadedAt: number;

  beforeEach(async () => {
    clock = new TestClock();
    browser = new ScriptedBrowser().onEvaluate((expression) =>
      isCallOf(expression, extensionPageState) && clock.now() >= loadedAt ? 'there' : 'loading',
    );
    link = await browser.link(clock);
  });
  afterEach(() => {
    link.close();
  });

  const open = (): Promise<HiddenPage | undefined> => clock.run(HiddenPage.open(link.connection, ID, undefined, clock));

  it('has the time that it needs on a busy machine', async () => {
    loadedAt = clock.now() + SLOW_MS;
    assert.ok(await open());
  });

  it('is closed, and an error, when it does not load', async () => {
    loadedAt = Infinity;
    await assert.rejects(open(), { name: 'DevToolsError', message: 'a page of the extension does not load' });
    assert.equal(browser.received.filter(({ method }) => method === 'Target.closeTarget').length, 1);
  });
});
