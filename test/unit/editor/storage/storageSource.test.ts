import assert from 'node:assert/strict';
import type { BrowserLink } from '../../../../src/devtools/connection/link';
import { extensionPageState } from '../../../../src/devtools/inPage/pageCalls';
import { watchAreas } from '../../../../src/devtools/inPage/storageCalls';
import { HiddenPage } from '../../../../src/devtools/protocol/hiddenPage';
import { StorageSource } from '../../../../src/editor/storage/storageSource';
import { ScriptedBrowser } from '../../../standins/scriptedBrowser';
import { isCallOf } from '../../../support/calledInPage';
import { TestClock } from '../../../support/testClock';

const ID = 'a'.repeat(32);

describe('the source of a document of storage', () => {
  let browser: ScriptedBrowser;
  let clock: TestClock;
  let link: BrowserLink;
  let source: StorageSource;
  /** The pages that were opened. */
  let pages: HiddenPage[];
  /** What the page answers when it is asked to watch. */
  let watched: () => unknown;

  beforeEach(async () => {
    clock = new TestClock();
    pages = [];
    watched = () => true;
    browser = new ScriptedBrowser().onEvaluate((expression) => {
      if (isCallOf(expression, extensionPageState)) return 'there';
      return isCallOf(expression, watchAreas) ? watched() : true;
    });
    link = await browser.link(clock);
    const open = async (): Promise<HiddenPage> => {
      const page = await HiddenPage.open(link.connection, ID, undefined, clock);
      assert.ok(page);
      pages.push(page);
      return page;
    };
    source = new StorageSource({ use: (act) => act(link), open }, () => undefined);
  });

  afterEach(() => {
    link.close();
  });

  const use = (): Promise<HiddenPage> => clock.run(source.use((page) => Promise.resolve(page)));

  it('does not watch before its page does', async () => {
    let isEarly: boolean | undefined;
    watched = () => {
      isEarly = source.watches(pages[0]);
      return true;
    };
    const page = await use();
    assert.deepEqual([isEarly, source.watches(page)], [false, true]);
  });

  it('closes a page that could not be watched, and opens another', async () => {
    watched = () => new Error('no');
    await assert.rejects(use());
    assert.equal(source.watches(pages[0]), false);
    watched = () => true;
    const page = await use();
    assert.deepEqual([pages.length, page === pages[1]], [2, true]);
    const closed = browser.received.filter(({ method }) => method === 'Target.closeTarget');
    assert.deepEqual(
      closed.map(({ params }) => params['targetId']),
      [pages[0]?.targetId],
    );
  });

  it('does not watch for what was read through an earlier page', async () => {
    const earlier = await use();
    source.close();
    const now = await use();
    assert.deepEqual([source.watches(earlier), source.watches(now), source.watches(undefined)], [false, true, false]);
  });
});
