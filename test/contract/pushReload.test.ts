// Covers: test/fixtures/sample
import assert from 'node:assert/strict';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Browser as RemoteBrowser, type Page } from 'playwright-core';
import { connectDevTools } from '../../src/devtools/protocol/connect';
import { listExtensions } from '../../src/devtools/protocol/loadedExtensions';
import type { TestEngine } from '../support/testEngine';
import { shortDigest } from '../../src/push/folderName';
import type { KnownOutcome } from '../../src/push/outcome';
import { parseBaseUrl } from '../../src/service/serviceAddress';
import { ServiceClient } from '../../src/service/client';
import { silentLogger } from '../../src/service/logger';
import type { Browser } from '../../src/service/model';
import { EXTENSIONS_ROOT } from '../support/extensionsRoot';
import { eventually } from '../support/eventually';
import { newEngine, pushOnce, type PushChanges, zipOfOther } from './pushes';
import { TestService } from './service';
import { addressOf } from '../support/devToolsAddress';

const SAMPLE = join(__dirname, '..', 'fixtures', 'sample');

/** How long the browser may take to do what a push has asked of it, in milliseconds. */
const SOON_MS = 30_000;

describe('a later push', function () {
  this.timeout(60_000);
  let service: TestService;
  let client: ServiceClient;
  let site: Server;
  let siteUrl: string;
  /** The browser of all tests; a test that leaves something behind in it ends it. */
  let kept: Browser | undefined;
  let browser: Browser;
  let folder: string;
  let engine: TestEngine;
  let remote: RemoteBrowser;
  let extensionId: string;

  before(async () => {
    service = await TestService.start();
    client = new ServiceClient({ baseUrl: parseBaseUrl(service.baseUrl), token: service.token, log: silentLogger });
    site = createServer((_request, response) => {
      response.setHeader('content-type', 'text/html').end('<!doctype html><title>site</title><p>site');
    });
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
    siteUrl = `http://127.0.0.1:${(site.address() as AddressInfo).port}/`;
  });

  after(async () => {
    site.closeAllConnections();
    site.close();
    await endBrowser();
    await client.close();
    await service.stop();
  });

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sideload-reload-'));
    await cp(SAMPLE, folder, { recursive: true });
    await write('background.js', 'globalThis.BUILD = 1;');
    await write('content.js', 'document.documentElement.dataset.build = "1";');
    kept ??= await client.createBrowser({ headless: true, timeoutSeconds: 600 });
    browser = kept;
    engine = newEngine();
    extensionId = (await mustRun()).extensionId;
    remote = await chromium.connectOverCDP(browser.devToolsUrl);
  });

  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await endBrowser();
    else await leaveNothing();
    await remote.close();
    engine.dispose();
    await rm(folder, { recursive: true, force: true });
  });

  /** Ends the browser; the next test gets a new one. */
  async function endBrowser(): Promise<void> {
    if (kept) await client.deleteBrowser(kept.id);
    kept = undefined;
  }

  /** Closes the tabs, and empties the storage of the extension. What the manifest asked for goes with the next push. */
  async function leaveNothing(): Promise<void> {
    if (!kept) return;
    const context = remote.contexts()[0] ?? assert.fail('no context');
    const tabs = context.pages();
    await context.newPage();
    await Promise.all(tabs.map((tab) => tab.close()));
    await inWorker('chrome.storage?.local.clear()');
  }

  const write = (name: string, text: string): Promise<void> => writeFile(join(folder, name), text);

  async function mustRun(more: PushChanges = {}): Promise<Extract<KnownOutcome, { kind: 'running' }>> {
    const outcome = await pushOnce(engine, { service: client, browser, folder }, more);
    assert.equal(outcome.kind, 'running', JSON.stringify(outcome));
    return outcome;
  }

  /** A value in the worker, asked for by Playwright, which knows nothing of Sideload and may know of the previous worker only. */
  async function inWorker(expression: string): Promise<unknown> {
    const context = remote.contexts()[0] ?? assert.fail('no context');
    const isOurs = (url: string): boolean => url.startsWith(`chrome-extension://${extensionId}/`);
    let value: unknown;
    let reason = 'none is known';
    const ask = async (): Promise<boolean> => {
      try {
        const worker = context.serviceWorkers().findLast((one) => isOurs(one.url()));
        value = await worker?.evaluate(expression);
        return worker !== undefined;
      } catch (error) {
        reason = String(error);
        return false;
      }
    };
    await eventually(() => `a worker answers: ${reason}`, ask, SOON_MS);
    return value;
  }

  async function openTab(url: string): Promise<Page> {
    const tab = await (remote.contexts()[0] ?? assert.fail('no context')).newPage();
    await tab.goto(url);
    return tab;
  }

  const buildIn = (tab: Page): Promise<string | undefined> =>
    tab.evaluate<string | undefined>('document.documentElement.dataset.build');

  /** Waits until the content script has written `value` into the page. */
  async function becomes(tab: Page, name: string, value: string): Promise<void> {
    const read = (): Promise<unknown> =>
      tab.evaluate(`document.documentElement.dataset.${name}`).catch(() => undefined);
    await eventually(`${name} is ${value} in the tab`, async () => (await read()) === value, SOON_MS);
  }

  async function editManifest(changes: Record<string, unknown>): Promise<void> {
    const manifest = JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8')) as Record<string, unknown>;
    await write('manifest.json', JSON.stringify({ ...manifest, ...changes }));
  }

  it('of the worker keeps tabs, their state and the storage of the extension', async () => {
    const tab = await openTab(siteUrl);
    await tab.evaluate('globalThis.state = "kept"');
    await inWorker('chrome.storage.local.set({ kept: 7 })');
    await write('background.js', 'globalThis.BUILD = 2;');
    const outcome = await mustRun();
    assert.deepEqual([outcome.reload, outcome.worker], ['reload', 'running']);
    assert.equal(await inWorker('BUILD'), 2);
    assert.equal(await tab.evaluate('globalThis.state'), 'kept');
    assert.equal(await inWorker('chrome.storage.local.get("kept").then(({ kept }) => kept)'), 7);
  });

  it('of the manifest loads the extension again', async () => {
    await write(
      'manifest.json',
      JSON.stringify({
        manifest_version: 3,
        name: 'Sideload Sample',
        version: '2.0',
        background: { service_worker: 'background.js' },
      }),
    );
    // Another name would be another folder; the test keeps it, so the id stays.
    const outcome = await mustRun();
    assert.deepEqual([outcome.reload, outcome.version, outcome.extensionId], ['load', '2.0', extensionId]);
    assert.equal(await inWorker('BUILD'), 1);
  });

  it('of a content script reloads the visible tab, and with "none" no tab', async () => {
    const tab = await openTab(siteUrl);
    assert.equal(await buildIn(tab), '1');
    await write('content.js', 'document.documentElement.dataset.build = "2";');
    assert.equal((await mustRun()).reload, 'reload');
    await becomes(tab, 'build', '2');
    await tab.evaluate('globalThis.state = "kept"');
    await write('content.js', 'document.documentElement.dataset.build = "3";');
    await mustRun({ tabs: 'none' });
    assert.equal(await tab.evaluate('globalThis.state'), 'kept');
    assert.equal(await buildIn(await openTab(siteUrl)), '3');
  });

  describe('of a content script, with "inject",', () => {
    beforeEach(async () => {
      await editManifest({ permissions: ['scripting'], host_permissions: ['http://127.0.0.1/*'] });
      await mustRun();
    });

    it('injects it into all open tabs without a reload, with a connection to the new worker', async () => {
      const [behind, front] = [await openTab(siteUrl), await openTab(siteUrl)];
      for (const tab of [behind, front]) await tab.evaluate('globalThis.state = "kept"');
      await write(
        'background.js',
        'chrome.runtime.onMessage.addListener((_m, _s, answer) => { answer("new worker"); });',
      );
      await write(
        'content.js',
        `document.documentElement.dataset.build = "2";
         chrome.runtime.sendMessage("who?").then((answer) => { document.documentElement.dataset.answer = answer; });`,
      );
      await mustRun({ tabs: 'inject' });
      for (const tab of [behind, front]) {
        await becomes(tab, 'build', '2');
        await becomes(tab, 'answer', 'new worker');
        assert.equal(await tab.evaluate('globalThis.state'), 'kept');
      }
      assert.equal(await buildIn(await openTab(siteUrl)), '2');
    });

    it('reloads the visible tab where the extension lacks the permission, and says why', async () => {
      const warnings: string[] = [];
      engine.dispose();
      engine = newEngine({ ...silentLogger, warn: (message: string) => void warnings.push(message) });
      await editManifest({ permissions: [] });
      await mustRun();
      const tab = await openTab(siteUrl);
      await write('content.js', 'document.documentElement.dataset.build = "2";');
      await mustRun({ tabs: 'inject' });
      await becomes(tab, 'build', '2');
      assert.match(warnings.join('\n'), /it has no "scripting" permission/);
    });
  });

  it('of a page does not restart the worker and reloads the open page', async () => {
    await inWorker('globalThis.state = "kept"');
    const popup = await openTab(`chrome-extension://${extensionId}/popup.html`);
    await write('popup.html', '<!doctype html><title>new popup</title>');
    const outcome = await mustRun();
    assert.deepEqual([outcome.reload, outcome.worker], ['pages', 'kept']);
    await eventually(
      'the page is the new one',
      async () => (await popup.title().catch(() => '')) === 'new popup',
      SOON_MS,
    );
    assert.equal(await inWorker('globalThis.state'), 'kept');
  });

  it('of a page reloads it wherever it is shown: popup, offscreen document, and frame in a tab', async () => {
    await editManifest({
      permissions: ['offscreen'],
      action: { default_popup: 'shown.html?popup' },
      web_accessible_resources: [{ matches: ['<all_urls>'], resources: ['shown.html'] }],
    });
    const report = (build: number): string =>
      `chrome.runtime.sendMessage({ shown: location.search, build: ${build} }); setInterval(() => {}, 1e9);`;
    await write('shown.html', '<!doctype html><script src="shown.js"></script>');
    await write('shown.js', report(1));
    await write(
      'background.js',
      'globalThis.builds = {}; chrome.runtime.onMessage.addListener(({ shown, build }) => { builds[shown] = build; });',
    );
    await write(
      'content.js',
      `addEventListener("DOMContentLoaded", () => {
         const frame = document.body.appendChild(document.createElement("iframe"));
         frame.src = chrome.runtime.getURL("shown.html?frame");
       });`,
    );
    await mustRun();
    await openTab(siteUrl);
    await inWorker(
      `Promise.all([
        chrome.action.openPopup(),
        chrome.offscreen.createDocument({ url: "shown.html?offscreen", reasons: ["BLOBS"], justification: "test" }),
      ])`,
    );
    const all = async (build: number): Promise<void> => {
      const wanted = JSON.stringify({ '?frame': build, '?offscreen': build, '?popup': build });
      const seen = (): Promise<unknown> =>
        inWorker('JSON.stringify(Object.fromEntries(Object.entries(builds).sort()))').catch(() => undefined);
      await eventually(`all show build ${build}`, async () => (await seen()) === wanted, SOON_MS);
    };
    await all(1);
    await write('shown.js', report(2));
    assert.equal((await mustRun()).reload, 'pages');
    await all(2);
  });

  it('of a script that the worker has registered runs at the next visit', async () => {
    await editManifest({ permissions: ['scripting'], host_permissions: ['http://127.0.0.1/*'], content_scripts: [] });
    await write('registered.js', 'document.documentElement.dataset.build = "1";');
    await write(
      'background.js',
      `chrome.scripting.registerContentScripts([
         { id: "r", js: ["registered.js"], matches: ["http://127.0.0.1/*"], runAt: "document_start" },
       ]).catch(() => undefined);`,
    );
    await mustRun();
    await inWorker('chrome.scripting.getRegisteredContentScripts().then((all) => all.length)');
    assert.equal(await buildIn(await openTab(siteUrl)), '1');
    await write('registered.js', 'document.documentElement.dataset.build = "2";');
    await mustRun();
    const isNew = async (): Promise<boolean> => {
      const tab = await openTab(siteUrl);
      const build = await buildIn(tab);
      await tab.close();
      return build === '2';
    };
    await eventually('a new tab runs the new script', isNew, SOON_MS);
  });

  it('of the script of a page, beside "scripting", reloads that page only, unless the script is registered', async () => {
    await editManifest({ permissions: ['scripting', 'storage'], host_permissions: ['http://127.0.0.1/*'] });
    await write('popup.js', 'document.documentElement.dataset.page = "1";');
    await mustRun();
    const page = await openTab(`chrome-extension://${extensionId}/popup.html`);
    await inWorker('void (globalThis.kept = true)');
    await write('popup.js', 'document.documentElement.dataset.page = "2";');
    assert.equal((await mustRun()).reload, 'pages');
    await becomes(page, 'page', '2');
    assert.equal(await inWorker('globalThis.kept'), true);
    await inWorker(
      'chrome.scripting.registerContentScripts([{ id: "r", js: ["/popup.js"], matches: ["http://127.0.0.1/*"] }])',
    );
    await write('popup.js', 'document.documentElement.dataset.page = "3";');
    assert.equal((await mustRun()).reload, 'reload');
  });

  it('reopens the pages of the extension that its reload closes', async () => {
    await openTab(`chrome-extension://${extensionId}/popup.html`);
    await write('background.js', 'globalThis.BUILD = 3;');
    await mustRun();
    const pages = (): string[] => remote.contexts().flatMap((context) => context.pages().map((page) => page.url()));
    const isOpen = (): Promise<boolean> =>
      Promise.resolve(pages().includes(`chrome-extension://${extensionId}/popup.html`));
    await eventually('the page is open again', isOpen, SOON_MS);
  });

  it('survives that the extension reloads itself, which would disable it without Developer mode', async () => {
    await inWorker('void setTimeout(() => chrome.runtime.reload(), 10)');
    await new Promise((resolve) => setTimeout(resolve, 1500));
    const connection = await connectDevTools(addressOf(browser));
    const [loaded] = (await listExtensions(connection)).filter(({ path }) => path === `${EXTENSIONS_ROOT}/sample`);
    connection.dispose();
    assert.equal(loaded?.enabled, true);
    await write('background.js', 'globalThis.BUILD = 4;');
    await mustRun();
  });

  it('continues after somebody else has restarted the browser', async () => {
    await remote.close();
    await client.uploadExtensionsToBrowser(browser.id, [{ name: 'other', zip: await zipOfOther() }]);
    await write('background.js', 'globalThis.BUILD = 5;');
    await mustRun();
    remote = await chromium.connectOverCDP(browser.devToolsUrl);
    assert.equal(await inWorker('BUILD'), 5);
    // The other extension stays in it.
    await endBrowser();
  });

  it('restores the previous build when a push was interrupted between its two renames', async () => {
    const ours = `.sideload-old-${shortDigest('sample')}-0`;
    const others = `.sideload-old-${shortDigest('other')}-0`;
    await client.createDirectory(browser.id, `${EXTENSIONS_ROOT}/.sideload-new-${shortDigest('sample')}-0`);
    await client.createDirectory(browser.id, `${EXTENSIONS_ROOT}/${others}`);
    await client.moveFile(browser.id, `${EXTENSIONS_ROOT}/sample`, `${EXTENSIONS_ROOT}/${ours}`);
    engine.dispose();
    engine = newEngine();
    await write('background.js', 'globalThis.BUILD = 6;');
    await mustRun();
    assert.equal(await inWorker('BUILD'), 6);
    const names = async (): Promise<string> =>
      (await client.listFiles(browser.id, EXTENSIONS_ROOT))
        .map(({ name }) => name)
        .sort()
        .join();
    // Another extension may be on its way from another window. What the push itself has put aside goes once it has ended.
    await eventually('nothing of ours is left', async () => (await names()) === `${others},sample`, SOON_MS);
    await client.deleteDirectory(browser.id, `${EXTENSIONS_ROOT}/${others}`);
  });
});
