import assert from 'node:assert/strict';
import { RelayStage, WORKER } from './relayStage';

const DETACH = 'Target.detachFromTarget';
const ATTACH = 'Target.attachToTarget';
const ISOLATE = 'Runtime.getIsolateId';

describe('a worker that stops while it is debugged', () => {
  let stage: RelayStage;

  beforeEach(async () => {
    stage = await RelayStage.attached();
    await stage.worker();
    stage.since('');
  });

  afterEach(() => {
    stage.end();
  });

  const stop = (session = 'worker'): void => {
    stage.browser.emit('Inspector.targetCrashed', {}, session);
  };
  const gone = (): void => {
    stage.browser.emit('Target.targetDestroyed', { targetId: WORKER.targetId });
  };

  it('ends for the debugger at once, and is detached from, so that the next one has a target of its own', async () => {
    stop();
    assert.deepEqual(stage.client.sessions, []);
    await stage.clock.idle();
    assert.deepEqual(stage.since(''), [DETACH]);
    assert.deepEqual(stage.browser.sent.at(-1)?.params, { sessionId: 'worker' });
  });

  it('is no longer awake, until the next one has its session', async () => {
    assert.equal(stage.relay.hasWorker, true);
    stop();
    assert.equal(stage.relay.hasWorker, false);
    gone();
    await stage.worker('next', { ...WORKER, targetId: 'next-target' });
    assert.deepEqual([stage.relay.hasWorker, stage.hadWorker], [true, [true, false, true]]);
  });

  it('leaves nothing to be done when its target has gone', async () => {
    stop();
    gone();
    await stage.clock.advance(5000);
    assert.deepEqual(stage.since(''), [DETACH]);
  });

  it('ends its pause', async () => {
    const callFrames = [{ functionName: '', location: { scriptId: '1', lineNumber: 0, columnNumber: 0 } }];
    stage.browser.emit('Debugger.paused', { callFrames }, 'worker');
    await stage.clock.advance(100);
    assert.notEqual(stage.relay.pausedAt(), undefined);
    stop();
    assert.equal(stage.relay.pausedAt(), undefined);
  });

  it('gets a new session when it starts in another target, which waits for the debugger', async () => {
    stop();
    gone();
    await stage.worker('next', { ...WORKER, targetId: 'next-target' });
    assert.deepEqual(stage.client.sessions, ['next']);
    assert.deepEqual(stage.since('next').at(-1), 'Runtime.runIfWaitingForDebugger');
  });

  describe('in a target that stays', () => {
    beforeEach(() => {
      stage.browser.results.set(ATTACH, { sessionId: 'again' });
      stage.browser.results.set(ISOLATE, { id: 'isolate' });
    });

    it('is attached to again once it runs there', async () => {
      stop();
      await stage.clock.advance(99);
      assert.deepEqual(stage.since(''), [DETACH]);
      await stage.clock.advance(1);
      assert.deepEqual(stage.since(''), [ATTACH]);
      assert.deepEqual(stage.client.sessions, ['again']);
      stage.client.begin('again', 'service_worker');
      await stage.clock.advance(5000);
      assert.deepEqual(stage.since(''), []);
      assert.equal(stage.since('again').at(-1), 'Runtime.runIfWaitingForDebugger');
    });

    it('is looked at again after half a second, then twice as long each time, as long as it does not answer, and left each time', async () => {
      stage.browser.silent.add(ISOLATE);
      stop();
      await stage.clock.advance(200);
      assert.deepEqual(stage.since(''), [DETACH, ATTACH, DETACH]);
      assert.deepEqual(stage.client.sessions, []);
      await stage.clock.advance(499);
      assert.deepEqual(stage.since(''), []);
      await stage.clock.advance(101);
      assert.deepEqual(stage.since(''), [ATTACH, DETACH]);
      await stage.clock.advance(999);
      assert.deepEqual(stage.since(''), []);
      stage.browser.silent.delete(ISOLATE);
      await stage.clock.advance(1);
      assert.deepEqual([stage.since(''), stage.client.sessions], [[ATTACH], ['again']]);
    });

    it('is attached to again also over a long line, where its answer takes as long as that of the browser', async () => {
      for (const method of [ATTACH, ISOLATE]) stage.browser.silent.add(method);
      stop();
      await stage.clock.advance(100 + 150);
      stage.browser.answer(ATTACH, { sessionId: 'again' });
      await stage.clock.advance(150);
      stage.browser.answer(ISOLATE, { id: 'isolate' });
      await stage.clock.idle();
      assert.deepEqual([stage.since(''), stage.client.sessions], [[DETACH, ATTACH], ['again']]);
    });

    it('is forgotten when the next worker has a target of its own', async () => {
      stage.browser.silent.add(ISOLATE);
      stop();
      await stage.worker('next', { ...WORKER, targetId: 'next-target' });
      stage.since('');
      await stage.clock.advance(20_000);
      assert.deepEqual([stage.since(''), stage.client.sessions], [[], ['next']]);
    });

    it('is still attached to again when the next worker of another profile has started', async () => {
      stage.browser.silent.add(ISOLATE);
      stop();
      await stage.worker('next', { ...WORKER, targetId: 'next-target', browserContextId: 'incognito' });
      stage.browser.silent.delete(ISOLATE);
      await stage.clock.advance(100);
      assert.deepEqual(stage.client.sessions.sort(), ['again', 'next']);
    });

    it('is not shown by the event of the look itself', async () => {
      stage.browser.silent.add(ISOLATE);
      stop();
      await stage.clock.advance(100);
      stage.browser.attach('again', WORKER);
      assert.deepEqual(stage.client.sessions, []);
    });

    it('does not end the next worker, which has come while it was looked at', async () => {
      stage.browser.silent.add(ATTACH);
      stop();
      await stage.clock.advance(100);
      await stage.worker('next', { ...WORKER, targetId: 'next-target' });
      stage.since('');
      stage.browser.attach('again', WORKER);
      stage.browser.answer(ATTACH, { sessionId: 'again' });
      await stage.clock.advance(20_000);
      assert.deepEqual([stage.since(''), stage.client.sessions], [[DETACH], ['next']]);
      assert.deepEqual(stage.browser.sent.at(-1)?.params, { sessionId: 'again' });
    });

    it('is not attached to again when a target can no longer be attached to', async () => {
      stage.browser.results.delete(ATTACH);
      stop();
      await stage.clock.advance(5000);
      assert.deepEqual(stage.since(''), [DETACH, ATTACH]);
    });

    it('may stop once more', async () => {
      stop();
      await stage.clock.advance(100);
      stage.client.begin('again', 'service_worker');
      stage.since('');
      stop('again');
      gone();
      await stage.clock.advance(5000);
      assert.deepEqual([stage.since(''), stage.client.sessions], [[DETACH], []]);
    });

    it('is not looked at after the end of the relay', async () => {
      stop();
      stage.relay.close();
      await stage.clock.advance(5000);
      assert.deepEqual(stage.since(''), [DETACH]);
    });
  });

  it('is no business of a page that crashes, which the debugger goes on with', () => {
    stage.browser.attach('page', {
      targetId: 'page-target',
      type: 'page',
      url: WORKER.url.replace('worker.js', 'a.html'),
    });
    stage.client.begin('page');
    stop('page');
    assert.deepEqual(stage.client.sessions, ['worker', 'page']);
    assert.deepEqual(stage.client.seen('page'), ['Inspector.targetCrashed']);
  });
});
