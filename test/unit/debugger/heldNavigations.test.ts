import assert from 'node:assert/strict';
import { ID, RelayStage, type TargetInfo } from './relayStage';

const RUN = 'Runtime.runIfWaitingForDebugger';
const SET = 'Debugger.setBreakpointByUrl';
const CONTINUE = 'Fetch.continueRequest';
const ATTACH = 'Target.attachToTarget';
const URL = 'https://ours.test/page';
const TAB: TargetInfo = { targetId: 'tab', type: 'page', url: URL };
const NEW_TAB: TargetInfo = { targetId: 'tab', type: 'page', url: 'chrome://newtab/' };

describe('the request of a page that content scripts can run in', () => {
  let stage: RelayStage;

  beforeEach(async () => {
    stage = await RelayStage.attached({ holdsTabs: true });
  });

  afterEach(() => {
    stage.end();
  });

  /** The browser pauses the request of a frame. */
  const request = (frameId = 'tab', url = URL, requestId = 'request'): void => {
    stage.browser.emit('Fetch.requestPaused', { requestId, frameId, request: { url } });
  };
  /** The requests that go on. */
  const continued = (): unknown[] =>
    stage.browser.sent.filter(({ method }) => method === CONTINUE).map(({ params }) => params['requestId']);

  it('is paused by the browser, like those of all pages, from the beginning', () => {
    assert.deepEqual(stage.browser.sent.find(({ method }) => method === 'Fetch.enable')?.params, {
      patterns: [
        { urlPattern: 'http://*', resourceType: 'Document' },
        { urlPattern: 'https://*', resourceType: 'Document' },
      ],
    });
  });

  it('waits until the browser has confirmed the breakpoints of its tab', async () => {
    stage.browser.attach('session', TAB, { isWaiting: true });
    request();
    stage.browser.silent.add(SET);
    stage.client.begin('session');
    await stage.clock.advance(1000);
    assert.deepEqual(continued(), []);
    stage.browser.answer(SET);
    assert.deepEqual(continued(), ['request']);
  });

  it('waits for the answer to the last command before the page goes on', async () => {
    stage.browser.attach('session', TAB, { isWaiting: true });
    request();
    stage.browser.silent.add(RUN);
    stage.client.begin('session');
    await stage.clock.advance(1000);
    assert.deepEqual(continued(), []);
    stage.browser.answer(RUN);
    assert.deepEqual(continued(), ['request']);
  });

  it('goes on at once in a tab that has its breakpoints', async () => {
    stage.browser.attach('session', TAB);
    stage.client.begin('session');
    await stage.clock.idle();
    request();
    assert.deepEqual(continued(), ['request']);
  });

  it('goes on at once for a page that no content script can run in, and in a frame', async () => {
    stage.browser.attach('session', TAB, { isWaiting: true });
    request('tab', 'https://other.test/', 'other');
    request('a frame of it', URL, 'frame');
    assert.deepEqual(continued(), ['other', 'frame']);
    await stage.clock.idle();
  });

  it('waits for ten seconds at most', async () => {
    stage.browser.attach('session', TAB, { isWaiting: true });
    request();
    await stage.clock.advance(9999);
    assert.deepEqual(continued(), []);
    await stage.clock.advance(1);
    assert.deepEqual(continued(), ['request']);
    await stage.clock.advance(20_000);
    assert.deepEqual(continued(), ['request']);
  });

  const silent: [kind: string, target: Partial<TargetInfo>][] = [
    ['is opened apart from its opener', { url: '', openerId: 'opener', canAccessOpener: false }],
    ['is restored', { title: 'Site' }],
  ];
  for (const [kind, target] of silent) {
    it(`goes on in a tab that ${kind} and answers nothing, which pauses where it moves to`, async () => {
      stage.browser.silent.add('Debugger.enable');
      stage.browser.attach('session', { ...TAB, ...target }, { isWaiting: true });
      request();
      stage.since('session');
      stage.client.command('Debugger.enable', {}, 'session');
      await stage.clock.advance(299);
      assert.deepEqual([stage.since('session'), continued()], [['Debugger.enable'], []]);
      await stage.clock.advance(1);
      assert.deepEqual([stage.since('session'), continued()], [[RUN, 'Page.waitForDebugger'], ['request']]);
      request('tab', URL, 'redirected');
      assert.deepEqual(continued(), ['request', 'redirected']);
      stage.browser.answer('Debugger.enable');
      stage.client.command(RUN, {}, 'session');
      await stage.clock.idle();
      assert.deepEqual(stage.since('session'), [RUN]);
    });
  }

  const held: [kind: string, target: Partial<TargetInfo>][] = [
    ['a new tab', {}],
    ['a tab that can access its opener', { url: '', openerId: 'opener', canAccessOpener: true }],
    ['one that is opened without an address', { url: '' }],
  ];
  for (const [kind, target] of held) {
    it(`waits in ${kind} that answers late: it has a process, and would run without its breakpoints`, async () => {
      stage.browser.silent.add('Debugger.enable');
      stage.browser.attach('session', { ...TAB, ...target }, { isWaiting: true });
      stage.client.command('Debugger.enable', {}, 'session');
      stage.since('session');
      await stage.clock.advance(9999);
      assert.deepEqual(stage.since('session'), []);
      await stage.clock.advance(1);
      assert.deepEqual(stage.since('session'), [RUN, 'Page.waitForDebugger']);
    });
  }

  it('is not begun by the relay in a tab that runs, when its debugger is enabled for the next document and does not answer', async () => {
    stage.browser.attach('session', { ...TAB, url: 'about:blank' });
    stage.client.begin('session');
    await stage.clock.idle();
    stage.browser.silent.add('Debugger.enable');
    stage.since('session');
    stage.client.command('Debugger.enable', {}, 'session');
    await stage.clock.advance(20_000);
    assert.deepEqual(stage.since('session'), ['Debugger.enable']);
  });

  it('is not begun by the relay for a popup, side panel or offscreen document, however late it answers', async () => {
    stage.browser.silent.add('Debugger.enable');
    stage.browser.attach('session', { targetId: 'popup', type: 'other', url: '' }, { isWaiting: true });
    stage.client.command('Debugger.enable', {}, 'session');
    stage.since('session');
    await stage.clock.advance(60_000);
    assert.deepEqual(stage.since('session'), []);
  });

  it('is not begun by the relay in a page of the extension, whose request is not held, nor where the debugger is enabled', async () => {
    stage.browser.silent.add('Debugger.enable');
    stage.browser.attach(
      'page',
      { ...TAB, targetId: 'page', url: `chrome-extension://${ID}/a.html` },
      { isWaiting: true },
    );
    stage.client.command('Debugger.enable', {}, 'page');
    stage.browser.attach('session', TAB, { isWaiting: true });
    stage.client.command('Debugger.enable', {}, 'session');
    stage.browser.answer('Debugger.enable');
    await stage.clock.advance(5000);
    assert.deepEqual(
      [...stage.since('page'), ...stage.since('session')].filter((method) => method === RUN),
      [],
    );
  });

  it('goes on when its tab is closed, or its debugging ends', async () => {
    stage.browser.attach('session', TAB, { isWaiting: true });
    request();
    request('tab', URL, 'second');
    stage.browser.emit('Target.detachedFromTarget', { sessionId: 'session' });
    assert.deepEqual(continued(), ['request', 'second']);
    await stage.clock.advance(20_000);
    assert.deepEqual(continued(), ['request', 'second']);
  });

  describe('in a tab that was left, because it shows a page of the browser', () => {
    beforeEach(async () => {
      stage.browser.attach('before', NEW_TAB);
      await stage.clock.idle();
      assert.deepEqual(stage.client.sessions, []);
      stage.since('');
    });

    it('goes on when the tab is attached to again, because that pauses by itself', async () => {
      stage.browser.silent.add(ATTACH);
      request();
      await stage.clock.idle();
      assert.deepEqual([stage.since(''), continued()], [[ATTACH], []]);
      stage.browser.attach('again', NEW_TAB);
      stage.browser.answer(ATTACH);
      await stage.clock.idle();
      assert.deepEqual(continued(), ['request']);
      stage.browser.change({ ...NEW_TAB, title: 'still the page of the browser' });
      assert.deepEqual(stage.client.sessions, ['again']);
      stage.client.begin('again');
      await stage.clock.idle();
      stage.browser.change(TAB);
      assert.deepEqual(stage.client.sessions, ['again']);
    });

    it('is left again when the tab stays what it was', async () => {
      request();
      stage.browser.attach('again', NEW_TAB);
      stage.client.begin('again');
      await stage.clock.idle();
      stage.browser.change(NEW_TAB);
      assert.deepEqual(stage.client.sessions, []);
      await stage.clock.idle();
    });

    it('goes on when the tab is for another page', async () => {
      request('tab', 'https://other.test/');
      await stage.clock.idle();
      assert.deepEqual([continued(), stage.since('')], [['request'], [CONTINUE]]);
    });

    it('goes on when the tab has gone', async () => {
      stage.browser.emit('Target.targetDestroyed', { targetId: 'tab' });
      request();
      await stage.clock.idle();
      assert.deepEqual([continued(), stage.since('')], [['request'], [CONTINUE]]);
    });
  });
});

describe('the requests of pages', () => {
  it('are not paused for an extension without content scripts', async () => {
    const stage = await RelayStage.attached();
    assert.deepEqual(stage.since('').includes('Fetch.enable'), false);
    stage.end();
  });

  it('that are held are forgotten with the connection, and held again after a restart', async () => {
    const stage = await RelayStage.attached({ holdsTabs: true });
    stage.browser.attach('session', TAB, { isWaiting: true });
    stage.browser.emit('Fetch.requestPaused', { requestId: '1', frameId: 'tab', request: { url: URL } });
    stage.browser.lose();
    await stage.clock.advance(300);
    await stage.clock.advance(20_000);
    assert.deepEqual(
      stage.since('').filter((method) => method.startsWith('Fetch.')),
      ['Fetch.enable', 'Fetch.enable'],
    );
    stage.end();
  });
});
