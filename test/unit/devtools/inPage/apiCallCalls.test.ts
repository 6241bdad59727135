import assert from 'node:assert/strict';
import { calledApi, noteApiCalls } from '../../../../src/devtools/inPage/apiCallCalls';
import { FakeEvent, FakePage } from '../../../support/fakePage';

/** What the script of the page uses. */
declare const self: {
  chrome: {
    tabs: { query: (filter: object) => unknown; onUpdated: FakeEvent<[]>; TAB_ID_NONE: number };
    storage: { local: { items: number; get: (key: string) => string } };
    declarativeContent: { PageStateMatcher: new (css: string) => { css: string } };
    a: { b: { c: { d: { e: () => string } } } };
  };
};

describe('the note of what a worker or page calls of the API', () => {
  const stage = (): FakePage => {
    const area = { items: 3, get: (key: string) => `${key} of ${area.items}` };
    const chrome = {
      tabs: { query: (filter: object) => [filter], onUpdated: new FakeEvent(), TAB_ID_NONE: -1 },
      storage: { local: area, onChanged: new FakeEvent() },
      declarativeContent: {
        PageStateMatcher: class {
          constructor(readonly css: string) {}
        },
      },
      get broken(): never {
        throw new Error('not for you');
      },
      a: { b: { c: { d: { e: () => 'too deep' } } } },
    };
    return new FakePage({ chrome, browser: chrome });
  };

  /** Evaluates in the page what its own script would do. */
  const does = async (page: FakePage): Promise<unknown> =>
    page.call(() => {
      const { chrome } = self;
      chrome.storage.local.items = 4;
      chrome.tabs.onUpdated.addListener(() => undefined);
      return [
        chrome.tabs.query({ active: true }),
        chrome.storage.local.get('x'),
        new chrome.declarativeContent.PageStateMatcher('a').css,
        chrome.tabs.onUpdated.hasListeners(),
        chrome.a.b.c.d.e(),
        chrome.tabs.query.name,
        chrome.tabs.TAB_ID_NONE,
      ];
    });

  it('has each function that is called, which does what it did', async () => {
    const [plain, noted] = [stage(), stage()];
    await noted.call(noteApiCalls, 100);
    assert.deepEqual(await noted.call(calledApi), []);
    assert.deepEqual(await does(noted), await does(plain));
    await does(noted);
    assert.deepEqual(await noted.call(calledApi), [
      'tabs.onUpdated.addListener',
      'tabs.query',
      'storage.local.get',
      'declarativeContent.PageStateMatcher',
      'tabs.onUpdated.hasListeners',
    ]);
  });

  it('is made once, and of so many functions at most', async () => {
    const page = stage();
    await page.call(noteApiCalls, 2);
    await does(page);
    await page.call(noteApiCalls, 100);
    assert.deepEqual(await page.call(calledApi), ['tabs.onUpdated.addListener', 'tabs.query']);
  });

  it('is empty where there is no API, or no note', async () => {
    const page = new FakePage({});
    assert.deepEqual(await page.call(calledApi), []);
    await page.call(noteApiCalls, 2);
    assert.deepEqual(await page.call(calledApi), []);
  });
});
