import assert from 'node:assert/strict';
import type { BrowserLink } from '../../../../src/devtools/connection/link';
import {
  reopenSidePanels,
  shownSidePanels,
  type SidePanel,
  stillOpen,
} from '../../../../src/devtools/extensions/sidePanels';
import { extensionPageState } from '../../../../src/devtools/inPage/pageCalls';
import { hasFocus, howToOpen, panelInTime, reopenPanels, shownPanel } from '../../../../src/devtools/inPage/panelCalls';
import type { ExtensionPage, PageHolder } from '../../../../src/devtools/pages/tabs';
import { ScriptedBrowser } from '../../../standins/scriptedBrowser';
import { argumentsOf, isCallOf } from '../../../support/calledInPage';
import { TestClock } from '../../../support/testClock';

const ID = 'a'.repeat(32);

/** What opens a panel, as its page tells. */
const HOW = JSON.stringify({ url: `chrome-extension://${ID}/panel.html`, windowId: 1, hadFocus: false });

/** How long a test of milliseconds may take on a busy machine, in milliseconds. */
const TEST_LIMIT_MS = 30_000;

describe('the side panels of an extension', function () {
  this.timeout(TEST_LIMIT_MS);
  let browser: ScriptedBrowser;
  let clock: TestClock;
  let link: BrowserLink;
  /** Of each target whether it has the focus; of those that are not here, no answer comes. */
  const focus = new Map<string, boolean>();
  /** What the page says that opens the panels. */
  let opened: unknown;

  beforeEach(async () => {
    browser = new ScriptedBrowser();
    focus.clear();
    opened = { refusals: [], tookFocus: false };
    browser.on('Page.createIsolatedWorld', () => ({ executionContextId: 5 }));
    browser.onEvaluate((expression, { target = '', params }) => {
      if (isCallOf(expression, hasFocus) && params['contextId'] === 5) return focus.get(target);
      if (isCallOf(expression, howToOpen)) return target === 'panel' ? HOW : null;
      if (isCallOf(expression, extensionPageState)) return 'there';
      return opened;
    });
    clock = new TestClock();
    link = await browser.link(clock);
  });

  afterEach(() => {
    link.close();
  });

  const page = (targetId: string, holder: PageHolder): ExtensionPage => {
    const url = `chrome-extension://${ID}/${targetId}.html`;
    browser.show(targetId, url);
    return { targetId, url, holder };
  };

  const panel: SidePanel = { targetId: 'panel', howToOpen: HOW };

  /** The arguments of a call that opens panels. */
  const openingOf = (call: { params: Record<string, unknown> } | undefined): unknown[] | undefined =>
    argumentsOf(call?.params['expression'], reopenPanels, panelInTime, shownPanel);

  /** Opens the panel again over two tabs, of which the second has the focus. */
  async function reopen(): Promise<readonly string[]> {
    for (const [tab, isFocused] of [
      ['behind', false],
      ['typed', true],
    ] as const) {
      browser.show(tab, 'https://example.com/');
      focus.set(tab, isFocused);
    }
    await clock.idle();
    return await clock.run(reopenSidePanels(link, ID, [panel]));
  }

  it('are found among the pages in no tab, and nothing is left attached to', async () => {
    const pages = [page('panel', 'own'), page('popup', 'own'), page('tab', 'tab')];
    assert.deepEqual(await clock.run(shownSidePanels(link, pages)), [panel]);
    await clock.idle();
    assert.equal(browser.sessions, 0);
    assert.deepEqual(browser.methodsOf('tab'), []);
  });

  it('are not waited for longer than a second', async () => {
    browser.onEvaluate(() => undefined);
    const shown = shownSidePanels(link, [page('panel', 'own')]);
    await clock.advance(1000);
    assert.deepEqual(await shown, []);
  });

  it('that were closed meanwhile are not opened again', async () => {
    page('panel', 'own');
    await clock.idle();
    const gone = { ...panel, targetId: 'gone' };
    assert.deepEqual(await stillOpen(link, [panel, gone]), [panel]);
  });

  it('are opened by a page of the extension as if the user had clicked, which is closed again', async () => {
    assert.deepEqual(await reopen(), []);
    await clock.idle();
    const call = browser.received.find(({ params }) => params['userGesture'] === true);
    assert.deepEqual(openingOf(call)?.[1], [HOW]);
    const hidden = browser.received.find(({ method }) => method === 'Target.createTarget');
    assert.deepEqual(hidden?.params, { url: `chrome-extension://${ID}/manifest.json?sideload`, hidden: true });
    assert.ok(browser.methodsOf(undefined).includes('Target.closeTarget'));
    assert.equal(browser.sessions, 0);
  });

  it('give the focus back that one has taken, to the page in which the user types', async () => {
    opened = { refusals: [], tookFocus: true };
    await reopen();
    assert.ok(browser.methodsOf('typed').includes('Page.bringToFront'));
    assert.ok(!browser.methodsOf('behind').includes('Page.bringToFront'));
  });

  it('raise no window when none has taken the focus', async () => {
    await reopen();
    assert.ok(!browser.methodsOf('typed').includes('Page.bringToFront'));
  });

  it('ask whether a page has the focus in a world that its scripts do not reach', async () => {
    await reopen();
    const worlds = browser.received.filter(({ method }) => method === 'Page.createIsolatedWorld');
    assert.deepEqual(worlds.map(({ target, params }) => [target, params['frameId']]).sort(), [
      ['behind', 'behind'],
      ['typed', 'typed'],
    ]);
  });

  it('say to the opening page whether there is a focus to give back', async () => {
    await reopen();
    const withFocus = browser.received.find(({ params }) => params['userGesture'] === true);
    assert.equal(openingOf(withFocus)?.[2], true);
    browser.received.length = 0;
    focus.set('typed', false);
    await clock.run(reopenSidePanels(link, ID, [panel]));
    const without = browser.received.find(({ params }) => params['userGesture'] === true);
    assert.equal(openingOf(without)?.[2], false);
  });

  it('are opened also when a page does not say whether it has the focus', async () => {
    browser.show('dialog', 'https://example.com/');
    await clock.idle();
    const reopening = reopenSidePanels(link, ID, [panel]);
    await clock.advance(999);
    assert.ok(!browser.received.some(({ params }) => params['userGesture'] === true));
    await clock.advance(1);
    assert.deepEqual(await reopening, []);
  });

  it('that do not open are told with the reason', async () => {
    opened = { refusals: ['it did not appear'], tookFocus: false };
    assert.deepEqual(await reopen(), ['it did not appear']);
    opened = undefined;
    const reopening = reopenSidePanels(link, ID, [panel]);
    await clock.advance(5000);
    assert.deepEqual(await reopening, ['it takes too long']);
  });

  it('cannot be opened when the extension has no page: then it rejects, and the focused page is released', async () => {
    browser.onEvaluate((expression, { target = '' }) => (isCallOf(expression, hasFocus) ? focus.get(target) : 'none'));
    await assert.rejects(reopen());
    await clock.idle();
    assert.equal(browser.sessions, 0);
  });

  it('cost nothing when there is none', async () => {
    const before = browser.received.length;
    assert.deepEqual(await reopenSidePanels(link, ID, []), []);
    assert.deepEqual(await stillOpen(link, []), []);
    assert.equal(browser.received.length, before);
  });
});
