import assert from 'node:assert/strict';
import { once } from 'node:events';
import { basename, dirname } from 'node:path';
import { Relay } from '../../src/debugger/relay';
import { SourceLocations } from '../../src/console/sourceLocations';
import { connectDevTools } from '../../src/devtools/protocol/connect';
import { peek } from '../../src/devtools/protocol/evaluate';
import { eventually } from '../support/eventually';
import { startSite } from '../standins/site';
import { PushStage } from './pushStage';
import { type KnownTarget, RelayClient } from './relay.client';
import { addressOf } from '../support/devToolsAddress';

const NAME = 'Service worker';

/** The build of the content script in a tab. */
const SHOWN = 'document.documentElement.dataset.build';

const workerOf = (build: number, more = ''): string => `globalThis.build = ${build};\n${more}\n`;

describe('pushes of an extension that is debugged', function () {
  this.timeout(90_000);
  let relay: Relay | undefined;
  let client: RelayClient | undefined;

  afterEach(async () => {
    const faults = client?.faults ?? [];
    await client?.close();
    relay?.close();
    [client, relay] = [undefined, undefined];
    assert.deepEqual(faults, []);
  });
  const stage = PushStage.forSuite();

  /** Pushes the first build and debugs it, with a breakpoint on a line from 1 of its worker. */
  async function debug(line: number, more?: string, file = 'background'): Promise<RelayClient> {
    await stage().write('background.js', workerOf(0, more));
    const { extensionId } = await stage().mustRun();
    const { client: service, browser, engine } = stage();
    const browsers = engine.connections.of(service);
    relay = await Relay.start({
      extensionId,
      name: 'Sample',
      matches: (url) => url.startsWith('http:'),
      address: () => Promise.resolve(addressOf(browser)),
      locations: new SourceLocations(extensionId, { folder: stage().folder, root: dirname(stage().folder) }),
      hidden: browsers.hiddenOf(browser),
      log: { debug: () => undefined },
    });
    const debuggers = browsers.debuggersOf(browser);
    debuggers.add(relay);
    relay.events.on('pause', () => {
      debuggers.changed();
    });
    const attached = once(relay.events, 'attached');
    client = await RelayClient.attach(relay.socketAddress, [{ urlRegex: `.*/${file}\\.js$`, lineNumber: line - 1 }]);
    await attached;
    await client.target(NAME, ({ isReady }) => isReady);
    return client;
  }

  /** The workers that the debugger has sessions with. */
  const workers = (): string[] =>
    client?.targets.filter(({ title, isGone }) => title === NAME && !isGone).map(({ sessionId }) => sessionId) ?? [];

  it('stop each new worker at its first statement and say where, 20 times in a row, whether it went on or not', async () => {
    const client = await debug(1);
    for (let build = 1; build <= 20; build++) {
      await stage().write('background.js', workerOf(build));
      const { worker, pausedAt } = await stage().mustRun();
      assert.equal(worker, 'paused', `build ${build}`);
      assert.equal(pausedAt, `${basename(stage().folder)}/background.js:1:1`);
      const paused = await client.paused(NAME);
      assert.equal(paused.pausedAt, 'background.js:1');
      await eventually('there is one worker', () => workers().length === 1, 10_000);
      if (build % 2 === 0) await client.resume(paused);
    }
    assert.equal(await stage().ask('globalThis.build'), 20);
  });

  it('say where in its source a built worker has stopped', async () => {
    await debug(1);
    const map = { version: 3, sources: ['worker.ts'], names: [], mappings: ';;AAEA' };
    await stage().write('worker.ts', '\n\nexport const build: number = 1;\n');
    await stage().write('background.js.map', JSON.stringify(map));
    // Its first statement is in line 3, which has the breakpoint of line 1 as no code is before it.
    await stage().write('background.js', '\n\nglobalThis.build = 1;\n//# sourceMappingURL=background.js.map');
    assert.equal((await stage().mustRun()).pausedAt, `${basename(stage().folder)}/worker.ts:3:1`);
  });

  it('replace a worker that is paused in a function', async () => {
    const act = 'globalThis.act = () => {\n  return 1;\n};';
    const client = await debug(3, act);
    const worker = await client.target(NAME);
    void client.send('Runtime.evaluate', { expression: 'act()' }, worker.sessionId).catch(() => undefined);
    await client.paused(NAME);
    await stage().write('background.js', workerOf(1, act));
    assert.equal((await stage().mustRun()).worker, 'running');
    assert.equal(await stage().ask('globalThis.build'), 1);
    assert.equal(workers().length, 1);
  });

  it('reload it also when nothing has changed, if asked to', async () => {
    await debug(1);
    assert.equal((await stage().mustRun()).reload, 'none');
    const { reload, worker } = await stage().mustRun({ mustReload: true });
    assert.deepEqual([reload, worker], ['reload', 'paused']);
  });

  it('leave a tab alone that is paused, and reload it once it goes on', async () => {
    const scriptOf = (build: number): string => `document.documentElement.dataset.build = '${build}';\n`;
    await stage().write('content.js', scriptOf(0));
    const client = await debug(1, '', 'content');
    const web = await startSite();
    const connection = await connectDevTools(addressOf(stage().browser));
    try {
      const { targetId } = await connection.send('Target.createTarget', { url: 'about:blank' });
      const { sessionId } = await connection.send('Target.attachToTarget', { targetId, flatten: true });
      const tab = connection.session(sessionId) ?? assert.fail('the tab is gone');
      await client.target('about:blank', ({ isReady }) => isReady);
      void tab.send('Page.navigate', { url: web.url });
      const pausedTab = (): KnownTarget | undefined =>
        client.targets.find(({ pausedAt }) => pausedAt === 'content.js:1');
      await eventually('the tab is paused', () => pausedTab() !== undefined, 10_000);
      await stage().write('content.js', scriptOf(1));
      await stage().mustRun({ tabs: 'all' });
      const first = pausedTab() ?? assert.fail('the tab was reloaded');
      client.breakpoints = [];
      await client.resume(first);
      await eventually('the tab shows', async () => (await peek(tab, SHOWN)) === '0', 10_000);
      await stage().write('content.js', scriptOf(2));
      await stage().mustRun({ tabs: 'all' });
      await eventually('it stops again', () => pausedTab() !== undefined, 10_000);
      await client.resume(pausedTab() ?? first);
      await eventually('it shows the build', async () => (await peek(tab, SHOWN)) === '2', 10_000);
      void tab.send('Page.reload');
      await eventually('it stops once more', () => relay?.isPagePaused(targetId) === true, 10_000);
      void tab.send('Page.navigate', { url: 'about:blank' });
      await eventually('it has left what was paused', () => relay?.isPagePaused(targetId) === false, 10_000);
      await connection.send('Target.closeTarget', { targetId });
    } finally {
      connection.dispose();
      web.close();
    }
  });

  it('report the fault of a worker, and verify one without breakpoints', async () => {
    await debug(5);
    await stage().write('background.js', 'throw new Error("no");');
    const failed = await stage().push();
    assert.equal(failed.kind, 'workerFailed');
    await stage().write('background.js', workerOf(2));
    assert.equal((await stage().mustRun()).worker, 'running');
  });
});
