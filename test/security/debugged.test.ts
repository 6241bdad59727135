import assert from 'node:assert/strict';
import { isWithinLimits } from '../../src/base/jsonLimits';
import { resolveConfiguration } from '../../src/editor/debugger/debugConfiguration';
import { ID, isOwn, PAGE, RelayStage } from '../unit/debugger/relayStage';

const DEEP = '['.repeat(100_000);

/** What a script there may name as its map is looked at in `unit/debugger/servedScripts.test.ts`. */
const SERVED = ['http://localhost:*/**', 'http://127.0.0.1:*/**'];

describe('a hostile extension or page that is debugged', () => {
  let stage: RelayStage;

  beforeEach(async () => {
    stage = await RelayStage.attached();
    stage.browser.attach('page', PAGE);
    stage.client.begin('page');
    await stage.clock.idle();
    stage.since('page');
  });
  afterEach(() => {
    stage.end();
  });

  /** What the browser gets of the debugger's own commands. */
  const passed = (): string[] =>
    stage.browser.sent.filter((message) => message.sessionId === 'page' && !isOwn(message)).map(({ method }) => method);

  it('has source maps loaded from the extension, its folder and servers of this computer alone, of which the relay lets it ask no other', () => {
    const subject = {
      extensionId: ID,
      name: 'x',
      folder: '/home/dev/dist',
      root: '/home/dev',
      port: 1,
      above: new Map(),
      socketAddress: '',
    };
    const own = { type: 'sideload', request: 'launch', name: '' };
    assert.deepEqual(resolveConfiguration(own, subject).configuration['resolveSourceMapLocations'], [
      `chrome-extension://${ID}/**`,
      '/home/dev/dist/**',
      ...SERVED,
    ]);
    const odd = resolveConfiguration(own, { ...subject, folder: '/home/dev/{a,b}/[x]' }).configuration;
    assert.deepEqual(odd['resolveSourceMapLocations'], [
      `chrome-extension://${ID}/**`,
      '/home/dev/?a,b?/?x?/**',
      ...SERVED,
    ]);
  });

  for (const [method, params] of [
    ['Browser.close', {}],
    ['Browser.getVersion', {}],
    ['Target.createTarget', { url: 'file:///etc/passwd' }],
    ['Target.getTargets', {}],
    ['Target.attachToTarget', { targetId: 'other', flatten: true }],
    ['Target.attachToBrowserTarget', {}],
    ['Target.exposeDevToolsProtocol', { targetId: 'other' }],
    ['Storage.getCookies', {}],
    ['Network.getAllCookies', {}],
    ['Network.getCookies', { urls: ['https://bank.test/'] }],
    ['Network.setCookie', { name: 'a', value: 'b', url: 'https://bank.test/' }],
    ['Page.navigate', { url: 'file:///etc/passwd' }],
    ['Page.navigate', { url: 'view-source:file:///etc/passwd' }],
    ['Page.navigate', {}],
    ['Network.loadNetworkResource', { url: 'file:///etc/passwd' }],
    ['Page.setDownloadBehavior', { behavior: 'allow', downloadPath: '/' }],
    ['DOM.setFileInputFiles', { files: ['/etc/passwd'] }],
    ['Extensions.loadUnpacked', { path: '/' }],
    ['SystemInfo.getInfo', {}],
    ['', {}],
  ] as const) {
    it(`gives the debugger no ${method === '' ? 'command without a name' : `${method} ${JSON.stringify(params)}`}`, () => {
      const before = passed().length;
      const id = stage.client.command(method, params, 'page');
      assert.equal(passed().length, before);
      assert(stage.client.answer(id)?.error !== undefined);
    });
  }

  it('leaves the debugger what it needs', () => {
    for (const [method, params] of [
      ['Runtime.evaluate', { expression: '1' }],
      ['Debugger.pause', {}],
      ['Page.navigate', { url: `chrome-extension://${ID}/page.html` }],
      ['Page.navigate', { url: 'https://ours.test/' }],
      ['Network.loadNetworkResource', { url: `chrome-extension://${ID}/a.js.map` }],
      ['Target.setAutoAttach', { autoAttach: true }],
    ] as const) {
      stage.client.command(method, params, 'page');
      assert.equal(passed().at(-1), method);
    }
  });

  it('passes on what was looked at, not a second method of the same text', () => {
    const text = `{"id":77,"method":"Browser.close","sessionId":"page","method":"Runtime.enable","params":{}}`;
    stage.client.events?.onMessage(text);
    const last = stage.browser.sent.at(-1);
    assert.deepEqual([last?.method, last?.id], ['Runtime.enable', 77]);
    assert(!passed().includes('Browser.close'));
  });

  it('ends nothing by a deep or a broken message, of the debugger or of the browser', () => {
    const deep = `${DEEP}${']'.repeat(DEEP.length)}`;
    for (const text of [DEEP, deep, '', 'null', '[]', '{"id":', '{"id":{}}', '"x"', '{"method":7,"sessionId":[]}']) {
      stage.client.events?.onMessage(text);
      stage.browser.receiveText(text);
    }
    const params = `{"targetInfo":{"targetId":"x","type":"page","url":"https://ours.test/","title":${deep}},"sessionId":"deep"}`;
    for (const sessionId of ['', 'page', 'nobody']) {
      const at = `"method":"Target.attachedToTarget","sessionId":"${sessionId}"`;
      stage.browser.receiveText(`{${at},"params":${params}}`);
      stage.client.events?.onMessage(`{"id":5,${at},"params":${params}}`);
      stage.client.events?.onMessage(
        `{"id":6,"method":"Target.setAutoAttach","sessionId":"${sessionId}","params":${deep}}`,
      );
    }
    assert.equal(stage.relay.isClosed, false);
    assert.equal(stage.relay.pausedAt(), undefined);
  });

  it('is not asked for ever about a session that is within itself, or within too many', () => {
    stage.browser.attach('page', { ...PAGE, type: 'iframe' }, { parent: 'page' });
    let parent = 'page';
    for (let depth = 0; depth < 20_000; depth++) {
      stage.browser.attach(
        `frame${depth}`,
        { targetId: `t${depth}`, type: 'iframe', url: 'https://x.test/' },
        { parent },
      );
      parent = `frame${depth}`;
    }
    stage.browser.emit('Debugger.paused', { callFrames: [] }, 'page');
    assert.equal(stage.relay.isPagePaused(PAGE.targetId), true);
    assert.equal(stage.relay.isPagePaused('other'), false);
    assert(stage.client.sessions.length < 200);
    stage.browser.emit('Target.detachedFromTarget', { sessionId: 'page' });
    assert.deepEqual(stage.client.sessions, []);
  });
});

describe('the limits of a JSON text', () => {
  const limits = { depth: 3, values: 10 };

  it('are its nesting and the number of its values, not what strings contain', () => {
    assert(isWithinLimits('{"a":[[1,2,3]]}', limits));
    assert(!isWithinLimits('{"a":[[[1]]]}', limits));
    assert(isWithinLimits('[],[],[],[]', limits));
    assert(!isWithinLimits('[1,2,3,4,5,6,7,8,9,10,11,12]', limits));
    assert(isWithinLimits(String.raw`"[[[[\"[[[[,,,,,,,,,,,,,,\\\"\\"`, limits));
    assert(!isWithinLimits(String.raw`"\\"[[[[`, limits));
    assert(isWithinLimits('"[[[[', limits));
  });
});
