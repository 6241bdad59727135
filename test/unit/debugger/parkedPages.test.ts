import assert from 'node:assert/strict';
import { textField } from '../../../src/base/fields';
import { ID, OTHER, RelayStage, type TargetInfo } from './relayStage';

const RUN = 'Runtime.runIfWaitingForDebugger';
const ENABLE = 'Debugger.enable';
const SKIP = 'Debugger.setBlackboxPatterns';
const SET = 'Debugger.setBreakpointByUrl';
const REMOVE = 'Debugger.removeBreakpoint';
const RESUME = 'Debugger.resume';
const ATTACH = 'Target.attachToTarget';
const DETACH = 'Target.detachFromTarget';
const PAUSED = 'Debugger.paused';

const URL = 'https://ours.test/page';
const TAB: TargetInfo = { targetId: 'tab', type: 'page', url: URL };
const NEW_TAB: TargetInfo = { targetId: 'tab', type: 'page', url: 'chrome://newtab/' };
const BREAKPOINT = { urlRegex: '.*own', lineNumber: 0 };

/** Where a page is paused, as a session says it. */
const framesOf = (scriptId: string): object => ({ callFrames: [{ location: { scriptId, lineNumber: 0 } }] });

describe('a page that shows nothing of the extension, while tabs wait for the debugger', () => {
  let stage: RelayStage;

  beforeEach(async () => {
    stage = await RelayStage.attached({ holdsTabs: true }, [BREAKPOINT]);
    stage.browser.results.set(SET, { breakpointId: 'of Chromium', locations: [] });
    stage.browser.attach('parked', NEW_TAB, { isWaiting: true });
    await stage.clock.idle();
  });

  afterEach(() => {
    stage.end();
  });

  /** The sessions that the relay has detached from. */
  const detached = (): unknown[] =>
    stage.browser.sent.filter(({ method }) => method === DETACH).map(({ params }) => params['sessionId']);
  /** The pauses that the debugger was told of, in a session. */
  const pauses = (sessionId: string): unknown[] =>
    stage.client.received
      .filter((message) => message.method === PAUSED && message.sessionId === sessionId)
      .map(({ params }) => [params['reason'], params['hitBreakpoints']]);
  /** The page pauses in a script, for the relay's session. */
  const pause = (url = `chrome-extension://${ID}/own.js`): void => {
    stage.browser.emit('Debugger.scriptParsed', { scriptId: '7', url }, 'parked');
    const reason = { reason: 'instrumentation', hitBreakpoints: ['of Chromium'], data: { note: 1 } };
    stage.browser.emit(PAUSED, { ...framesOf('7'), ...reason }, 'parked');
  };
  /** The page goes on to one that content scripts can run in, and pauses there before the debugger is ready. */
  const move = async (): Promise<void> => {
    stage.browser.emit('Fetch.requestPaused', { requestId: '1', frameId: 'tab', request: { url: URL } });
    stage.browser.attach('session', NEW_TAB);
    await stage.clock.idle();
    stage.browser.change(TAB);
    pause();
    stage.browser.silent.add(ENABLE);
    stage.client.begin('session');
    stage.browser.emit(PAUSED, { ...framesOf('7'), reason: 'other', hitBreakpoints: [] }, 'session');
    await stage.clock.idle();
  };

  it('runs, is unknown to the debugger, and has the breakpoints that the made-up page has', () => {
    assert.deepEqual(stage.since('parked'), [RUN, ENABLE, SKIP, SET]);
    assert.deepEqual(stage.browser.sent.find(({ method }) => method === SET)?.params, BREAKPOINT);
    assert.deepEqual([stage.client.sessions, detached()], [[], []]);
  });

  it('gets them at once, and once more when its debugger is enabled, where they came first and were refused', async () => {
    for (const method of [ENABLE, SKIP, SET]) stage.browser.silent.add(method);
    stage.browser.attach('second', { ...NEW_TAB, targetId: 'second tab' });
    await stage.clock.idle();
    assert.deepEqual(stage.since('second'), [RUN, ENABLE, SKIP, SET]);
    stage.browser.answer(SKIP);
    stage.browser.refuse(SET);
    await stage.clock.idle();
    assert.deepEqual(stage.since('second'), []);
    stage.browser.answer(ENABLE);
    await stage.clock.idle();
    assert.deepEqual(stage.since('second'), [SET]);
  });

  it('gets the breakpoints that are set later, and loses those that are removed', async () => {
    stage.since('parked');
    const second = { urlRegex: '.*own', lineNumber: 1 };
    const id = stage.client.command(SET, second, stage.client.root);
    await stage.clock.idle();
    const result = stage.client.answer(id)?.result;
    assert.ok(typeof result === 'object' && result !== null && 'breakpointId' in result);
    for (let time = 0; time < 2; time++) {
      stage.client.command(REMOVE, { breakpointId: result['breakpointId'] }, stage.client.root);
    }
    await stage.clock.idle();
    assert.deepEqual(stage.since('parked'), [SET, REMOVE]);
    assert.deepEqual(stage.browser.sent.findLast(({ method }) => method === REMOVE)?.params, {
      breakpointId: 'of Chromium',
    });
  });

  it('loses a breakpoint that is removed before it was set', async () => {
    stage.since('parked');
    stage.browser.silent.add(SET);
    const id = stage.client.command(SET, { urlRegex: '.*own', lineNumber: 1 }, stage.client.root);
    await stage.clock.idle();
    const breakpointId = textField(stage.client.answer(id)?.result, 'breakpointId');
    assert.ok(breakpointId);
    stage.client.command(REMOVE, { breakpointId }, stage.client.root);
    await stage.clock.idle();
    assert.deepEqual(stage.since('parked'), [SET]);
    stage.browser.answer(SET, { breakpointId: 'of Chromium', locations: [] });
    await stage.clock.idle();
    assert.deepEqual(stage.since('parked'), [REMOVE]);
  });

  it('hands over the pause of its next document, with its reason, when the debugger has set its breakpoints there', async () => {
    await move();
    assert.deepEqual(
      [stage.client.sessions, pauses('session'), detached()],
      [['session'], [['instrumentation', ['of Chromium']]], ['parked']],
    );
    assert.equal(stage.relay.isPagePaused('tab'), true);
    assert.deepEqual(stage.since('parked').includes(RESUME), false);
  });

  it('tells the debugger of no pause before that', async () => {
    stage.browser.silent.add(RUN);
    await move();
    assert.deepEqual([pauses('session'), stage.relay.isPagePaused('tab')], [[], false]);
    stage.browser.answer(RUN);
    await stage.clock.idle();
    assert.deepEqual(pauses('session'), [['instrumentation', ['of Chromium']]]);
  });

  it('stays paused where the debugger was told of the pause before the relay was', async () => {
    stage.browser.silent.add(RUN);
    stage.browser.attach('session', TAB);
    stage.client.begin('session');
    await stage.clock.idle();
    stage.since('parked');
    stage.browser.emit(PAUSED, { ...framesOf('7'), reason: 'other', hitBreakpoints: ['own'] }, 'session');
    pause();
    stage.browser.answer(RUN);
    await stage.clock.idle();
    assert.deepEqual([pauses('session'), stage.since('parked'), detached()], [[['other', ['own']]], [], ['parked']]);
  });

  it('goes on when the debugger has its session and was told of no pause', async () => {
    stage.browser.silent.add(RUN);
    stage.browser.attach('session', TAB);
    stage.client.begin('session');
    await stage.clock.idle();
    stage.since('parked');
    pause();
    stage.browser.answer(RUN);
    await stage.clock.idle();
    assert.deepEqual([pauses('session'), stage.since('parked'), detached()], [[], [RESUME], ['parked']]);
  });

  it('skips what would stop it in code of others', () => {
    const { patterns } = stage.browser.sent.find(({ method }) => method === SKIP)?.params ?? {};
    assert.ok(Array.isArray(patterns));
    const isSkipped = (url: string): boolean =>
      patterns.some((pattern) => typeof pattern === 'string' && new RegExp(pattern).test(url));
    const urls = [`chrome-extension://${ID}/own.js`, `chrome-extension://${OTHER}/own.js`, 'https://other.test/a.js'];
    assert.deepEqual(urls.map(isSkipped), [false, true, true]);
  });

  it('goes on at once when a breakpoint of the extension stops it in code of others', async () => {
    stage.since('parked');
    pause(`chrome-extension://${OTHER}/own.js`);
    pause('https://other.test/own.js');
    await stage.clock.idle();
    assert.deepEqual([stage.since('parked'), stage.client.sessions], [[RESUME, RESUME], []]);
  });

  it('stays as it is where somebody else has stopped it', async () => {
    stage.since('parked');
    stage.browser.emit(PAUSED, { ...framesOf('7'), reason: 'other', hitBreakpoints: [] }, 'parked');
    await stage.clock.advance(60_000);
    assert.deepEqual([stage.since('parked'), stage.client.sessions], [[], []]);
  });

  it('is attached to when it is paused in code of the extension, wherever that runs', async () => {
    stage.since('');
    pause();
    await stage.clock.idle();
    assert.deepEqual(stage.since(''), [ATTACH]);
    stage.browser.attach('session', { ...TAB, url: 'https://other.test/' });
    assert.deepEqual(stage.client.sessions, ['session']);
    stage.browser.change({ ...TAB, url: 'https://other.test/', title: 'It has a title' });
    stage.client.begin('session');
    await stage.clock.idle();
    assert.deepEqual(stage.client.sessions, ['session']);
  });

  it('goes on after ten seconds when the debugger does not come', async () => {
    pause();
    stage.since('parked');
    await stage.clock.advance(9999);
    assert.deepEqual(stage.since('parked'), []);
    await stage.clock.advance(1);
    assert.deepEqual(stage.since('parked'), [RESUME]);
  });

  it('is not told of when it has gone on by itself, and goes on when the debugger has come too late to know of the pause', async () => {
    stage.browser.silent.add(RUN);
    await move();
    for (const session of ['parked', 'session']) stage.browser.emit('Debugger.resumed', {}, session);
    stage.browser.answer(RUN);
    await stage.clock.idle();
    assert.deepEqual([pauses('session'), stage.client.seen('session').includes('Debugger.resumed')], [[], false]);
    assert.deepEqual(detached(), ['parked']);
  });

  it('hands over no pause of a document that was left while it was paused', async () => {
    stage.browser.silent.add(RUN);
    await move();
    stage.browser.emit('Runtime.executionContextsCleared', {}, 'session');
    assert.ok(stage.client.seen('session').includes('Runtime.executionContextsCleared'));
    stage.since('parked');
    stage.browser.answer(RUN);
    await stage.clock.idle();
    assert.deepEqual([pauses('session'), stage.relay.isPagePaused('tab'), stage.since('parked')], [[], false, []]);
    assert.deepEqual(detached(), ['parked']);
  });

  it('has ten seconds in the document that follows one that was left while it was paused', async () => {
    pause();
    await stage.clock.advance(9000);
    pause();
    stage.since('parked');
    await stage.clock.advance(9000);
    assert.deepEqual(stage.since('parked'), []);
    await stage.clock.advance(1000);
    assert.deepEqual(stage.since('parked'), [RESUME]);
  });

  describe('and of which the debugger has had a session', () => {
    beforeEach(async () => {
      await move();
      stage.browser.emit('Debugger.resumed', {}, 'session');
      for (const sessionId of ['', 'session']) stage.since(sessionId);
      stage.browser.change(NEW_TAB);
      await stage.clock.idle();
    });

    it('keeps that until one of the relay has the breakpoints', async () => {
      assert.deepEqual([stage.client.sessions, stage.since(''), stage.since('session')], [[], [ATTACH], [RUN]]);
      stage.browser.silent.add(SET);
      stage.browser.silent.delete(ENABLE);
      stage.browser.attach('again', NEW_TAB);
      await stage.clock.idle();
      assert.deepEqual(
        [stage.client.sessions, stage.since('again'), detached()],
        [[], [RUN, ENABLE, SKIP, SET], ['parked']],
      );
      stage.browser.answer(SET, { breakpointId: 'of Chromium' });
      await stage.clock.idle();
      assert.deepEqual(detached(), ['parked', 'session']);
    });

    it('pauses with that of the relay in a script that came before the breakpoints were confirmed', async () => {
      stage.browser.silent.add(SET);
      stage.browser.silent.delete(ENABLE);
      stage.browser.attach('again', NEW_TAB);
      await stage.clock.idle();
      stage.browser.emit('Debugger.scriptParsed', { scriptId: '9', url: `chrome-extension://${ID}/own.js` }, 'again');
      stage.browser.answer(SET, { breakpointId: 'of Chromium' });
      await stage.clock.idle();
      stage.since('again');
      stage.browser.emit(PAUSED, { ...framesOf('9'), reason: 'other', hitBreakpoints: ['of Chromium'] }, 'again');
      await stage.clock.idle();
      assert.deepEqual([stage.since('again'), stage.since('').slice(-1)], [[], [ATTACH]]);
    });

    it('is not held where it moves before, for a debugger whose commands would only be answered after that', async () => {
      stage.browser.attach('again', TAB);
      stage.browser.emit('Fetch.requestPaused', { requestId: '2', frameId: 'tab', request: { url: URL } });
      await stage.clock.idle();
      assert.deepEqual(stage.client.sessions, ['again']);
      assert.deepEqual(stage.since('').slice(-1), ['Fetch.continueRequest']);
    });

    it('pauses with that when it moves before, and hands the pause over', async () => {
      stage.browser.emit('Debugger.scriptParsed', { scriptId: '9', url: `chrome-extension://${ID}/own.js` }, 'session');
      const reason = { reason: 'other', hitBreakpoints: ['own'] };
      stage.browser.emit(PAUSED, { ...framesOf('9'), ...reason }, 'session');
      stage.browser.attach('again', NEW_TAB);
      await stage.clock.idle();
      stage.client.begin('again');
      stage.browser.emit(PAUSED, { ...framesOf('9'), reason: 'other', hitBreakpoints: [] }, 'again');
      stage.browser.answer(ENABLE);
      await stage.clock.idle();
      assert.deepEqual([pauses('again'), detached()], [[['other', ['own']]], ['parked', 'session']]);
    });
  });

  it('has one session of the relay at most', async () => {
    stage.browser.attach('second', NEW_TAB);
    await stage.clock.idle();
    assert.deepEqual([detached(), stage.since('second')], [['second'], [RUN]]);
  });

  it('is forgotten with its session, with its target, and with the connection', async () => {
    stage.browser.emit('Target.detachedFromTarget', { sessionId: 'parked' });
    stage.browser.attach('second', NEW_TAB);
    await stage.clock.idle();
    assert.deepEqual(stage.since('second'), [RUN, ENABLE, SKIP, SET]);
    stage.browser.emit('Target.targetDestroyed', { targetId: 'tab' });
    stage.browser.attach('third', NEW_TAB);
    stage.browser.lose();
    const { length } = stage.browser.sent;
    stage.client.command(SET, { urlRegex: 'late' }, stage.client.root);
    await stage.clock.idle();
    assert.equal(stage.browser.sent.length, length);
  });
});

describe('a page that shows nothing of the extension, while tabs do not wait', () => {
  it('is left without a session', async () => {
    const stage = await RelayStage.attached({}, [BREAKPOINT]);
    stage.browser.attach('left', NEW_TAB, { isWaiting: true });
    await stage.clock.idle();
    assert.deepEqual(stage.since('left'), [RUN]);
    assert.deepEqual(stage.browser.sent.at(-1)?.method, DETACH);
    stage.end();
  });
});
