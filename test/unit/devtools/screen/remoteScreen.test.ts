import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import { extensionPageState } from '../../../../src/devtools/inPage/pageCalls';
import { isPopup } from '../../../../src/devtools/inPage/surfaceCalls';
import type { PageDialog } from '../../../../src/devtools/pages/pageModel';
import { HiddenTargets } from '../../../../src/devtools/protocol/hiddenTargets';
import { RemoteScreen, type ScreenEvents, type ScreenView } from '../../../../src/devtools/screen/remoteScreen';
import { type Received, type Reply, ScriptedBrowser } from '../../../standins/scriptedBrowser';
import { isCallOf } from '../../../support/calledInPage';
import { TestClock } from '../../../support/testClock';
import { IN_MEMORY } from '../../../support/devToolsAddress';

const ID = 'a'.repeat(32);
/** What the id of a tab's target has before that of its page. */
const TAB = 'tab of ';
const SIZE = { width: 800, height: 600 };

/** A browser with tabs, of which each can be seen or not, and pages of an extension in no tab. */
class TabsBrowser extends ScriptedBrowser {
  /** The targets that can be seen. */
  readonly visible = new Set<string>();
  /** The targets that are in no tab. */
  readonly apart = new Set<string>();
  /** The targets that do not answer. */
  readonly silent = new Set<string>();
  /** The target of the active tab; undefined for a browser that does not say which one it is. */
  active: string | undefined;
  popup: string | undefined;
  zoom = 1;
  /** Called when a session is about to end. */
  whileLeft = (): void => undefined;

  constructor() {
    super();
    this.on('Browser.getWindowForTarget', ({ params }) =>
      this.apart.has(String(params['targetId'])) ? new Error('No window with given target found') : { windowId: 1 },
    );
    this.on('Page.getNavigationHistory', ({ target = '' }) => ({
      currentIndex: 0,
      entries: [{ id: 1, url: this.target(target)?.url, title: target }],
    }));
    this.on('Page.getLayoutMetrics', () => ({ cssVisualViewport: { zoom: this.zoom } }));
    this.onEvaluate((expression, { target = '' }) => {
      if (this.silent.has(target)) return undefined;
      if (expression === 'document.visibilityState') return this.visible.has(target) ? 'visible' : 'hidden';
      if (isCallOf(expression, isPopup)) return this.popup === target;
      return isCallOf(expression, extensionPageState) ? 'there' : true;
    });
    this.on('Target.setAutoAttach', ({ target = '' }) => {
      const targetInfo = { targetId: target.slice(TAB.length), type: 'page', url: '', title: '' };
      this.event('Target.attachedToTarget', { sessionId: '', targetInfo, waitingForDebugger: false }, target);
      return {};
    });
  }

  protected override usual(command: Received): Reply {
    if (command.method === 'Target.detachFromTarget') this.whileLeft();
    const reply = super.usual(command);
    if (command.method !== 'Target.getTargets' || !isDeepStrictEqual(command.params['filter'], [{ type: 'tab' }]))
      return reply;
    const active = this.active === undefined ? [] : [TAB + this.active];
    return {
      targetInfos: active.map((targetId) => ({ targetId, type: 'tab', embedderData: { tabActive: true } })),
    };
  }

  /** Opens a tab. */
  tab(targetId: string, isVisible = false): void {
    if (isVisible) this.visible.add(targetId);
    this.show(targetId, `https://${targetId}.example/`);
  }

  /** Opens a tab while a client emulates the focus of all tabs: each can be seen by its own account. */
  emulatedTab(targetId: string): void {
    this.tab(targetId, true);
    this.show(TAB + targetId, '', 'tab');
  }

  /** Another client attaches to a tab, as one that emulates its focus does. */
  attachOther(targetId: string): void {
    const targetInfo = { ...this.target(targetId), title: '', attached: true };
    this.event('Target.targetInfoChanged', { targetInfo });
  }

  /** Another tab comes to the front. */
  bring(targetId: string, from: string): void {
    this.visible.delete(from);
    this.visible.add(targetId);
    this.event('Page.screencastVisibilityChanged', { visible: false }, from);
  }
}

describe('what a browser shows', () => {
  let browser: TabsBrowser;
  let clock: TestClock;
  let screen: RemoteScreen;
  let views: ScreenView[];
  let framed: string[];
  let dialogs: (PageDialog | undefined)[];
  let lost: number;

  const events: ScreenEvents = {
    onView: (view) => void views.push(view),
    onFrame: (layer, { base64 }) => void framed.push(`${layer} ${base64}`),
    onDialog: (_layer, dialog) => void dialogs.push(dialog),
    onLost: () => {
      lost += 1;
    },
  };

  beforeEach(() => {
    browser = new TabsBrowser();
    clock = new TestClock();
    [views, framed, dialogs, lost] = [[], [], [], 0];
  });

  afterEach(() => {
    browser.close();
  });

  const open = async (hidden?: HiddenTargets): Promise<void> => {
    const wiring = { open: () => Promise.resolve(browser), clock };
    screen = await clock.run(RemoteScreen.open(IN_MEMORY, events, undefined, wiring, hidden));
  };

  /** Waits for a look at all tabs, which takes a dozen answers, one after the other. */
  const looked = async (): Promise<void> => {
    for (let answers = 0; answers < 4; answers++) await clock.idle();
  };

  const view = (): ScreenView => views.at(-1) ?? assert.fail('there is no view');

  it('is the tab in front, and nothing else is attached to', async () => {
    browser.tab('first');
    browser.tab('second', true);
    browser.tab('third');
    await open();
    assert.equal(view().front, 'second');
    assert.equal(view().history.url, 'https://second.example/');
    assert.deepEqual(
      view().tabs.map(({ targetId }) => targetId),
      ['first', 'second', 'third'],
    );
    assert.equal(browser.sessions, 1);
  });

  it('of two windows is the tab that was opened last', async () => {
    browser.tab('first', true);
    browser.tab('second', true);
    browser.tab('third');
    await open();
    assert.equal(view().front, 'second');
  });

  it('is a tab that does not answer, as behind a dialog, where no other one is in front', async () => {
    browser.silent.add('first');
    browser.tab('first');
    browser.tab('second');
    await open();
    assert.equal(view().front, 'first');
  });

  it('follows the tab that comes to the front, with pictures in the size that was set', async () => {
    browser.tab('first', true);
    browser.tab('second');
    await open();
    await clock.run(screen.start(SIZE));
    await clock.run(screen.resize({ ...SIZE, ratio: 2 }));
    browser.bring('second', 'first');
    await looked();
    assert.equal(view().front, 'second');
    const asked = browser.methodsOf('second');
    assert.ok(asked.includes('Emulation.setDeviceMetricsOverride'), asked.join());
    assert.ok(asked.indexOf('Page.startScreencast') > asked.indexOf('Emulation.setDeviceMetricsOverride'));
    assert.equal(browser.sessions, 1, 'The tab of before is left.');
  });

  it('is the active tab while another client has all of them look visible', async () => {
    browser.active = 'first';
    for (const id of ['first', 'second']) browser.emulatedTab(id);
    await open();
    assert.equal(view().front, 'first');
    assert.equal(browser.sessions, 1, 'The target of the tab is left.');
  });

  it('follows the active tab then, though no page reports it, and asks once for the page in each', async () => {
    browser.active = 'first';
    for (const id of ['first', 'second']) browser.emulatedTab(id);
    await open();
    for (const id of ['first', 'second']) browser.attachOther(id);
    for (const id of ['second', 'first', 'second']) {
      browser.active = id;
      await clock.advance(1000);
      await looked();
      assert.equal(view().front, id);
    }
    assert.equal(browser.received.filter(({ method }) => method === 'Target.setAutoAttach').length, 2);
  });

  it('asks for the active tab neither while no other client is there, nor after its end', async () => {
    browser.active = 'first';
    browser.tab('first', true);
    browser.tab('second');
    await open();
    const asked = browser.received.length;
    await clock.advance(5000);
    assert.equal(browser.received.length, asked);
    browser.attachOther('second');
    await clock.advance(5000);
    screen.close();
    const last = browser.received.length;
    assert.ok(last > asked);
    await clock.advance(5000);
    assert.equal(browser.received.length, last);
  });

  it('has the pictures of that tab', async () => {
    browser.tab('first', true);
    await open();
    await clock.run(screen.start(SIZE));
    const metadata = { deviceWidth: 8, deviceHeight: 6, scrollOffsetX: 0, scrollOffsetY: 0, timestamp: 1 };
    browser.event('Page.screencastFrame', { sessionId: 1, data: 'AAAA', metadata }, 'first');
    await clock.idle();
    assert.deepEqual(framed, ['page AAAA']);
  });

  it('has no dialog of the tab before', async () => {
    browser.tab('first', true);
    browser.tab('second');
    await open();
    const dialog = { type: 'alert', url: 'https://first.example/', message: 'Stay' };
    browser.event('Page.javascriptDialogOpening', dialog, 'first');
    await clock.idle();
    assert.equal(dialogs.at(-1)?.message, 'Stay');
    await clock.run(screen.show('second'));
    assert.equal(dialogs.at(-1), undefined);
  });

  it('has no dialog that the tab before opens while it is left', async () => {
    browser.tab('first', true);
    browser.tab('second');
    await open();
    let opened = 0;
    browser.whileLeft = () => {
      opened += 1;
      const dialog = { type: 'alert', url: 'https://first.example/', message: 'You leave' };
      browser.event('Page.javascriptDialogOpening', dialog, 'first');
    };
    browser.visible.delete('first');
    browser.visible.add('second');
    await clock.run(screen.show('second'));
    await clock.idle();
    assert.deepEqual([opened, dialogs.filter(Boolean), screen.page('page')?.targetId], [1, [], 'second']);
  });

  it('stays when a tab is asked for that is gone', async () => {
    browser.tab('first', true);
    await open();
    await clock.run(screen.show('gone'));
    assert.equal(screen.page('page')?.targetId, 'first');
  });

  it('is looked at again when something has changed during a look', async () => {
    browser.tab('first', true);
    await open();
    let answer = (): void => undefined;
    const isAsked = new Promise<void>((asked) => {
      browser.on('Target.getTargets', async () => {
        const targetInfos = [{ targetId: 'first', type: 'page', url: 'https://first.example/', title: 'first' }];
        asked();
        await new Promise<void>((resolve) => {
          answer = resolve;
        });
        return { targetInfos };
      });
    });
    browser.event('Page.frameNavigated', { frame: { id: 'first' } }, 'first');
    await isAsked;
    browser.tab('second');
    await clock.advance(100);
    browser.on('Target.getTargets', () => ({
      targetInfos: ['first', 'second'].map((targetId) => ({ targetId, type: 'page', url: '', title: '' })),
    }));
    answer();
    await looked();
    assert.deepEqual(
      view().tabs.map(({ targetId }) => targetId),
      ['first', 'second'],
    );
  });

  it('is also the popup or side panel of an extension, but none of the hidden pages of pushes', async () => {
    browser.tab('first', true);
    for (const apart of ['hidden', 'panel']) browser.apart.add(apart);
    browser.show('panel', `chrome-extension://${ID}/panel.html`);
    browser.show('hidden', `chrome-extension://${ID}/manifest.json?sideload`);
    await open();
    assert.equal(view().surface, 'sidePanel');
    assert.equal(screen.page('surface')?.targetId, 'panel');
    browser.remove('panel');
    browser.popup = 'popup';
    browser.apart.add('popup');
    browser.show('popup', `chrome-extension://${ID}/popup.html`);
    await clock.advance(100);
    await looked();
    assert.equal(view().surface, 'popup');
    assert.equal(screen.page('page')?.targetId, 'first');
  });

  it('is reported with the zoom of the page once the page has it', async () => {
    browser.tab('first', true);
    await open();
    let looks = 0;
    browser.on('Page.getLayoutMetrics', () => {
      looks += 1;
      return { cssVisualViewport: { zoom: looks < 4 ? 1 : 1.5 } };
    });
    assert.equal(await clock.run(screen.setZoom(150)), true);
    assert.equal(view().zoom, 150);
  });

  it('tells whom it concerns of the hidden page by which it zooms', async () => {
    browser.tab('first', true);
    const hidden = new HiddenTargets();
    const opened: string[] = [];
    hidden.onOpened((targetId) => void opened.push(targetId));
    await open(hidden);
    assert.deepEqual(opened, []);
    browser.zoom = 1.5;
    await clock.run(screen.setZoom(150));
    assert.equal(opened.length, 1);
  });

  it('is lost once, when the browser ends', async () => {
    browser.tab('first', true);
    await open();
    browser.lose();
    await clock.idle();
    assert.deepEqual([lost, screen.isOpen], [1, false]);
  });

  it('is not lost when the screen was closed', async () => {
    browser.tab('first', true);
    await open();
    screen.close();
    await clock.idle();
    assert.equal(lost, 0);
  });

  it('cannot be opened when the browser ends meanwhile', async () => {
    browser.tab('first', true);
    browser.on('Target.getTargets', () => {
      browser.lose();
      return undefined;
    });
    await assert.rejects(open(), { name: 'DevToolsError' });
  });
});
