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
  const request = (frameId = 'tab', url = URL, requestId = 'request', method = 'POST'): void => {
    stage.browser.emit('Fetch.requestPaused', { requestId, frameId, request: { url, method } });
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

  const silent: [kind: string, target: Partial<TargetInfo>, isWaiting: boolean][] = [
    ['is opened apart from its opener', { url: '', openerId: 'opener', canAccessOpener: false }, true],
    ['is restored', { title: 'Site' }, true],
    ['is on its way from another page', {}, false],
  ];
  for (const [kind, target, isWaiting] of silent) {
    it(`goes on in a tab that ${kind} and answers nothing, which pauses where it moves to`, async () => {
      stage.browser.silent.add('Debugger.enable');
      stage.browser.attach('session', { ...TAB, ...target }, { isWaiting });
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

  describe('that the user makes in a tab that was left', () => {
    const FAIL = 'Fetch.failRequest';
    const NAVIGATE = 'Page.navigate';
    const BACK = 'Page.navigateToHistoryEntry';
    const HISTORY = 'Page.getNavigationHistory';

    /** Leaves the tab, and has the user ask for a page in it; attaches to it when the relay wants that. */
    const ask = async ({ headers = {}, shown = NEW_TAB.url } = {}): Promise<void> => {
      stage.browser.attach('before', { ...NEW_TAB, url: 'https://before.test/' });
      await stage.clock.idle();
      stage.browser.change({ ...NEW_TAB, url: shown });
      stage.since('');
      stage.browser.emit('Fetch.requestPaused', {
        requestId: 'request',
        frameId: 'tab',
        request: { url: URL, method: 'GET', headers },
      });
      assert.deepEqual(stage.since(''), [ATTACH]);
      stage.browser.attach('again', NEW_TAB);
      await stage.clock.idle();
    };

    it('is taken back, and the tab goes there once it has its breakpoints', async () => {
      await ask();
      assert.deepEqual([stage.since('again'), stage.since('')], [[HISTORY], [FAIL]]);
      stage.browser.change({ ...NEW_TAB, title: 'still the page of the browser' });
      stage.browser.silent.add(RUN);
      stage.client.begin('again');
      await stage.clock.advance(5000);
      assert.ok(!stage.since('again').includes(NAVIGATE));
      stage.browser.silent.add(NAVIGATE);
      stage.browser.answer(RUN);
      await stage.clock.idle();
      assert.deepEqual(stage.since('again'), [NAVIGATE]);
      assert.deepEqual(stage.browser.sent.findLast(({ method }) => method === NAVIGATE)?.params, {
        url: URL,
        transitionType: 'typed',
      });
      request('tab', URL, 'once more', 'GET');
      stage.browser.change(NEW_TAB);
      assert.deepEqual([continued(), stage.client.sessions], [['once more'], ['again']]);
      stage.browser.change(TAB);
      stage.browser.answer(NAVIGATE);
      await stage.clock.advance(20_000);
      assert.deepEqual([stage.since('again'), stage.client.sessions], [[], ['again']]);
    });

    it('is done once more after ten seconds, when the debugger has not set its breakpoints', async () => {
      await ask();
      stage.browser.silent.add(NAVIGATE);
      await stage.clock.advance(9999);
      assert.deepEqual(stage.since('again'), [HISTORY]);
      await stage.clock.advance(1);
      request('tab', URL, 'once more', 'GET');
      assert.deepEqual([stage.since('again'), continued()], [[NAVIGATE], ['once more']]);
      await stage.clock.idle();
    });

    it('goes to the last address that was asked for, once', async () => {
      await ask();
      request('tab', `${URL}2`, 'second', 'GET');
      stage.client.begin('again');
      await stage.clock.advance(20_000);
      const gone = stage.browser.sent.filter(({ method }) => method === NAVIGATE);
      assert.deepEqual(
        gone.map(({ params }) => params['url']),
        [`${URL}2`],
      );
    });

    it('is given up for a page that no content script can run in', async () => {
      await ask();
      request('tab', 'https://other.test/', 'other', 'GET');
      stage.client.begin('again');
      await stage.clock.advance(20_000);
      assert.deepEqual(continued(), ['other']);
      assert.ok(!stage.since('again').includes(NAVIGATE));
    });

    it('is done once more when the debugging ends', async () => {
      await ask();
      stage.since('again');
      stage.relay.close();
      assert.deepEqual(stage.since('again'), [NAVIGATE]);
    });

    it('is left again when the tab could not go there', async () => {
      await ask();
      stage.client.begin('again');
      await stage.clock.idle();
      stage.browser.change(NEW_TAB);
      assert.deepEqual(stage.client.sessions, []);
      await stage.clock.idle();
    });

    it('is done once more by the history of the tab, when it goes back', async () => {
      const entries = [
        { id: 7, url: URL },
        { id: 8, url: 'https://other.test/' },
      ];
      stage.browser.results.set(HISTORY, { currentIndex: 0, entries });
      await ask({ shown: 'https://other.test/' });
      stage.client.begin('again');
      await stage.clock.advance(5000);
      const back = stage.browser.sent.filter(({ method }) => method === BACK || method === NAVIGATE);
      assert.deepEqual(
        back.map(({ method, params }) => [method, params]),
        [[BACK, { entryId: 7 }]],
      );
      stage.browser.change({ ...NEW_TAB, title: 'still there' });
      assert.deepEqual(stage.client.sessions, ['again']);
    });

    it('is not taken back when a page has made it', async () => {
      await ask({ headers: { Referer: 'https://other.test/' } });
      assert.deepEqual([stage.since('again'), stage.since('')], [[], []]);
      stage.client.begin('again');
      await stage.clock.advance(5000);
      assert.deepEqual(continued(), ['request']);
    });

    for (const shown of ['https://other.test/', 'file:///a.html', 'data:text/html,x', 'blob:https://other.test/1']) {
      it(`is not taken back in a tab that shows ${shown}, which may have made it without a referrer`, async () => {
        await ask({ shown });
        assert.deepEqual([stage.since('again'), stage.since('')], [[HISTORY], []]);
        stage.client.begin('again');
        await stage.clock.advance(5000);
        assert.deepEqual(continued(), ['request']);
        assert.ok(!stage.since('again').includes(NAVIGATE));
      });
    }

    it('is forgotten with its tab', async () => {
      await ask();
      stage.browser.emit('Target.detachedFromTarget', { sessionId: 'again' });
      stage.browser.emit('Target.targetDestroyed', { targetId: 'tab' });
      stage.since('');
      await stage.clock.advance(20_000);
      assert.deepEqual(stage.since(''), []);
    });
  });

  describe('with a body, in a tab that was left because it shows a page of the browser', () => {
    beforeEach(async () => {
      stage.browser.attach('before', NEW_TAB);
      await stage.clock.idle();
      assert.deepEqual(stage.client.sessions, []);
      stage.since('');
    });

    it('waits until the tab is attached to again and has its breakpoints', async () => {
      request();
      assert.deepEqual(stage.since(''), [ATTACH]);
      stage.browser.attach('again', NEW_TAB);
      stage.browser.change({ ...NEW_TAB, title: 'still the page of the browser' });
      assert.deepEqual(stage.client.sessions, ['again']);
      stage.client.begin('again');
      await stage.clock.idle();
      assert.deepEqual(continued(), ['request']);
      stage.browser.change(TAB);
      assert.deepEqual(stage.client.sessions, ['again']);
    });

    it('goes on after a moment, and pauses where it goes to, when only the process that it leaves has answered', async () => {
      request();
      stage.browser.attach('again', NEW_TAB);
      stage.client.command('Debugger.enable', {}, 'again');
      await stage.clock.advance(1000);
      assert.deepEqual(continued(), [], 'a debugger that asks nothing may be slow');
      stage.browser.silent.add('Debugger.setPauseOnExceptions');
      stage.client.command('Debugger.setPauseOnExceptions', { state: 'none' }, 'again');
      stage.since('again');
      await stage.clock.advance(200);
      assert.deepEqual(continued(), []);
      await stage.clock.advance(500);
      assert.deepEqual([continued(), stage.since('again')], [['request'], [RUN, 'Page.waitForDebugger']]);
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
