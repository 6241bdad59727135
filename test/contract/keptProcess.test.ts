import assert from 'node:assert/strict';
import { kill } from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import { HiddenPage, isHiddenPage } from '../../src/devtools/protocol/hiddenPage';
import { eventually } from '../support/eventually';
import { processesWith, residentMib } from './processes';
import { byUpload, type PushChanges } from './pushes';
import { PushStage } from './pushStage';

/** How long the browser may take to do what a push has asked of it, in milliseconds. */
const SOON_MS = 30_000;

/** Everything by which an extension can find pages of its own. */
const SEEN = `Promise.all([
  clients.matchAll({ includeUncontrolled: true, type: 'all' }).then((all) => all.map(({ url }) => url)),
  chrome.runtime.getContexts({}).then((all) => all.map(({ contextType }) => contextType)),
  chrome.tabs.query({}).then((all) => all.length),
]).then(JSON.stringify)`;

/** What a page of the extension was loaded with, by each way to load something. */
const LOADED = `document.readyState === 'complete' && location.protocol === 'chrome-extension:' && Promise.all([
  self.script, self.nested, getComputedStyle(document.body).getPropertyValue('--style').trim(),
  fetch('data.txt').then((answer) => answer.text()), import('./lazy.js').then(({ lazy }) => lazy),
]).then((all) => all.join())`;

describe('the process of a pushed extension', function () {
  this.timeout(60_000);
  const stage = PushStage.forSuite();

  /** The processes of extensions in the browsers of the service. */
  async function extensionProcesses(at: PushStage): Promise<number[]> {
    const ours = await processesWith(at.service.dataFolder);
    return (await processesWith('--extension-process')).filter((pid) => ours.includes(pid));
  }

  /** Waits until the process is kept, and gives its id. */
  async function kept(at: PushStage): Promise<number> {
    const [extension] = await at.loaded();
    await at.engine.connections.of(at.client).use(at.browser, (link) => link.processes.keep(extension?.id ?? ''));
    const pages = (await hiddenPages(at)).filter((url) => !url.startsWith('chrome:'));
    // A page that has just been opened has no address yet.
    assert.deepEqual(
      pages.map((url) => url || 'about:blank'),
      ['about:blank'],
    );
    const [pid, ...others] = await extensionProcesses(at);
    assert.deepEqual(others, []);
    return pid ?? assert.fail('the extension has no process');
  }

  /** The addresses of pages that are in no window. */
  async function hiddenPages(at: PushStage): Promise<string[]> {
    const { targetInfos } = await at.look((connection) => connection.send('Target.getTargets', { filter: [{}] }));
    return targetInfos.filter(({ type }) => type === 'other').map(({ url }) => url);
  }

  async function pushBuild(at: PushStage, build: number, more: PushChanges = {}): Promise<string> {
    await at.write('background.js', `globalThis.BUILD = ${build};`);
    const { reload } = await at.mustRun(more);
    assert.equal(await at.ask('globalThis.BUILD'), build);
    return reload;
  }

  it('is not kept by a page that reads its storage: a push closes that before it reloads the extension', async () => {
    const at = stage();
    const { extensionId } = await at.mustRun();
    const open = (): Promise<HiddenPage | undefined> =>
      at.engine.connections.of(at.client).use(at.browser, ({ connection }) => HiddenPage.open(connection, extensionId));
    for (const build of [2, 3]) {
      assert.ok(await open());
      assert.equal((await hiddenPages(at)).filter(isHiddenPage).length, 1);
      await pushBuild(at, build);
      assert.deepEqual((await hiddenPages(at)).filter(isHiddenPage), []);
    }
  });

  it('is the same after later pushes, by a reload and by a load', async () => {
    const at = stage();
    await pushBuild(at, 1, byUpload);
    const pid = await kept(at);
    assert.equal(await pushBuild(at, 2), 'reload');
    assert.deepEqual(await extensionProcesses(at), [pid]);
    await at.editManifest({ version: '1.0.1' });
    assert.equal(await pushBuild(at, 3), 'load');
    assert.deepEqual(await extensionProcesses(at), [pid]);
  });

  it('is not seen by the extension to be kept', async () => {
    const at = stage();
    await pushBuild(at, 1);
    await kept(at);
    assert.equal(await at.ask(SEEN), '[[],["BACKGROUND"],1]');
  });

  it('is kept no longer than the connection lasts', async () => {
    const at = stage();
    await pushBuild(at, 1);
    await kept(at);
    at.engine.dispose();
    const isGone = async (): Promise<boolean> => (await hiddenPages(at)).length === 0;
    await eventually('the hidden page is gone', isGone, SOON_MS);
  });

  it('has nothing of the previous build in pages that come back, nor in those that are opened then', async () => {
    const at = stage();
    const write = async (build: string): Promise<void> => {
      await at.write(
        'popup.html',
        '<link rel="stylesheet" href="popup.css"><body><script src="popup.js"></script><script type="module" src="outer.js"></script>',
      );
      await at.write('popup.css', `body { --style: ${build} }`);
      await at.write('popup.js', `self.script = '${build}'`);
      await at.write('outer.js', 'import "./inner.js"');
      await at.write('inner.js', `self.nested = '${build}'`);
      await at.write('lazy.js', `export const lazy = '${build}'`);
      await at.write('data.txt', build);
    };
    /** Opens one page more, and gives what each of the `count` open ones has loaded, those that a push brings back included. */
    const look = (count: number): Promise<unknown[]> =>
      at.look(async (connection) => {
        const [extension] = await at.loaded();
        const url = `chrome-extension://${extension?.id ?? ''}/popup.html`;
        await connection.send('Target.createTarget', { url });
        const filter = [{ type: 'page' }];
        let targetIds: string[] = [];
        const areThere = async (): Promise<boolean> => {
          const { targetInfos } = await connection.send('Target.getTargets', { filter });
          targetIds = targetInfos.flatMap((target) => (target.url === url ? [target.targetId] : []));
          return targetIds.length >= count;
        };
        await eventually(`${count} pages are open`, areThere, SOON_MS);
        return await Promise.all(
          targetIds.map(async (targetId) => {
            const { sessionId } = await connection.send('Target.attachToTarget', { targetId, flatten: true });
            const options = { expression: LOADED, awaitPromise: true, returnByValue: true };
            let loaded: unknown;
            const hasLoaded = async (): Promise<boolean> => {
              loaded = (await connection.session(sessionId)?.send('Runtime.evaluate', options))?.result.value;
              return Boolean(loaded);
            };
            await eventually('the page has loaded', hasLoaded, SOON_MS);
            return loaded;
          }),
        );
      });
    await write('a');
    await pushBuild(at, 1);
    const pid = await kept(at);
    assert.deepEqual(await look(1), ['a,a,a,a,a']);
    for (const [before, build] of ['b', 'c'].entries()) {
      await write(build);
      await pushBuild(at, build.charCodeAt(0));
      const loaded = [build, build, build, build, build].join();
      assert.deepEqual(
        await look(before + 2),
        Array.from({ length: before + 2 }, () => loaded),
      );
    }
    assert.deepEqual(await extensionProcesses(at), [pid]);
  });

  it('is kept by the time of a push that follows at once', async () => {
    const at = stage();
    await pushBuild(at, 1);
    await pushBuild(at, 2);
    const pid = await kept(at);
    await pushBuild(at, 3);
    assert.deepEqual(await extensionProcesses(at), [pid]);
    assert.equal(await at.ask(SEEN), '[[],["BACKGROUND"],1]');
  });

  it('is not said to run a worker whose calls of the extension API Chromium refuses', async () => {
    const at = stage();
    await pushBuild(at, 1);
    await at.write('background.js', 'chrome.runtime.getPlatformInfo = () => Promise.reject(new Error("No SW"));');
    const outcome = await at.push();
    assert(outcome.kind === 'wrong', JSON.stringify(outcome));
    assert.match(outcome.reason, /refuses its calls/);
    await pushBuild(at, 2);
  });

  it('may hold a worker that has changed the extension API', async () => {
    const at = stage();
    await at.write('background.js', 'chrome.runtime.getPlatformInfo = () => { throw new Error("not now"); };');
    await at.mustRun();
    await at.write('background.js', 'globalThis.chrome = undefined;');
    await at.mustRun();
  });

  it('may be busy without end in the previous worker', async () => {
    const at = stage();
    await pushBuild(at, 1);
    await kept(at);
    await at.ask('setTimeout(() => { for (;;); }, 50)');
    await delay(200);
    await pushBuild(at, 2);
  });

  it('is kept again after it has crashed', async () => {
    const at = stage();
    await pushBuild(at, 1);
    const first = await kept(at);
    kill(first, 'SIGKILL');
    await eventually('the process has ended', async () => (await extensionProcesses(at)).length === 0, SOON_MS);
    const isClosed = async (): Promise<boolean> => (await hiddenPages(at)).every((url) => url.startsWith('chrome:'));
    await eventually('the crashed page is closed', isClosed, SOON_MS);
    await pushBuild(at, 2);
    const second = await kept(at);
    assert.notEqual(second, first);
    await pushBuild(at, 3);
    assert.deepEqual(await extensionProcesses(at), [second]);
  });

  it('does not grow with each push', async () => {
    const at = stage();
    await pushBuild(at, 1);
    for (let build = 2; build <= 10; build += 1) await pushBuild(at, build);
    // A busy machine may push so fast after a push that the process of before has ended: it is the one that is kept now that must not grow.
    const before = await residentMib(await kept(at));
    for (let build = 11; build <= 30; build += 1) await pushBuild(at, build);
    const grown = (await residentMib(await kept(at))) - before;
    assert(grown < 40, `${grown.toFixed(0)} MiB more after 20 pushes`);
  });
});
