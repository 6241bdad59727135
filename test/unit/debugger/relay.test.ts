import assert from 'node:assert/strict';
import { MemoryDebugger } from '../../standins/memoryDebugger';
import { MemoryBrowser, OTHER, PAGE, RelayStage, WORKER } from './relayStage';
import type { DevToolsAddress } from '../../../src/service/devToolsAddress';
import { IN_MEMORY } from '../../support/devToolsAddress';

describe('the made-up browser of the relay', () => {
  let stage: RelayStage;

  afterEach(() => {
    stage.end();
  });

  it('has one page, and attaches to the real targets when those of that page are asked for', async () => {
    stage = await RelayStage.start();
    assert.equal(stage.browser.sent.length, 0);
    stage.client.attach();
    assert.deepEqual(stage.client.seen(stage.client.browser), ['Target.targetCreated']);
    assert.deepEqual(stage.browser.commands(''), ['Target.setDiscoverTargets', 'Target.setAutoAttach']);
    assert.deepEqual(stage.events, []);
    await stage.clock.idle();
    assert.deepEqual([stage.events, stage.relay.isAttached], [['attached'], true]);
    const params = stage.browser.sent[1]?.params;
    assert.deepEqual(params, {
      autoAttach: true,
      waitForDebuggerOnStart: true,
      flatten: true,
      filter: [{ type: 'service_worker' }, { type: 'page' }, { type: 'background_page' }, { type: 'other' }],
    });
  });

  it('answers breakpoints of its page, for which the debugger waits, and tells the browser nothing of them', async () => {
    stage = await RelayStage.attached();
    const before = stage.browser.sent.length;
    const id = stage.client.command('Debugger.setBreakpointByUrl', { url: 'a.js', lineNumber: 1 }, stage.client.root);
    const second = stage.client.command(
      'Debugger.setBreakpointByUrl',
      { url: 'a.js', lineNumber: 2 },
      stage.client.root,
    );
    const other = stage.client.command('Page.enable', {}, stage.client.root);
    const [first, next] = [id, second].map((each) => stage.client.answer(each)?.result);
    assert.match(JSON.stringify(first), /^\{"breakpointId":"sideload:.+","locations":\[\]\}$/);
    assert.notDeepEqual(first, next);
    assert.deepEqual(stage.client.answer(other)?.result, {});
    assert.equal(stage.browser.sent.length, before);
  });

  it('has ids that no other relay has, for two extensions that are debugged at once', async () => {
    stage = await RelayStage.attached();
    const second = await RelayStage.attached({ extensionId: OTHER });
    assert.notEqual(second.client.root, stage.client.root);
    assert.notEqual(second.client.browser, stage.client.browser);
    second.end();
  });

  it('reports that its page is reloaded, by which the user wants a restart', async () => {
    stage = await RelayStage.attached();
    stage.client.command('Page.reload', {}, stage.client.root);
    assert.deepEqual(stage.events, ['attached', 'restart']);
  });

  it('leaves out a message that it fails at, whatever that says, and goes on', async () => {
    stage = await RelayStage.attached({
      matches: () => {
        throw new Error('no such address');
      },
    });
    stage.browser.attach('tab', { targetId: 'tab-target', type: 'page', url: 'https://ours.test/' });
    stage.browser.receiveText('{');
    await stage.worker();
    assert.deepEqual(stage.client.sessions, ['worker']);
  });

  it('keeps the connection to the browser in use, until its end', async () => {
    stage = await RelayStage.attached();
    await stage.clock.advance(60_000);
    assert.equal(stage.browser.pings, 3);
    stage.relay.close();
    await stage.clock.advance(60_000);
    assert.equal(stage.browser.pings, 3);
  });

  it('resolves when the debugger lets a page run, after five seconds without that, or at its end', async () => {
    stage = await RelayStage.attached();
    stage.browser.attach('page', PAGE);
    const resolved: string[] = [];
    const wait = (name: string, target: string): void => {
      void stage.relay.untilReady(target).then(() => resolved.push(`${name} ${stage.clock.now()}`));
    };
    wait('ready', PAGE.targetId);
    wait('never there', 'other');
    await stage.clock.advance(50);
    stage.client.begin('page');
    await stage.clock.advance(5000);
    assert.deepEqual(resolved, ['ready 60', 'never there 5000']);
    wait('ended', 'other');
    stage.relay.close();
    await stage.clock.advance(10);
    assert.equal(resolved.length, 3);
  });
});

describe('the end of the relay', () => {
  let stage: RelayStage;

  afterEach(() => {
    stage.end();
  });

  it('comes when the debugger leaves the page: it is told nothing more, and the browser lets run what is paused', async () => {
    stage = await RelayStage.attached();
    await stage.worker();
    const before = stage.client.received.length;
    const id = stage.client.command('Target.detachFromTarget', { sessionId: stage.client.root }, stage.client.browser);
    assert.deepEqual([stage.client.port, stage.browser.isOpen], [0, false]);
    assert.deepEqual(
      stage.client.received.slice(before).map((message) => message.id),
      [id],
    );
    assert.deepEqual(stage.events, ['attached', 'end']);
  });

  it('comes once, also when the debugger has gone before', async () => {
    stage = await RelayStage.attached();
    stage.client.events?.onEnd();
    stage.relay.close();
    assert.deepEqual([stage.events, stage.browser.isOpen], [['attached', 'end'], false]);
  });

  it('comes when no debugger has come in a minute, and not when one has', async () => {
    stage = await RelayStage.attached();
    const alone = await RelayStage.start();
    await alone.clock.advance(59_999);
    assert.deepEqual(alone.events, []);
    await alone.clock.advance(1);
    assert.deepEqual(alone.events, ['end']);
    await stage.clock.advance(120_000);
    assert.deepEqual(stage.events, ['attached']);
  });

  it('ignores what both sides still say', async () => {
    stage = await RelayStage.attached();
    await stage.worker();
    stage.relay.close();
    const [sent, received] = [stage.browser.sent.length, stage.client.received.length];
    stage.browser.attach('late', PAGE);
    stage.browser.emit('Debugger.paused', { callFrames: [] }, 'worker');
    stage.client.command('Debugger.resume', {}, 'worker');
    stage.client.command('Target.setAutoAttach', {}, stage.client.root);
    await stage.clock.advance(10_000);
    assert.deepEqual([stage.browser.sent.length, stage.client.received.length], [sent, received]);
    assert.deepEqual(stage.events, ['attached', 'end']);
  });

  it('comes at the beginning when the browser has ended: nothing listens', async () => {
    stage = await RelayStage.start();
    const [browser, client] = [new MemoryBrowser(), new MemoryDebugger()];
    const start = RelayStage.start({ address: () => Promise.resolve(undefined) }, browser, client);
    await assert.rejects(start, /has ended or restarted/);
    assert.deepEqual([browser.opened, client.port], [0, 0]);
  });

  it('comes at the beginning when nothing can listen: the browser is left', async () => {
    stage = await RelayStage.start();
    const [browser, client] = [new MemoryBrowser(), new MemoryDebugger()];
    client.isRefused = true;
    await assert.rejects(RelayStage.start({}, browser, client), /no port/);
    assert.deepEqual([browser.opened, browser.isOpen], [1, false]);
  });
});

describe('a restart of the browser', () => {
  let stage: RelayStage;
  let addresses: (DevToolsAddress | undefined)[];

  beforeEach(async () => {
    addresses = [];
    stage = await RelayStage.attached({
      address: () => Promise.resolve(addresses.length > 0 ? addresses.shift() : IN_MEMORY),
    });
  });

  afterEach(() => {
    stage.end();
  });

  it('ends all targets for the debugger, the inner ones first, and attaches again to what there is then', async () => {
    await stage.worker();
    stage.browser.attach('page', PAGE);
    stage.client.begin('page');
    stage.browser.attach('frame', { ...PAGE, targetId: 'frame-target', type: 'iframe' }, { parent: 'page' });
    stage.client.begin('frame');
    const before = stage.client.received.length;
    stage.browser.lose();
    const told = stage.client.received.slice(before).map(({ sessionId, params }) => [sessionId, params['sessionId']]);
    const { root } = stage.client;
    assert.deepEqual(told, [
      [root, 'worker'],
      ['page', 'frame'],
      [root, 'page'],
    ]);
    await stage.clock.advance(300);
    assert.deepEqual(stage.events, ['attached', 'attached']);
    await stage.worker('worker again');
    assert.deepEqual(stage.client.sessions, ['worker again']);
  });

  it('is waited for in steps of 300 ms', async () => {
    stage.browser.refusals = 3;
    stage.browser.lose();
    await stage.clock.advance(899);
    assert.deepEqual([stage.browser.opened, stage.events], [3, ['attached']]);
    await stage.clock.advance(301);
    assert.deepEqual([stage.browser.opened, stage.events], [5, ['attached', 'attached']]);
  });

  it('that does not come ends the relay', async () => {
    addresses = [undefined];
    stage.browser.lose();
    await stage.clock.advance(300);
    assert.deepEqual([stage.events, stage.client.port], [['attached', 'end'], 0]);
  });

  it('leaves no session to which a command would go', async () => {
    await stage.worker();
    stage.browser.lose();
    const id = stage.client.command('Debugger.resume', {}, 'worker');
    assert.deepEqual(stage.client.answer(id)?.result, {});
  });

  it('leaves nobody waiting for what the browser was asked before', async () => {
    stage.browser.attach('worker', WORKER, { isWaiting: true });
    stage.browser.silent.add('Debugger.resume');
    let isReleased = false;
    void stage.relay.release().then(() => (isReleased = true));
    await stage.clock.idle();
    assert.equal(isReleased, false);
    stage.browser.lose();
    await stage.clock.idle();
    assert.equal(isReleased, true);
  });

  it('is not waited for after the end of the relay', async () => {
    stage.browser.lose();
    stage.relay.close();
    addresses = [IN_MEMORY];
    await stage.clock.advance(1000);
    assert.deepEqual([stage.browser.opened, addresses.length], [1, 1]);
  });
});
