import assert from 'node:assert/strict';
import type { ApiManifest } from '../../../../src/devtools/inPage/chromeApi';
import {
  isPopup,
  manifestOf,
  namesWorker,
  offeredSurfaces,
  openOptionsPage,
} from '../../../../src/devtools/inPage/surfaceCalls';
import { FakePage } from '../../../support/fakePage';

/** A browser with a window that has a toolbar, and in it a tab in front. */
const WINDOWS = {
  windows: {
    getLastFocused: () => Promise.resolve({ id: 7, type: 'normal' }),
    getAll: () => Promise.resolve([{ id: 8, type: 'normal' }]),
  },
  tabs: {
    query: ({ active, windowId }: { active: boolean; windowId: number }) =>
      Promise.resolve(active ? [{ id: windowId * 10, windowId }] : []),
  },
};

const pageOf = (manifest: ApiManifest, chrome: object = {}): FakePage => {
  const runtime = { getManifest: () => manifest, getURL: (path: string) => `chrome-extension://a/${path}` };
  return new FakePage({ chrome: { ...WINDOWS, runtime, ...chrome } });
};

const NOTHING = {
  windowId: 7,
  tabId: 70,
  hasAction: false,
  popup: '',
  options: '',
  sidePanel: '',
  isActionEnabled: false,
  hasSidePanel: false,
  isPanelOfTab: false,
};

describe('what an extension offers in the window in front', () => {
  it('is nothing where its manifest names nothing', async () => {
    assert.deepEqual(await pageOf({}).call(offeredSurfaces), NOTHING);
  });

  it('is its action, options page and side panel, as they are for the tab in front', async () => {
    const page = pageOf(
      { options_ui: { page: 'options.html' }, options_page: 'old.html' },
      {
        action: {
          getPopup: ({ tabId }: { tabId: number }) => Promise.resolve(`popup of ${tabId}`),
          isEnabled: (tabId: number) => Promise.resolve(tabId === 70),
        },
        sidePanel: { getOptions: ({ tabId }: { tabId: number }) => Promise.resolve({ tabId, path: 'panel.html' }) },
      },
    );
    assert.deepEqual(await page.call(offeredSurfaces), {
      ...NOTHING,
      hasAction: true,
      popup: 'popup of 70',
      isActionEnabled: true,
      options: 'chrome-extension://a/options.html',
      hasSidePanel: true,
      sidePanel: 'chrome-extension://a/panel.html',
      isPanelOfTab: true,
    });
  });

  it('is no side panel while that is switched off', async () => {
    const getOptions = (): Promise<object> => Promise.resolve({ path: 'panel.html', enabled: false });
    const page = pageOf({ options_page: 'old.html' }, { sidePanel: { getOptions } });
    const options = 'chrome-extension://a/old.html';
    assert.deepEqual(await page.call(offeredSurfaces), { ...NOTHING, options, hasSidePanel: true });
  });

  it('is asked of another window when the one in front has no toolbar, or there is none', async () => {
    const { getAll } = WINDOWS.windows;
    const popup = { getLastFocused: () => Promise.resolve({ id: 9, type: 'popup' }), getAll };
    assert.equal((await pageOf({}, { windows: popup }).call(offeredSurfaces)).windowId, 8);
    const none = { getLastFocused: () => Promise.reject(new Error('No window')), getAll: () => Promise.resolve([]) };
    const offered = await pageOf({}, { windows: none }).call(offeredSurfaces);
    assert.deepEqual(offered, { ...NOTHING, windowId: -1, tabId: -1 });
  });
});

describe('the manifest of an extension, in its page', () => {
  it('is the one that runs, and may name a worker', async () => {
    const manifest = { background: { service_worker: 'worker.js' } };
    assert.deepEqual(await pageOf(manifest).call(manifestOf), manifest);
    assert.equal(await pageOf(manifest).call(namesWorker), true);
    assert.equal(await pageOf({}).call(namesWorker), false);
  });
});

describe('an options page', () => {
  it('is opened by its extension, which may refuse', async () => {
    let opened = 0;
    const runtime = {
      openOptionsPage: () => {
        opened += 1;
        return opened === 1 ? Promise.resolve() : Promise.reject(new Error('Could not create an options page.'));
      },
    };
    const page = new FakePage({ chrome: { runtime } });
    assert.equal(await page.call(openOptionsPage), true);
    await assert.rejects(async () => page.call(openOptionsPage), /Could not create/);
  });
});

describe('a page in no tab', () => {
  it('is the popup, or not', async () => {
    const popups: unknown[] = [];
    const page = new FakePage({ chrome: { extension: { getViews: () => popups } } });
    assert.equal(await page.call(isPopup), false);
    popups.push(page.window);
    assert.equal(await page.call(isPopup), true);
    assert.equal(await new FakePage({}).call(isPopup), false);
  });
});
