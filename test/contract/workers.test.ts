import { toFile } from '@onkernel/sdk';
import assert from 'node:assert/strict';
import { connectDevTools } from '../../src/devtools/protocol/connect';
import { loadUnpacked } from '../../src/devtools/protocol/loadedExtensions';
import { WorkerWatch } from '../../src/devtools/workers/workers';
import { eventually } from '../support/eventually';
import { EXTENSIONS_ROOT } from '../support/extensionsRoot';
import { manifest, zipOf } from './archives';
import { DevTools, type Target } from './devtools';
import { TestService } from './service';
import { addressOf } from '../support/devToolsAddress';

const FOLDER = `${EXTENSIONS_ROOT}/app`;

/** How often a worker is started that may appear only when its watch has ended. */
const ROUNDS = 10;

/** Longest time until a worker is left that has started, in milliseconds: well within the time for which late ones are let run. */
const LEFT_LIMIT_MS = 5000;

/** Longest time until it answers, in milliseconds. */
const ANSWER_LIMIT_MS = 30_000;

/** The same for one that was let run once more. */
const AGAIN_LIMIT_MS = 5000;

/** Sends messages until one is answered: one that reaches a worker that is ending starts no other worker. */
const WAKE = `(async () => {
  const answer = () => chrome.runtime.sendMessage('wake').catch(() => undefined);
  const pause = () => new Promise((resolve) => setTimeout(resolve, 500));
  for (;;) {
    const answered = await Promise.race([answer(), pause()]);
    if (answered) return answered;
  }
})()`;

describe('WorkerWatch', function () {
  this.timeout(60_000);
  let service: TestService;

  before(async () => {
    service = await TestService.start();
  });
  after(() => service.stop());

  it('tracks a worker that Chromium starts in the target of one that has ended', async () => {
    const browser = await service.client.browsers.create();
    const files = {
      'manifest.json': manifest({ background: { service_worker: 'worker.js' } }),
      'worker.js': 'chrome.runtime.onMessage.addListener((_message, _sender, answer) => answer("awake"));',
      'page.html': '<!doctype html><title>page</title>',
    };
    const zip_file = await toFile(await zipOf(files), 'app.zip');
    await service.client.browsers.fs.uploadZip(browser.session_id, { dest_path: FOLDER, zip_file });
    const connection = await connectDevTools(addressOf({ devToolsUrl: browser.cdp_ws_url }));
    const watch = await WorkerWatch.begin(connection);
    const id = await loadUnpacked(connection, FOLDER);
    assert.equal((await watch.started(id)).state, 'running');

    const devtools = await DevTools.connect(browser.cdp_ws_url);
    const { targetId } = await devtools.result('Target.createTarget', { url: 'about:blank' });
    const page = await devtools.attachTo(String(targetId));
    // A page that is not loaded yet has no API to send a message with.
    await page.show(`chrome-extension://${id}/page.html`);
    await devtools.result('ServiceWorker.enable', {}, page.sessionId);
    for (const round of [1, 2]) {
      watch.forget();
      const stopped = untilWorker(devtools, page, 'stopped');
      await devtools.result('ServiceWorker.stopAllWorkers', {}, page.sessionId);
      await stopped;
      const answer = page.evaluate(WAKE);
      const start = await watch.started(id);
      assert(start.state === 'running', `round ${round}: ${JSON.stringify(start)}`);
      assert.deepEqual(
        start.scripts.map((script) => script.url).filter((script) => script.startsWith('chrome-extension:')),
        [`chrome-extension://${id}/worker.js`],
      );
      assert.equal(await answer, 'awake');
    }
    await watch.dispose();
    connection.dispose();
    devtools.close();
    await service.client.browsers.deleteByID(browser.session_id);
  });

  /** A browser that has an extension with a worker in its files, not loaded yet, and connections to it. */
  const uploaded = async () => {
    const browser = await service.client.browsers.create();
    const files = {
      'manifest.json': manifest({ background: { service_worker: 'worker.js' } }),
      'worker.js': 'globalThis.ran = true;',
    };
    const zip_file = await toFile(await zipOf(files), 'app.zip');
    await service.client.browsers.fs.uploadZip(browser.session_id, { dest_path: FOLDER, zip_file });
    const connection = await connectDevTools(addressOf({ devToolsUrl: browser.cdp_ws_url }));
    const devtools = await DevTools.connect(browser.cdp_ws_url);
    return { browser, connection, devtools };
  };

  it('leaves no worker waiting when a watch ends as soon as an extension is loaded', async () => {
    const { browser, connection, devtools } = await uploaded();
    for (let round = 0; round < ROUNDS; round++) {
      const watch = await WorkerWatch.begin(connection);
      await loadUnpacked(connection, FOLDER);
      void watch.dispose();
      const ran = await devtools.askWorker('globalThis.ran', ANSWER_LIMIT_MS).catch((error: unknown) => error);
      if (ran === true) continue;
      // Was it left waiting, or has Chromium given it no script (C-WORKER-NO-SCRIPT)?
      await devtools.letWorkersRun();
      const again = await devtools.askWorker('globalThis.ran', AGAIN_LIMIT_MS).catch(() => undefined);
      assert.fail(
        `${String(ran)}; when it is let run once more, it ${again === true ? 'runs' : 'does not run either'}`,
      );
    }
    connection.dispose();
    devtools.close();
    await service.client.browsers.deleteByID(browser.session_id);
  });

  it('stays attached to no worker that starts after the watch has ended, which would never stop', async () => {
    const { browser, connection, devtools } = await uploaded();
    const watch = await WorkerWatch.begin(connection);
    const id = await loadUnpacked(connection, FOLDER);
    assert.equal((await watch.started(id)).state, 'running');
    await watch.dispose();
    const { targetId } = await devtools.result('Target.createTarget', { url: 'about:blank' });
    const page = await devtools.attachTo(String(targetId));
    await devtools.result('ServiceWorker.enable', {}, page.sessionId);
    for (let round = 0; round < ROUNDS; round++) {
      const stopped = untilWorker(devtools, page, 'stopped');
      await devtools.result('ServiceWorker.stopAllWorkers', {}, page.sessionId);
      await stopped;
      const running = untilWorker(devtools, page, 'running');
      const scopeURL = `chrome-extension://${id}/`;
      await devtools.result('ServiceWorker.startWorker', { scopeURL }, page.sessionId);
      await running;
      const isLeft = async (): Promise<boolean> => (await workers(devtools, id)).every(({ attached }) => !attached);
      await eventually('nobody is attached to it', isLeft, LEFT_LIMIT_MS);
    }
    connection.dispose();
    devtools.close();
    await service.client.browsers.deleteByID(browser.session_id);
  });
});

/** Waits until Chromium says of a worker that it is `running` or `stopped`, to a page that has enabled that. */
async function untilWorker(devtools: DevTools, page: Target, status: 'running' | 'stopped'): Promise<void> {
  await devtools.event('ServiceWorker.workerVersionUpdated', page.sessionId, `"runningStatus":"${status}"`);
}

/** The targets of an extension's worker. */
async function workers(devtools: DevTools, id: string): Promise<{ attached: boolean }[]> {
  const { targetInfos } = await devtools.result('Target.getTargets');
  assert(Array.isArray(targetInfos));
  const infos = targetInfos as { type: string; url: string; attached: boolean }[];
  return infos.filter(({ type, url }) => type === 'service_worker' && url.includes(id));
}
