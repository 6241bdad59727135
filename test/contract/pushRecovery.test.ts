import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { attach } from '../../src/devtools/protocol/attach';
import { connectDevTools } from '../../src/devtools/protocol/connect';
import type { Browser } from '../../src/service/model';
import { newKey } from '../bench/extensionKey';
import { eventually } from '../support/eventually';
import { byUpload, newEngine, zipOfOther } from './pushes';
import { PushStage } from './pushStage';
import { addressOf } from '../support/devToolsAddress';

/** How long the browser may take to detach a closed connection from a worker, in milliseconds. */
const DETACH_LIMIT_MS = 30_000;

describe('a push, whatever has happened to the browser,', function () {
  this.timeout(60_000);
  const stage = PushStage.forSuite();

  it('survives a restart: what was pushed in place runs, and the next push too', async () => {
    const at = stage();
    await at.write('background.js', 'globalThis.BUILD = 1;');
    await at.mustRun(byUpload);
    await at.write('background.js', 'globalThis.BUILD = 2;');
    assert.equal((await at.mustRun()).reload, 'reload');
    await at.restartBySomebodyElse();
    assert.equal(await at.ask('globalThis.BUILD'), 2);
    await at.write('background.js', 'globalThis.BUILD = 3;');
    assert.equal((await at.mustRun()).reload, 'load');
    assert.equal(await at.ask('globalThis.BUILD'), 3);
  });

  it('runs the new worker when the previous one is stopped', async () => {
    const at = stage();
    await at.mustRun();
    for (const change of ['background.js', 'manifest.json']) {
      await stopWorkers();
      if (change === 'manifest.json') await at.editManifest({ version: '1.0.1' });
      await at.write('background.js', `globalThis.BUILD = ${JSON.stringify(change)};`);
      await at.mustRun();
      assert.equal(await at.ask('globalThis.BUILD'), change);
    }
  });

  for (const how of ['is closed', 'crashes'] as const) {
    it(`goes on after the hidden page of Chromium's extensions ${how}`, async () => {
      const at = stage();
      await at.mustRun();
      await at.look(async (connection) => {
        const { targetInfos } = await connection.send('Target.getTargets', { filter: [{}] });
        const page = targetInfos.find(({ type, url }) => type === 'other' && url.startsWith('chrome://extensions'));
        const { targetId } = page ?? assert.fail(JSON.stringify(targetInfos));
        if (how === 'is closed') await connection.send('Target.closeTarget', { targetId });
        else {
          const session = (await attach(connection, targetId)) ?? assert.fail('the page is gone');
          session.send('Page.crash').catch(() => undefined);
        }
        const isOpen = (): boolean => at.engine.connections.of(at.client).isOpen(at.browser.id);
        await eventually('the connection has ended', () => !isOpen(), DETACH_LIMIT_MS);
      });
      await at.write('background.js', 'globalThis.BUILD = 2;');
      assert.equal((await at.mustRun()).reload, 'load');
      assert.equal(await at.ask('globalThis.BUILD'), 2);
    });
  }

  it('leaves what a person has pushed, with its storage, when a push of an agent over it is refused', async () => {
    const at = stage();
    await at.editManifest({ key: newKey().toString('base64') });
    await at.write('background.js', 'globalThis.BUILD = 1;');
    const { extensionId } = await at.mustRun();
    assert.equal(await at.ask('chrome.storage.local.set({ kept: 7 }).then(() => 1)'), 1);
    await at.editManifest({ minimum_chrome_version: '999' });
    assert.equal((await at.push({ withoutFiles: true })).kind, 'refusedByBrowser');
    const [left, ...others] = await at.loaded();
    assert.deepEqual([left?.id, left?.enabled, others], [extensionId, true, []]);
    assert.equal(await at.ask('chrome.storage.local.get().then(({ kept }) => `${BUILD} ${kept}`)'), '1 7');
  });

  it('keeps nothing awake: it detaches from the worker and opens no visible tab', async () => {
    const at = stage();
    await at.mustRun();
    await at.write('background.js', 'globalThis.BUILD = 2;');
    const tabs = await at.ask('chrome.tabs.query({}).then((tabs) => tabs.length)');
    await at.mustRun();
    assert.equal(await at.ask('chrome.tabs.query({}).then((tabs) => tabs.length)'), tabs);
    // The connection by which the test has just asked may still be closing.
    await at.look((connection) =>
      eventually(
        'nothing is attached to the worker',
        async () => {
          const { targetInfos } = await connection.send('Target.getTargets', { filter: [{ type: 'service_worker' }] });
          return targetInfos.length > 0 && !targetInfos.some(({ attached }) => attached);
        },
        DETACH_LIMIT_MS,
      ),
    );
  });

  it('replaces a build that another window has pushed meanwhile, even by one that seems unchanged', async () => {
    const at = stage();
    const confirmRestart = (): Promise<never> => Promise.reject(new Error('no restart is needed'));
    await at.write('background.js', 'globalThis.BUILD = "ours";');
    const ours = await at.mustRun();
    const our = at.engine;
    at.engine = newEngine();
    try {
      await at.write('background.js', 'globalThis.BUILD = "of another window";');
      assert.equal((await at.mustRun({ confirmRestart })).extensionId, ours.extensionId);
      assert.equal(await at.ask('globalThis.BUILD'), 'of another window');
    } finally {
      at.engine.dispose();
      at.engine = our;
    }
    await at.write('background.js', 'globalThis.BUILD = "ours";');
    const again = await at.mustRun({ confirmRestart, skipUnchanged: true });
    assert.equal(again.digest, ours.digest);
    assert.equal(await at.ask('globalThis.BUILD'), 'ours');
    assert.equal((await at.push({ skipUnchanged: true })).kind, 'unchanged');
  });

  it('replaces files that somebody else has uploaded, although Chromium has not loaded them', async () => {
    const at = stage();
    const id = at.browser.id;
    const ours = await at.mustRun();
    const [loaded] = await at.loaded();
    assert(loaded);
    await at.client.deleteDirectory(id, loaded.path);
    await at.client.uploadZip(id, await zipOfOther(), loaded.path);
    const again = await at.mustRun({ skipUnchanged: true });
    assert.equal(again.extensionId, ours.extensionId);
    assert.equal((await at.push({ skipUnchanged: true })).kind, 'unchanged');
  });

  it('recognises its build although Chromium writes into the folder of one with rulesets', async () => {
    const at = stage();
    const rule = { id: 1, action: { type: 'block' }, condition: { urlFilter: 'example.org' } };
    await at.write('rules.json', JSON.stringify([rule]));
    await at.editManifest({
      permissions: ['storage', 'declarativeNetRequest'],
      declarative_net_request: { rule_resources: [{ id: 'rules', enabled: true, path: 'rules.json' }] },
    });
    await at.mustRun();
    const [loaded] = await at.loaded();
    assert(loaded);
    const names = (await at.client.listFiles(at.browser.id, loaded.path)).map(({ name }) => name);
    assert.ok(names.includes('_metadata'), names.join());
    await at.write('background.js', 'globalThis.BUILD = 2;');
    const next = await at.mustRun();
    assert.equal(next.reload, 'reload');
    assert.equal((await at.push({ skipUnchanged: true })).kind, 'unchanged');
  });

  it('keeps the previous build when Chromium refuses it', async () => {
    const at = stage();
    await mkdir(join(at.folder, '_locales', 'en'), { recursive: true });
    await at.write('_locales/en/messages.json', '{ "title": { "message": "Sample" } }');
    await at.editManifest({ default_locale: 'en' });
    await at.write('background.js', 'globalThis.BUILD = 1;');
    await at.mustRun();
    await at.editManifest({ minimum_chrome_version: '999' });
    const outcome = await at.push();
    assert.equal(outcome.kind, 'refusedByBrowser', JSON.stringify(outcome));
    assert.equal(await at.ask('globalThis.BUILD'), 1);
    assert.equal(await at.ask('chrome.i18n.getMessage("title")'), 'Sample');
    await at.editManifest({ minimum_chrome_version: '100' });
    await at.write('_locales/en/messages.json', '{ "title": { "message": "Changed" } }');
    await at.mustRun();
    assert.equal(await at.ask('chrome.i18n.getMessage("title")'), 'Changed');
  });

  it('reports that the browser was killed during a push, and continues with another one', async () => {
    const at = stage();
    await at.mustRun();
    for (const moment of ['uploading', 'verifying'] as const) {
      const browser = await at.client.createBrowser({ headless: true, timeoutSeconds: 600 });
      await at.mustRun({ browser });
      await at.write('background.js', `globalThis.BUILD = ${JSON.stringify(moment)};`);
      const pid = await browserProcess(browser);
      const killed = at.push({
        browser,
        onStep: ({ step }) => {
          if (step === moment) process.kill(pid, 'SIGKILL');
        },
      });
      await assert.rejects(killed, (error: Error) => ['ServiceError', 'DevToolsError'].includes(error.name));
    }
    await at.mustRun();
  });

  /** Has all workers sleep, as they do after 30 seconds without an event. */
  function stopWorkers(): Promise<void> {
    return stage().look(async (connection) => {
      const { targetId } = await connection.send('Target.createTarget', { url: 'about:blank' });
      const { sessionId } = await connection.send('Target.attachToTarget', { targetId, flatten: true });
      const page = connection.session(sessionId) ?? assert.fail('no page');
      await page.send('ServiceWorker.enable');
      await page.send('ServiceWorker.stopAllWorkers');
      await connection.send('Target.closeTarget', { targetId });
    });
  }

  /** The process of the session's browser, which runs on this machine. */
  async function browserProcess({ devToolsUrl }: Browser): Promise<number> {
    const connection = await connectDevTools(addressOf({ devToolsUrl }));
    try {
      const { processInfo } = await connection.send('SystemInfo.getProcessInfo');
      return processInfo.find(({ type }) => type === 'browser')?.id ?? assert.fail('no process of the browser');
    } finally {
      connection.dispose();
    }
  }
});
