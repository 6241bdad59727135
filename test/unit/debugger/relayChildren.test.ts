import assert from 'node:assert/strict';
import { textField } from '../../../src/base/fields';
import type { Connection } from '../../../src/devtools/protocol/connect';
import { HiddenTargets, openHiddenTarget } from '../../../src/devtools/protocol/hiddenTargets';
import { ID, isOwn, OTHER, PAGE, RelayStage, type TargetInfo, WORKER } from './relayStage';

const TAB: TargetInfo = { targetId: 'tab', type: 'page', url: 'https://ours.test/page', title: 'Ours' };
const FRAME: TargetInfo = { targetId: 'frame-target', type: 'iframe', url: `chrome-extension://${ID}/frame.html` };
const POPUP: TargetInfo = { targetId: 'popup', type: 'other', url: '' };

describe('the targets that the debugger sees', () => {
  let stage: RelayStage;

  beforeEach(async () => {
    stage = await RelayStage.attached();
  });

  afterEach(() => {
    stage.end();
  });

  const shown = (session: string): unknown =>
    stage.client.received.find(({ params }) => params['sessionId'] === session)?.params;

  it('are new ones that wait for it, also workers that run already', () => {
    stage.browser.attach('worker', WORKER);
    assert.deepEqual(shown('worker'), {
      sessionId: 'worker',
      targetInfo: { ...WORKER, title: 'Service worker', attached: true, canAccessOpener: false },
      waitingForDebugger: true,
    });
    assert.deepEqual(stage.client.seen(stage.client.root), ['Target.attachedToTarget worker']);
  });

  it('send no event before the first command to them, and then all in their order', () => {
    stage.browser.attach('worker', WORKER);
    for (const name of ['Inspector.workerScriptLoaded', 'Runtime.executionContextCreated']) {
      stage.browser.emit(name, {}, 'worker');
    }
    assert.deepEqual(stage.client.seen('worker'), []);
    stage.client.command('Runtime.enable', {}, 'worker');
    stage.browser.emit('Runtime.consoleAPICalled', {}, 'worker');
    assert.deepEqual(stage.client.seen('worker'), [
      'Inspector.workerScriptLoaded',
      'Runtime.executionContextCreated',
      'Runtime.consoleAPICalled',
    ]);
  });

  it('have no script of another process any more, whose id a new one may have', () => {
    stage.browser.attach('page', PAGE);
    stage.client.command('Debugger.enable', {}, 'page');
    const context = (id: number): void => {
      stage.browser.emit('Runtime.executionContextCreated', { context: { id } }, 'page');
    };
    const script = (scriptId: string): void => {
      stage.browser.emit('Debugger.scriptParsed', { scriptId, url: 'script.js', executionContextId: 1 }, 'page');
    };
    const scripts = (): string[] =>
      stage.client.received
        .filter(({ method, sessionId }) => method === 'Debugger.scriptParsed' && sessionId === 'page')
        .map(({ params }) => `${textField(params, 'scriptId')} ${textField(params, 'url')}`);
    context(1);
    context(2);
    for (const id of ['3', '4']) script(id);
    context(3);
    assert.deepEqual(scripts(), ['3 script.js', '4 script.js']);
    context(1);
    script('3');
    assert.deepEqual(scripts().slice(2), ['3 left.cdp', '4 left.cdp', '3 script.js']);
    context(1);
    assert.deepEqual(scripts().slice(5), ['3 left.cdp']);
  });

  it('are let run once more when a page that was let run shows another document, and not before', () => {
    stage.browser.attach('page', PAGE);
    const runs = (): boolean[] =>
      stage.browser.sent
        .filter(({ sessionId, method }) => sessionId === 'page' && method === 'Runtime.runIfWaitingForDebugger')
        .map(isOwn);
    const navigated = (frame: object): void => {
      stage.browser.emit('Page.frameNavigated', { frame: { id: PAGE.targetId, ...frame } }, 'page');
    };
    stage.client.command('Page.enable', {}, 'page');
    navigated({});
    assert.deepEqual(runs(), []);
    stage.client.command('Runtime.runIfWaitingForDebugger', {}, 'page');
    assert.deepEqual(runs(), [false]);
    navigated({ parentId: PAGE.targetId });
    assert.deepEqual(runs(), [false]);
    navigated({});
    assert.deepEqual(runs(), [false, true]);
  });

  it('within a page come and go only once the debugger knows the page', () => {
    stage.browser.attach('page', PAGE);
    stage.browser.attach('frame', FRAME, { parent: 'page' });
    stage.browser.attach('second', { ...FRAME, targetId: 'second-target' }, { parent: 'page' });
    stage.browser.emit('Target.detachedFromTarget', { sessionId: 'second' }, 'page');
    assert.deepEqual(stage.client.sessions, ['page']);
    stage.client.begin('page');
    assert.deepEqual(stage.client.sessions, ['page', 'frame']);
  });

  it('within a page that ends before the debugger knows it are never mentioned', async () => {
    stage.browser.attach('page', PAGE);
    stage.browser.attach('frame', FRAME, { parent: 'page' });
    stage.browser.emit('Target.detachedFromTarget', { sessionId: 'page' });
    await stage.clock.idle();
    assert.deepEqual(stage.client.seen(stage.client.root), [
      'Target.attachedToTarget page',
      'Target.detachedFromTarget page',
    ]);
    assert.deepEqual(stage.client.seen('page'), []);
  });

  it('within a page end with it', () => {
    stage.browser.attach('page', PAGE);
    stage.client.begin('page');
    stage.browser.attach('frame', FRAME, { parent: 'page' });
    stage.client.begin('frame');
    stage.browser.attach('inner', { ...FRAME, targetId: 'inner-target' }, { parent: 'frame' });
    stage.client.begin('inner');
    stage.browser.emit('Target.detachedFromTarget', { sessionId: 'page' });
    assert.deepEqual(stage.client.sessions, []);
    const id = stage.client.command('Runtime.enable', {}, 'inner');
    assert.deepEqual(stage.client.answer(id)?.error, { code: -32001, message: 'Session with given id not found.' });
  });

  it('within a frame end with it, while the page goes on', () => {
    stage.browser.attach('page', PAGE);
    stage.client.begin('page');
    stage.browser.attach('frame', FRAME, { parent: 'page' });
    stage.client.begin('frame');
    stage.browser.attach('inner', { ...FRAME, targetId: 'inner-target' }, { parent: 'frame' });
    stage.client.begin('inner');
    stage.browser.emit('Target.detachedFromTarget', { sessionId: 'frame' }, 'page');
    assert.deepEqual(stage.client.sessions, ['page']);
  });

  it('have types and titles that it knows', () => {
    stage.browser.attach('popup', POPUP);
    stage.browser.attach('offscreen', { ...PAGE, targetId: 'offscreen', type: 'background_page' });
    stage.browser.attach('tab', TAB);
    stage.browser.change({ ...PAGE, targetId: 'popup', title: 'Popup' });
    const infos = stage.client.received.flatMap(({ params }) => params['targetInfo'] ?? []);
    const texts = infos.map((info) => JSON.stringify(info, ['targetId', 'type', 'title']));
    assert.deepEqual(texts.slice(1), [
      '{"targetId":"popup","type":"page","title":""}',
      '{"targetId":"offscreen","type":"page","title":"page.html"}',
      '{"targetId":"tab","type":"page","title":"Ours"}',
      '{"targetId":"popup","type":"page","title":"page.html"}',
    ]);
  });

  it('are none of others: those are let run and left', async () => {
    const others: TargetInfo[] = [
      { targetId: 'settings', type: 'page', url: 'chrome://settings/' },
      { targetId: 'other page', type: 'page', url: `chrome-extension://${OTHER}/page.html` },
      { targetId: 'other worker', type: 'service_worker', url: `chrome-extension://${OTHER}/worker.js` },
      { targetId: 'site', type: 'page', url: 'https://others.test/' },
      { targetId: 'client', type: 'other', url: 'about:blank' },
    ];
    for (const target of others) stage.browser.attach(`to ${target.targetId}`, target, { isWaiting: true });
    await stage.clock.idle();
    assert.deepEqual(stage.client.sessions, []);
    for (const { targetId } of others) {
      assert.deepEqual(stage.browser.commands(`to ${targetId}`), ['Runtime.runIfWaitingForDebugger'], targetId);
    }
    const left = stage.browser.sent.filter(({ method }) => method === 'Target.detachFromTarget');
    assert.deepEqual(
      left.map(({ params }) => params['sessionId']),
      others.map(({ targetId }) => `to ${targetId}`),
    );
  });

  it('hold at once a tab that is opened with an address, before the debugger has said anything', () => {
    stage.browser.attach('tab', TAB, { isWaiting: true });
    assert.deepEqual(stage.browser.commands('tab'), ['Page.waitForDebugger']);
  });

  it('are one for each target, however often it is attached to', async () => {
    stage.browser.attach('tab', TAB);
    stage.browser.attach('again', TAB);
    await stage.clock.idle();
    assert.deepEqual(stage.client.sessions, ['tab']);
    assert.deepEqual(stage.browser.sent.at(-1)?.params, { sessionId: 'again' });
  });

  it('include a tab that shows something of the extension later, which is attached to again', async () => {
    const site = { ...TAB, url: 'https://others.test/' };
    stage.browser.attach('tab', site);
    await stage.clock.idle();
    stage.browser.change({ ...site, title: 'Elsewhere' });
    assert.equal(stage.browser.commands('').includes('Target.attachToTarget'), false);
    stage.browser.change(TAB);
    stage.browser.change({ ...TAB, title: 'Loaded' });
    await stage.clock.idle();
    const attaching = stage.browser.sent.filter(({ method }) => method === 'Target.attachToTarget');
    assert.deepEqual(
      attaching.map(({ params }) => params),
      [{ targetId: 'tab', flatten: true }],
    );
    stage.browser.attach('tab again', TAB);
    assert.deepEqual(stage.client.sessions, ['tab again']);
  });

  it('lose a tab that turns into a page of the browser, and keep one of ours that goes to another site', async () => {
    stage.browser.attach('tab', TAB);
    stage.browser.attach('blank', { targetId: 'blank', type: 'page', url: 'about:blank' });
    stage.client.begin('tab');
    stage.client.begin('blank');
    await stage.clock.idle();
    stage.browser.change({ ...TAB, url: 'https://others.test/' });
    stage.browser.change({ targetId: 'blank', type: 'page', url: 'https://others.test/' });
    assert.deepEqual(stage.client.sessions, ['tab']);
    stage.browser.change({ ...TAB, url: 'chrome://settings/' });
    await stage.clock.idle();
    assert.deepEqual(stage.client.sessions, []);
    assert.equal(stage.browser.sent.filter(({ method }) => method === 'Target.detachFromTarget').length, 2);
  });

  it('include only the newest worker of a profile: the target of the one before is closed', async () => {
    await stage.worker('first');
    await stage.worker('incognito', { ...WORKER, targetId: 'incognito-target', browserContextId: 'incognito' });
    await stage.worker('second', { ...WORKER, targetId: 'second-target' });
    assert.deepEqual(stage.client.sessions, ['incognito', 'second']);
    const closed = stage.browser.sent.filter(({ method }) => method === 'Target.closeTarget');
    assert.deepEqual(
      closed.map(({ params }) => params),
      [{ targetId: WORKER.targetId }],
    );
  });

  it('report no worker of theirs a second time', () => {
    stage.browser.attach('page', PAGE);
    const id = stage.client.command('Target.setAutoAttach', { autoAttach: true, filter: [] }, 'page');
    const sent = stage.browser.sent.at(-1);
    assert.deepEqual([sent?.id, sent?.sessionId], [id, 'page']);
    assert.deepEqual(sent?.params['filter'], [
      { type: 'service_worker', exclude: true },
      { type: 'browser', exclude: true },
      { type: 'tab', exclude: true },
      {},
    ]);
  });

  it('are paused pages also when a frame in them is', async () => {
    stage.browser.attach('page', PAGE);
    stage.client.begin('page');
    stage.browser.attach('frame', FRAME, { parent: 'page' });
    stage.client.begin('frame');
    await stage.clock.idle();
    stage.browser.emit('Debugger.paused', {}, 'frame');
    assert.deepEqual([stage.relay.isPagePaused(PAGE.targetId), stage.relay.isPagePaused('other')], [true, false]);
    stage.browser.emit('Debugger.resumed', {}, 'frame');
    assert.equal(stage.relay.isPagePaused(PAGE.targetId), false);
  });

  it('are no longer paused with another document, of which the browser says no more', async () => {
    stage.browser.attach('page', PAGE);
    stage.client.begin('page');
    await stage.clock.idle();
    stage.browser.emit('Debugger.paused', {}, 'page');
    assert.equal(stage.relay.isPagePaused(PAGE.targetId), true);
    stage.browser.emit('Runtime.executionContextsCleared', {}, 'page');
    assert.equal(stage.relay.isPagePaused(PAGE.targetId), false);
    stage.browser.emit('Debugger.paused', {}, 'page');
    assert.equal(stage.relay.isPagePaused(PAGE.targetId), true);
  });
});

describe('two extensions that are debugged in one browser', () => {
  it('leave each other’s workers waiting, and let all others go', async () => {
    const stage = await RelayStage.attached({ isDebugged: (id) => id === OTHER });
    const third = 'p'.repeat(32);
    for (const id of [OTHER, third]) {
      const target = { targetId: id, type: 'service_worker', url: `chrome-extension://${id}/worker.js` };
      stage.browser.attach(id, target, { isWaiting: true });
    }
    await stage.clock.idle();
    assert.deepEqual(stage.browser.commands(OTHER), []);
    assert.deepEqual(stage.browser.commands(third), ['Runtime.runIfWaitingForDebugger']);
    assert.equal(stage.browser.commands('').filter((method) => method === 'Target.detachFromTarget').length, 2);
    stage.end();
  });
});

describe('a part whose debugging the user stops', () => {
  let stage: RelayStage;

  beforeEach(async () => {
    stage = await RelayStage.attached();
    await stage.worker();
    stage.browser.attach('page', PAGE);
    stage.client.begin('page');
    stage.browser.attach('frame', FRAME, { parent: 'page' });
    stage.client.begin('frame');
    await stage.clock.idle();
  });

  afterEach(() => {
    stage.end();
  });

  it('is left and not closed, when the debugger closes it; what is in it ends first', () => {
    const before = stage.client.received.length;
    const id = stage.client.command('Target.closeTarget', { targetId: PAGE.targetId }, 'page');
    const told = stage.client.received.slice(before);
    assert.deepEqual(told[0]?.result, { success: true });
    assert.equal(told[0].id, id);
    assert.deepEqual(
      told.slice(1).map(({ params }) => params['sessionId']),
      ['frame', 'page'],
    );
    assert.equal(stage.browser.sent.at(-1)?.method, 'Target.detachFromTarget');
    assert.deepEqual(stage.client.sessions, ['worker']);
    assert.equal(
      stage.browser.sent.some(({ method }) => method === 'Target.closeTarget'),
      false,
    );
  });

  it('is left over the session that has attached it', () => {
    stage.client.command('Target.closeTarget', { targetId: FRAME.targetId }, 'frame');
    const { sessionId, method } = stage.browser.sent.at(-1) ?? {};
    assert.deepEqual([sessionId, method], ['page', 'Target.detachFromTarget']);
  });

  it('is not mentioned any more when the debugger itself has detached from it, nor what is in it', async () => {
    const before = stage.client.received.length;
    const id = stage.client.command('Target.detachFromTarget', { sessionId: 'page' }, stage.client.root);
    stage.browser.emit('Target.detachedFromTarget', { sessionId: 'frame' }, 'page');
    stage.browser.emit('Target.detachedFromTarget', { sessionId: 'page' });
    await stage.clock.idle();
    assert.deepEqual(
      stage.client.received.slice(before).map((message) => message.id),
      [id],
    );
    stage.client.command('Runtime.enable', {}, 'frame');
    assert.deepEqual(stage.client.received.at(-1)?.error, {
      code: -32001,
      message: 'Session with given id not found.',
    });
    assert.equal(stage.relay.isClosed, false);
  });
});

describe('commands of the debugger', () => {
  let stage: RelayStage;

  beforeEach(async () => {
    stage = await RelayStage.attached();
    stage.browser.attach('page', PAGE);
  });

  afterEach(() => {
    stage.end();
  });

  it('are answered with their own numbers, and the answers to the relay’s own are not passed on', async () => {
    stage.browser.attach('tab', TAB, { isWaiting: true });
    const id = stage.client.command('Runtime.enable', {}, 'tab');
    await stage.clock.idle();
    assert.deepEqual(stage.browser.sent.filter(({ sessionId }) => sessionId === 'tab').map(isOwn), [true, false]);
    assert.equal(stage.client.answer(id)?.sessionId, 'tab');
    // One that nobody waits for any more is not passed on either.
    stage.browser.answer('Page.waitForDebugger');
    assert.equal(stage.client.received.some(isOwn), false);
  });

  it('to a page wait until its debugger is enabled, except the same command again', async () => {
    stage.browser.silent.add('Debugger.enable');
    stage.client.command('Debugger.enable', {}, 'page');
    stage.client.command('Debugger.setBreakpointByUrl', {}, 'page');
    stage.client.command('Debugger.enable', {}, 'page');
    stage.client.command('Runtime.runIfWaitingForDebugger', {}, 'page');
    await stage.clock.idle();
    assert.deepEqual(stage.since('page'), ['Debugger.enable']);
    stage.browser.answer('Debugger.enable');
    assert.deepEqual(stage.since('page'), [
      'Debugger.setBreakpointByUrl',
      'Debugger.enable',
      'Runtime.runIfWaitingForDebugger',
    ]);
  });

  it('to a page that moves to its process and does not answer wait for its first event of the debugger', async () => {
    stage.browser.silent.add('Debugger.enable');
    stage.client.command('Debugger.enable', {}, 'page');
    stage.client.command('Debugger.setBreakpointByUrl', {}, 'page');
    stage.browser.emit('Runtime.executionContextCreated', {}, 'page');
    await stage.clock.idle();
    assert.deepEqual(stage.since('page'), ['Debugger.enable']);
    stage.browser.emit('Debugger.scriptParsed', { scriptId: '1', url: PAGE.url }, 'page');
    assert.deepEqual(stage.since('page'), ['Debugger.setBreakpointByUrl']);
  });
});

describe('hidden pages of this process', () => {
  let stage: RelayStage;
  let hidden: HiddenTargets;

  beforeEach(async () => {
    hidden = new HiddenTargets();
    stage = await RelayStage.attached({ hidden });
  });

  afterEach(() => {
    stage.end();
  });

  /** Begins to open a hidden page, in the same browser unless another is named; the returned function says which it is. */
  function opening(inBrowser = hidden): (targetId: string) => Promise<void> {
    let opened: (answer: { targetId: string }) => void = () => undefined;
    const answer = new Promise<{ targetId: string }>((resolve) => {
      opened = resolve;
    });
    const connection: Pick<Connection, 'send'> = { send: () => answer };
    inBrowser.join(connection);
    const done = openHiddenTarget(connection, 'about:blank');
    return async (targetId) => {
      opened({ targetId });
      await done;
      await stage.clock.idle();
    };
  }

  it('are never seen by the debugger: a page that may be one is decided about when its opener knows it', async () => {
    const opened = opening();
    stage.browser.attach('hidden', POPUP, { isWaiting: true });
    assert.deepEqual(stage.client.sessions, []);
    await opened(POPUP.targetId);
    assert.deepEqual(stage.client.sessions, []);
    assert.deepEqual(stage.browser.commands('hidden'), ['Runtime.runIfWaitingForDebugger']);
    await stage.clock.advance(1000);
    assert.deepEqual(stage.client.sessions, []);
  });

  it('in another browser concern nothing here', async () => {
    const opened = opening(new HiddenTargets());
    stage.browser.attach('popup', POPUP, { isWaiting: true });
    assert.deepEqual(stage.client.sessions, ['popup']);
    await opened(POPUP.targetId);
    assert.deepEqual(stage.client.sessions, ['popup']);
  });

  it('are left when they were seen already', async () => {
    stage.browser.attach('hidden', POPUP, { isWaiting: true });
    assert.deepEqual(stage.client.sessions, ['hidden']);
    await opening()(POPUP.targetId);
    assert.deepEqual(stage.client.sessions, []);
    assert.deepEqual(stage.browser.commands('hidden'), ['Runtime.runIfWaitingForDebugger']);
  });

  it('hold up the popups that are opened at the same time for half a second', async () => {
    const opened = opening();
    stage.browser.attach('popup', POPUP, { isWaiting: true });
    stage.browser.change({ ...PAGE, targetId: POPUP.targetId });
    await stage.clock.advance(499);
    assert.deepEqual(stage.client.sessions, []);
    await stage.clock.advance(1);
    assert.deepEqual(stage.client.sessions, ['popup']);
    const info = stage.client.received.at(-1)?.params['targetInfo'];
    assert.equal(JSON.stringify(info, ['url']), JSON.stringify({ url: PAGE.url }));
    await opened('another');
    assert.deepEqual(stage.client.sessions, ['popup']);
  });

  it('hold up no popup of another extension for longer, and never show it', async () => {
    const opened = opening();
    stage.browser.attach('popup', POPUP, { isWaiting: true });
    stage.browser.change({ ...POPUP, type: 'page', url: `chrome-extension://${OTHER}/popup.html` });
    await stage.clock.advance(500);
    assert.deepEqual(stage.client.sessions, []);
    assert.deepEqual(stage.browser.commands('popup'), ['Runtime.runIfWaitingForDebugger']);
    await opened('another');
  });

  it('of which one closes before anything is known of it leave nothing', async () => {
    const opened = opening();
    stage.browser.attach('popup', POPUP, { isWaiting: true });
    stage.browser.emit('Target.detachedFromTarget', { sessionId: 'popup' });
    await stage.clock.advance(1000);
    assert.deepEqual(
      stage.client.received.filter(({ params }) => params['sessionId'] === 'popup'),
      [],
    );
    await opened('another');
  });
});
