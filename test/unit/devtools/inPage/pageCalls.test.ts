import assert from 'node:assert/strict';
import {
  extensionPageState,
  loadedAddress,
  noteTurn,
  pageState,
  selectedText,
  wasTurnPrevented,
  zoomTab,
} from '../../../../src/devtools/inPage/pageCalls';
import { FakePage } from '../../../support/fakePage';

describe('a page', () => {
  const at = (url: string, readyState = 'complete', globals: object = {}): FakePage =>
    new FakePage({
      location: { protocol: new URL(url).protocol, href: url },
      document: { readyState, visibilityState: 'hidden' },
      ...globals,
    });

  it('of an extension is there when it has loaded and has its API', async () => {
    const url = 'chrome-extension://a/manifest.json';
    const chrome = { runtime: { id: 'a' } };
    assert.equal(await at(url, 'complete', { chrome }).call(extensionPageState), 'there');
    assert.equal(await at(url, 'interactive', { chrome }).call(extensionPageState), 'loading');
    assert.equal(await at(url, 'complete', { chrome: {} }).call(extensionPageState), 'loading');
    assert.equal(await at(url).call(extensionPageState), 'loading');
    assert.equal(await at('chrome-error://chromewebdata/').call(extensionPageState), 'none');
  });

  it('has an address once it has loaded', async () => {
    assert.equal(await at('https://a/').call(loadedAddress), 'https://a/');
    assert.equal(await at('https://a/', 'loading').call(loadedAddress), '');
  });

  it('tells whether it is seen, and how far it is', async () => {
    assert.deepEqual(await at('https://a/', 'loading').call(pageState), { isVisible: false, readyState: 'loading' });
    const document = { readyState: 'complete', visibilityState: 'visible' };
    const seen = new FakePage({ document });
    assert.deepEqual(await seen.call(pageState), { isVisible: true, readyState: 'complete' });
  });
});

describe('the selected text', () => {
  const selectedIn = (document: object): Promise<string> => new FakePage({ document }).call(selectedText);
  const selection = (text: string): object => ({ getSelection: () => ({ toString: () => text }) });

  it('is that of the page, or of the frame or shadow tree with the focus', async () => {
    assert.equal(await selectedIn({ activeElement: null, ...selection('of the page') }), 'of the page');
    const inner = { activeElement: { localName: 'p' }, ...selection('of the frame') };
    const frame = { contentDocument: inner };
    assert.equal(await selectedIn({ activeElement: frame, ...selection('of the page') }), 'of the frame');
    const shadowRoot = { activeElement: {} };
    assert.equal(await selectedIn({ activeElement: { shadowRoot }, ...selection('of the page') }), 'of the page');
    assert.equal(await selectedIn({ activeElement: null, getSelection: () => null }), '');
  });

  it('is that of the field with the focus, but none of a password', async () => {
    const field = { type: 'text', value: 'a secret', selectionStart: 2, selectionEnd: 5 };
    const document = selection('of the page');
    assert.equal(await selectedIn({ ...document, activeElement: field }), 'sec');
    const frame = { contentDocument: { ...selection('of the frame'), activeElement: field } };
    assert.equal(await selectedIn({ ...document, activeElement: frame }), 'sec');
    assert.equal(await selectedIn({ ...document, activeElement: { ...field, type: 'password' } }), '');
    const button = { type: 'checkbox', value: 'on', selectionStart: null };
    assert.equal(await selectedIn({ ...document, activeElement: button }), 'of the page');
  });

  it('is not looked for in a frame of another site', async () => {
    const frame = {
      get contentDocument(): never {
        throw new Error('Blocked a frame');
      },
    };
    assert.equal(await selectedIn({ activeElement: frame, ...selection('of the page') }), 'of the page');
  });
});

describe('a turn of the wheel', () => {
  it('is noted once it has come, with whether the page has prevented it', async () => {
    let listener: ((event: object) => void) | undefined;
    let options: unknown;
    const page = new FakePage({
      addEventListener: (type: string, listen: (event: object) => void, how: object) => {
        if (type === 'wheel') [listener, options] = [listen, { ...how }];
      },
    });
    assert.equal(await page.call(wasTurnPrevented), false);
    await page.call(noteTurn);
    assert.deepEqual(options, { capture: true, once: true, passive: true });
    assert.equal(await page.call(wasTurnPrevented), false);
    const event = { defaultPrevented: false };
    listener?.(event);
    assert.equal(await page.call(wasTurnPrevented), false);
    event.defaultPrevented = true;
    assert.equal(await page.call(wasTurnPrevented), true);
    await page.call(noteTurn);
    assert.equal(await page.call(wasTurnPrevented), false);
  });
});

describe('the zoom of a tab', () => {
  it('is set for the tab in front with the address, or the only one in front', async () => {
    let tabs = [
      { id: 1, url: 'https://a/' },
      { id: 2, url: 'https://b/' },
    ];
    const zooms: unknown[] = [];
    const query = ({ active }: { active: boolean }): Promise<object[]> => Promise.resolve(active ? tabs : []);
    const setZoom = (id: number, factor: number): Promise<unknown> => Promise.resolve(zooms.push([id, factor]));
    const page = new FakePage({ chrome: { tabs: { query, setZoom } } });
    assert.equal(await page.call(zoomTab, 'https://b/', 1.25), true);
    assert.equal(await page.call(zoomTab, 'https://c/', 1.5), false);
    tabs = tabs.slice(0, 1);
    assert.equal(await page.call(zoomTab, 'https://c/', 2), true);
    assert.deepEqual(zooms, [
      [2, 1.25],
      [1, 2],
    ]);
    const refuse = (): Promise<never> => Promise.reject(new Error('Cannot zoom a tab in disabled mode.'));
    const refusing = new FakePage({ chrome: { tabs: { query, setZoom: refuse } } });
    await assert.rejects(async () => refusing.call(zoomTab, 'https://c/', 2), /Cannot zoom/);
  });
});
