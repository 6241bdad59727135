import assert from 'node:assert/strict';
import { once } from 'node:events';
import { WebSocket } from 'ws';
import { Relay } from '../../src/debugger/relay';
import { SourceLocations } from '../../src/console/sourceLocations';
import { loadUnpacked } from '../../src/devtools/protocol/loadedExtensions';
import { openSurface } from '../../src/devtools/extensions/surfaces';
import { eventually } from '../support/eventually';
import { startSite } from '../standins/site';
import { ExtensionStage } from './extensionStage';
import { zipOfOther } from './pushes';
import { type Breakpoint, RelayClient } from './relay.client';
import { addressOf } from '../support/devToolsAddress';

const WORKER = `globalThis.first = 1;
chrome.runtime.onMessage.addListener((message, sender, reply) => {
  const sum = message.a + 1;
  reply(sum);
});
globalThis.add = (a) => {
  const sum = a + 1;
  return sum;
};
`;
const PAGE = '<!doctype html><title>Options</title><script src="page.js"></script>';
const PAGE_SCRIPT = 'globalThis.shown = 1;\n';
const CONTENT = 'globalThis.marked = 1;\n';
const NAME = 'Service worker';

const FIRST_LINE: Breakpoint = { urlRegex: '.*/worker\\.js$', lineNumber: 0 };

/** The worker and pages of an extension under a debugger. */
describe('the relay for the debugger', () => {
  let stage: ExtensionStage;
  let id: string;
  let path: string;
  let relay: Relay | undefined;
  let client: RelayClient | undefined;

  before(async () => {
    stage = await ExtensionStage.start();
    ({ id, path } = await stage.load(
      {
        action: { default_popup: 'page.html' },
        options_page: 'page.html',
        content_scripts: [{ matches: ['http://127.0.0.1/*'], js: ['content.js'], run_at: 'document_start' }],
      },
      WORKER,
      undefined,
      { 'page.html': PAGE, 'page.js': PAGE_SCRIPT, 'content.js': CONTENT },
    ));
  });

  afterEach(async () => {
    assert.deepEqual(client?.faults ?? [], []);
    await client?.close();
    relay?.close();
    client = undefined;
    relay = undefined;
    // Nothing is attached to a worker that answers.
    await eventually('the worker runs', async () => (await stage.inWorker(id, 'globalThis.first')) === 1, 30_000).catch(
      async () => {
        await loadUnpacked(stage.link.connection, path);
      },
    );
  });

  after(() => stage.end());

  async function start(
    breakpoints: Breakpoint[] = [],
    matches = (url: string): boolean => url.startsWith('http:'),
  ): Promise<{ relay: Relay; client: RelayClient }> {
    const { devToolsUrl } = await stage.client.getBrowser(stage.browserId);
    relay = await Relay.start({
      extensionId: id,
      name: 'Stage',
      matches,
      address: () => Promise.resolve(addressOf({ devToolsUrl })),
      locations: new SourceLocations(id, undefined),
      log: { debug: () => undefined },
    });
    const attached = once(relay.events, 'attached');
    client = await RelayClient.attach(relay.socketAddress, breakpoints);
    await attached;
    return { relay, client };
  }

  it('gives a session to a worker that runs already, and lets it answer', async () => {
    const { client } = await start();
    const worker = await client.target(NAME, ({ isReady }) => isReady);
    assert.equal(worker.type, 'service_worker');
    const { result } = (await client.send('Runtime.evaluate', { expression: 'first + 1' }, worker.sessionId)) as {
      result: { value: number };
    };
    assert.equal(result.value, 2);
  });

  it('stops a worker at its first statement, at each of ten loads', async () => {
    const { client, relay } = await start([FIRST_LINE]);
    let previous = await client.target(NAME, ({ isReady }) => isReady);
    for (let load = 0; load < 10; load++) {
      await relay.release();
      if (load % 2 === 0) await stage.link.reload(id);
      else await loadUnpacked(stage.link.connection, path);
      const worker = await client.target(NAME, (target) => target !== previous && target.pausedAt !== undefined);
      previous = worker;
      assert.equal(worker.pausedAt, 'worker.js:1');
      await eventually('it stands', () => relay.pausedAt() === 'worker.js:1:1', 30_000);
      if (load < 5) await client.resume(worker);
      await eventually(
        'others are gone',
        () => client.targets.filter(({ title, isGone }) => title === NAME && !isGone).length === 1,
        5000,
      );
    }
    await client.resume(await client.paused(NAME));
    await eventually('it goes on', () => relay.pausedAt() === undefined, 30_000);
  }).timeout(90_000);

  it('keeps the process of the extension alive when a breakpoint is removed with the command to go on', async () => {
    const { client } = await start([]);
    const worker = await client.target(NAME, ({ isReady }) => isReady);
    const { sessionId } = worker;
    for (const isRemovedFirst of [false, true, false, true, false, true]) {
      const set = (await client.send(
        'Debugger.setBreakpointByUrl',
        { urlRegex: '.*/worker\\.js$', lineNumber: 6 },
        sessionId,
      )) as { breakpointId: string };
      const asked = client.send('Runtime.evaluate', { expression: 'add(41)' }, sessionId);
      await eventually('it is paused', () => worker.pausedAt === 'worker.js:7', 30_000);
      const remove = (): Promise<unknown> =>
        client.send('Debugger.removeBreakpoint', { breakpointId: set.breakpointId }, sessionId);
      const resume = (): Promise<unknown> => client.send('Debugger.resume', {}, sessionId);
      await Promise.all(isRemovedFirst ? [remove(), resume()] : [resume(), remove()]);
      const { result } = (await asked) as { result: { value: number } };
      assert.equal(result.value, 42);
    }
    assert.equal(worker.isGone, false);
  }).timeout(60_000);

  it('stops pages, popups and content scripts at their first statements', async () => {
    const site = await startSite();
    try {
      const { client } = await start([
        { urlRegex: '.*/page\\.js$', lineNumber: 0 },
        { urlRegex: '.*/content\\.js$', lineNumber: 0 },
      ]);
      const { connection } = stage.link;
      const opening = openSurface(stage.link, id, 'popup').catch(() => undefined);
      const popup = await client.paused('page.html');
      assert.equal(popup.pausedAt, 'page.js:1');
      await client.resume(popup);
      await opening;
      await stage.closePages(id);
      await eventually('it is gone', () => popup.isGone, 30_000);

      const { targetId } = await connection.send('Target.createTarget', { url: 'about:blank' });
      await client.target('about:blank', ({ isReady }) => isReady);
      const { sessionId } = await connection.send('Target.attachToTarget', { targetId, flatten: true });
      void connection.session(sessionId)?.send('Page.navigate', { url: site.url });
      await eventually(
        () => JSON.stringify(client.targets),
        () => client.targets.some(({ pausedAt }) => pausedAt === 'content.js:1'),
        10_000,
      );
      const tab = client.targets.find(({ pausedAt }) => pausedAt !== undefined);
      assert(tab);
      await client.resume(tab);
      void connection.session(sessionId)?.send('Page.navigate', { url: `chrome-extension://${id}/page.html` });
      const page = await client.paused('page.html');
      assert.equal(page.pausedAt, 'page.js:1');
      await client.resume(page);
      await connection.send('Target.closeTarget', { targetId });
    } finally {
      site.close();
    }
  }).timeout(60_000);

  it('shows neither hidden pages, nor pages that no content script can run in, nor parts of other extensions', async () => {
    const other = await stage.load({ name: 'Other' }, 'globalThis.other = 1;');
    const { client } = await start([], (url) => url.startsWith('http://nowhere.test/'));
    await client.target(NAME, ({ isReady }) => isReady);
    const began = performance.now();
    const hidden = await stage.page(id);
    await stage.link.processes.keep(id);
    // Nobody holds them.
    assert(performance.now() - began < 10_000);
    await loadUnpacked(stage.link.connection, other.path);
    await eventually(
      'it runs',
      async () => (await stage.inWorker(other.id, 'globalThis.other').catch(() => 0)) === 1,
      10_000,
    );
    const { targetId } = await stage.link.connection.send('Target.createTarget', { url: 'chrome://version' });
    await eventually(
      'nobody holds it',
      async () => (await stage.link.targets.list()).some(({ url }) => url.startsWith('chrome://version')),
      10_000,
    );
    await hidden.close();
    assert.deepEqual(
      client.targets.filter(({ isGone, url }) => !isGone && !url.startsWith('about:')).map(({ title }) => title),
      [NAME],
    );
    await stage.link.connection.send('Target.closeTarget', { targetId });
  }).timeout(60_000);

  it('gives its targets again after a restart of the browser, to the same client', async () => {
    const { client, relay } = await start([FIRST_LINE]);
    const before = await client.target(NAME, ({ isReady }) => isReady);
    const attachedAgain = once(relay.events, 'attached');
    await stage.client.uploadExtensionsToBrowser(stage.browserId, [{ name: 'stage', zip: await zipOfOther() }]);
    await eventually('the worker of before is gone', () => before.isGone, 30_000);
    await Promise.all([stage.connectAgain(), attachedAgain]);
    ({ id } = { id: await loadUnpacked(stage.link.connection, path) });
    const worker = await client.paused(NAME);
    assert.equal(worker.pausedAt, 'worker.js:1');
    await client.resume(worker);
  }).timeout(60_000);

  it('refuses web pages, a second client, and addresses that nobody was told', async () => {
    const { devToolsUrl } = await stage.client.getBrowser(stage.browserId);
    relay = await Relay.start({
      extensionId: id,
      name: 'Stage',
      matches: () => false,
      address: () => Promise.resolve(addressOf({ devToolsUrl })),
      locations: new SourceLocations(id, undefined),
      log: { debug: () => undefined },
    });
    const { port, socketAddress: address } = relay;
    assert.doesNotMatch(address, /token/);
    const fromPage = await fetch(`http://127.0.0.1:${port}/json/version`, { headers: { origin: 'https://evil.test' } });
    assert.equal(fromPage.status, 403);
    assert.equal((await fetch(`http://127.0.0.1:${port}/json/list`)).status, 404);
    const told = await (await fetch(`http://127.0.0.1:${port}/json/version`)).text();
    assert(!told.includes(new URL(address).pathname));
    const refused = async (url: string, options = {}): Promise<string> => {
      const [error] = (await once(new WebSocket(url, options), 'error')) as [Error];
      return error.message;
    };
    assert.match(await refused(address, { origin: 'https://evil.test' }), /403/);
    assert.match(await refused(`ws://127.0.0.1:${port}/other`), /403/);
    assert.match(await refused(address, { headers: { host: `evil.test:${port}` } }), /403/);
    client = await RelayClient.attach(address);
    assert.match(await refused(address), /ECONNREFUSED|403/);
    assert.equal(relay.port, 0);
  });

  it('ends when its client leaves the made-up page, and lets run what is paused', async () => {
    const { client, relay } = await start([FIRST_LINE]);
    await client.target(NAME, ({ isReady }) => isReady);
    await stage.link.reload(id);
    await client.paused(NAME);
    const ended = once(relay.events, 'end');
    void client.send('Target.detachFromTarget', { sessionId: client.root }).catch(() => undefined);
    await ended;
    await eventually('the worker runs', async () => (await stage.inWorker(id, 'globalThis.first')) === 1, 30_000);
  }).timeout(30_000);

  it('leaves a page open whose debugging the user stops, and lets it run', async () => {
    const { client } = await start([{ urlRegex: '.*/page\\.js$', lineNumber: 0 }]);
    await client.target(NAME, ({ isReady }) => isReady);
    const { connection, targets } = stage.link;
    const { targetId } = await connection.send('Target.createTarget', { url: 'about:blank' });
    // There is another tab with this title.
    await client.target('about:blank', (tab) => tab.isReady && tab.targetId === targetId);
    const { sessionId } = await connection.send('Target.attachToTarget', { targetId, flatten: true });
    const tab = connection.session(sessionId);
    assert(tab);
    void tab.send('Page.navigate', { url: `chrome-extension://${id}/page.html` });
    const page = await client.paused('page.html');
    // As js-debug does for "Stop" on the session of one page.
    assert.deepEqual(await client.send('Target.closeTarget', { targetId }, page.sessionId), { success: true });
    await eventually('the debugger has no session of it', () => page.isGone, 30_000);
    const shown = async (): Promise<unknown> =>
      (await tab.send('Runtime.evaluate', { expression: 'globalThis.shown' })).result.value;
    await eventually('it runs', async () => (await shown()) === 1, 30_000);
    assert((await targets.list()).some((target) => target.targetId === targetId));
    // The worker is still debugged.
    const worker = await client.target(NAME);
    assert.equal(worker.isGone, false);
    await connection.send('Target.closeTarget', { targetId });
  }).timeout(60_000);

  it('reports a restart that the user wants', async () => {
    const { client, relay } = await start();
    const wanted = once(relay.events, 'restart');
    await client.send('Page.reload', {}, client.root);
    await wanted;
  });
});
