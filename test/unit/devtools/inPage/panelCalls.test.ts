import assert from 'node:assert/strict';
import type { ApiTab, ExtensionView, PanelOptions } from '../../../../src/devtools/inPage/chromeApi';
import {
  hasFocus,
  type HowToOpen,
  howToOpen,
  openPanel,
  panelInTime,
  reopenPanels,
  shownPanel,
} from '../../../../src/devtools/inPage/panelCalls';
import { FakePage } from '../../../support/fakePage';

const URL_OF_PANEL = 'chrome-extension://a/panel.html';

describe('the side panels of an extension, in its page', () => {
  let tabs: ApiTab[];
  /** The options by tab; 0 for those of all tabs. */
  let options: Map<number, PanelOptions>;
  let contexts: object[];
  /** What `getViews` gives: pages in tabs, popups, and all of a window. */
  let views: { tab: ExtensionView[]; popup: ExtensionView[]; window: ExtensionView[] };
  let acts: unknown[];
  /** The panel that comes at a call of `open`, after so many milliseconds. */
  let coming: { view: ExtensionView; afterMs: number } | undefined;
  /** Why Chromium opens none. */
  let refusal: Error | undefined;
  let visibilityState: string;
  let isFocused: boolean;
  let page: FakePage;

  beforeEach(() => {
    tabs = [
      { id: 1, windowId: 7, active: false },
      { id: 2, windowId: 7, active: true },
    ];
    options = new Map([[0, { path: 'panel.html', enabled: true }]]);
    contexts = [{}];
    views = { tab: [], popup: [], window: [] };
    acts = [];
    coming = refusal = undefined;
    visibilityState = 'visible';
    isFocused = true;
    const sidePanel = {
      getOptions: ({ tabId = 0 }) => Promise.resolve(options.get(tabId) ?? options.get(0)),
      setOptions: async (set: PanelOptions) => {
        await page.clock.delay(1);
        acts.push(['set', { ...set }]);
      },
      open: (where: object) => {
        if (refusal) return Promise.reject(refusal);
        acts.push(['open', { ...where }]);
        const { view, afterMs } = coming ?? {};
        if (view) page.clock.after(afterMs ?? 0, () => views.window.push(view));
        return Promise.resolve();
      },
    };
    page = new FakePage({
      location: { href: URL_OF_PANEL },
      document: {
        get visibilityState() {
          return visibilityState;
        },
        hasFocus: () => isFocused,
      },
      chrome: {
        sidePanel,
        tabs: { query: ({ currentWindow }: { currentWindow: boolean }) => Promise.resolve(currentWindow ? tabs : []) },
        extension: {
          getViews: ({ type }: { type?: 'tab' | 'popup' }) => (type ? views[type] : views.window),
        },
        runtime: {
          getContexts: () => Promise.resolve(contexts),
          getManifest: () => ({ side_panel: { default_path: 'panel.html' } }),
        },
      },
    });
  });

  /** A page of the extension; it gets the focus after so many milliseconds. */
  const view = (focusAfterMs = Infinity): ExtensionView => {
    const { clock } = page;
    const begin = clock.now();
    const location = {
      href: URL_OF_PANEL,
      replace: (url: string) => {
        location.href = url;
      },
    };
    return { document: { hasFocus: () => clock.now() - begin >= focusAfterMs }, location };
  };

  const how = async (): Promise<HowToOpen | undefined> => {
    const text = await page.call(howToOpen);
    return text === undefined ? undefined : (JSON.parse(text) as HowToOpen);
  };

  describe('a panel', () => {
    const shown = { url: URL_OF_PANEL, windowId: 7, isOfManifest: true, hadFocus: true };

    it('tells what opens it again', async () => {
      assert.deepEqual(await how(), { ...shown, options: { path: 'panel.html', enabled: true } });
      options.set(0, { path: 'other.html' });
      isFocused = false;
      assert.deepEqual(await how(), {
        ...shown,
        options: { path: 'other.html' },
        isOfManifest: false,
        hadFocus: false,
      });
    });

    it('of the tab in front is opened for that alone', async () => {
      options.set(2, { tabId: 2, path: 'panel.html' });
      assert.deepEqual(await how(), { ...shown, options: { tabId: 2, path: 'panel.html' }, isOfManifest: false });
    });

    it('that no window shows is not opened again', async () => {
      options.set(1, { tabId: 1, path: 'panel.html' });
      visibilityState = 'hidden';
      assert.equal(await how(), undefined);
      // In a window that is covered, all pages are hidden.
      options.delete(1);
      assert.deepEqual(await how(), { ...shown, options: { path: 'panel.html', enabled: true } });
      contexts = [];
      assert.equal(await how(), undefined);
    });

    it('is none where the browser opens none', async () => {
      assert.equal(await new FakePage({ chrome: {}, location: {} }).call(howToOpen), undefined);
    });

    it('is told from the pages in tabs and the popup', () => {
      const [inTab, popup, panel] = [view(), view(), view()];
      views = { tab: [inTab], popup: [popup], window: [inTab, popup] };
      assert.equal(page.handle(shownPanel, 7), undefined);
      views.window.push(panel);
      assert.equal(page.handle(shownPanel, 7), panel);
    });

    it('is waited for up to a limit', async () => {
      const coming = view();
      page.clock.after(50, () => views.window.push(coming));
      assert.equal(await page.clock.run(page.handle(panelInTime, shownPanel, 7, 100)), coming);
      views.window = [];
      const begin = page.clock.now();
      assert.equal(await page.clock.run(page.handle(panelInTime, shownPanel, 7, 100)), undefined);
      assert.equal(page.clock.now() - begin, 100);
    });

    it('is opened in a window, or for a tab', async () => {
      coming = { view: view(), afterMs: 20 };
      const open = (tabId?: number): Promise<boolean> =>
        page.clock.run(page.call(openPanel, panelInTime, shownPanel, { windowId: 7, tabId }, 100));
      assert.equal(await open(), true);
      views.window = [];
      assert.equal(await open(2), true);
      assert.deepEqual(acts, [
        ['open', { windowId: 7 }],
        ['open', { tabId: 2 }],
      ]);
      views.window = [];
      coming = undefined;
      assert.equal(await open(), false);
      refusal = new Error('The extension has no panel.');
      await assert.rejects(open(), refusal);
    });

    it('is not opened where the browser opens none', async () => {
      const other = new FakePage({ chrome: {} });
      const where = { windowId: 7, tabId: undefined };
      await assert.rejects(async () => other.call(openPanel, panelInTime, shownPanel, where, 100), /not a function/);
    });
  });

  describe('opening again', () => {
    const panel: HowToOpen = {
      url: URL_OF_PANEL,
      windowId: 7,
      options: { path: 'panel.html' },
      isOfManifest: true,
      hadFocus: false,
    };

    const reopen = (changes: Partial<HowToOpen> = {}, isPageFocused = false): ReturnType<typeof reopenPanels> => {
      const limits = { answerMs: 100, focusMs: 30 };
      const list = [JSON.stringify({ ...panel, ...changes })];
      return page.clock.run(page.call(reopenPanels, panelInTime, shownPanel, limits, list, isPageFocused));
    };

    it('opens the panel in its window', async () => {
      coming = { view: view(), afterMs: 20 };
      assert.deepEqual(await reopen(), { refusals: [], tookFocus: false });
      assert.deepEqual(acts, [['open', { windowId: 7 }]]);
    });

    it('does nothing when one is there already', async () => {
      views.window = [view()];
      await reopen();
      assert.deepEqual(acts, []);
    });

    it('sets the options that were set at run time, unless the new worker has', async () => {
      coming = { view: view(), afterMs: 0 };
      const set = { options: { path: 'other.html' }, isOfManifest: false };
      await reopen(set);
      assert.deepEqual(acts.splice(0), [
        ['set', { path: 'other.html' }],
        ['open', { windowId: 7 }],
      ]);
      views.window = [];
      options.set(0, { path: 'new.html' });
      await reopen(set);
      assert.deepEqual(acts.splice(0), [['open', { windowId: 7 }]]);
      views.window = [];
      await reopen({ options: { tabId: 2, path: 'other.html' }, isOfManifest: false });
      assert.deepEqual(acts, [
        ['set', { tabId: 2, path: 'other.html' }],
        ['open', { tabId: 2 }],
      ]);
    });

    it('brings the hash of its address back', async () => {
      const opened = view();
      coming = { view: opened, afterMs: 0 };
      await reopen({ url: `${URL_OF_PANEL}#part` });
      assert.equal(opened.location.href, `${URL_OF_PANEL}#part`);
      views.window = [];
      opened.location.href = 'chrome-extension://a/elsewhere.html';
      await reopen({ url: `${URL_OF_PANEL}#part` });
      assert.equal(opened.location.href, 'chrome-extension://a/elsewhere.html');
    });

    it('tells whether the panel has taken the focus from the page in which the user types', async () => {
      const opens = async (focusAfterMs: number, isPageFocused: boolean, hadFocus: boolean): Promise<boolean> => {
        views.window = [];
        coming = { view: view(focusAfterMs), afterMs: 0 };
        return (await reopen({ hadFocus }, isPageFocused)).tookFocus;
      };
      assert.equal(await opens(20, true, false), true);
      assert.equal(await opens(Infinity, true, false), false);
      assert.equal(await opens(20, false, false), false);
      assert.equal(await opens(20, true, true), false);
    });

    it('tells why a panel is not open', async () => {
      assert.deepEqual(await reopen(), { refusals: ['it did not appear'], tookFocus: false });
      refusal = new Error('The extension has no panel.');
      assert.deepEqual(await reopen(), { refusals: [refusal.message], tookFocus: false });
    });
  });

  it('tell whether the user types in a page', async () => {
    assert.equal(await page.call(hasFocus), true);
    isFocused = false;
    assert.equal(await page.call(hasFocus), false);
  });
});
