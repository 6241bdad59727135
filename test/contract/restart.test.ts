import JSZip from 'jszip';
import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Ahead, testsOf } from './ahead';
import { extensionZip, manifest } from './archives';
import { DevTools } from './devtools';
import { eventually } from '../support/eventually';
import { TestService } from './service';
import { upload } from './uploads';

type Browser = Awaited<ReturnType<TestService['client']['browsers']['create']>>;

const FOLDER = '/home/kernel/extensions/app';
const WORKER_START_LIMIT_MS = 30_000;

/**
 * The build of a worker that is active, and undefined before: a restart keeps only such a worker, and one that comes earlier
 * leaves either the new worker or, seldom, none.
 */
const ACTIVE_BUILD = "self.serviceWorker?.state === 'activated' ? self.build : undefined";

/** What was seen of one restart. */
interface ObservedRestart {
  /** The address in the first tab. */
  shownBefore: unknown;
  shownAfter: unknown;
  /** That of DevTools, before and after. */
  addresses: string[];
  /** What a connection that was opened during the restart has been answered. */
  productMeanwhile: unknown;
}

describe('the restart of a browser at an upload', function () {
  this.timeout(60_000);
  let service: TestService;
  let browsers: Ahead<Browser>;
  let site: Server;
  let siteUrl: string;
  let observed: Promise<ObservedRestart> | undefined;

  before(async function () {
    service = await TestService.start();
    browsers = new Ahead(
      // Two tests look at one restart.
      testsOf(this) - 1,
      () => service.client.browsers.create(),
      ({ session_id: id }) => service.client.browsers.deleteByID(id),
    );
    site = createServer((_request, response) => response.setHeader('content-type', 'text/html').end('<h1>site</h1>'));
    site.listen(0, '127.0.0.1');
    await once(site, 'listening');
    siteUrl = `http://127.0.0.1:${(site.address() as AddressInfo).port}/`;
  });
  after(async () => {
    site.close();
    await browsers.close();
    await service.stop();
  });

  /** A restart with a connection and a tab, and a connection that is opened meanwhile: once for the tests that look at it. */
  function observeRestart(): Promise<ObservedRestart> {
    observed ??= (async () => {
      const browser = await browsers.take();
      const { session_id: id, cdp_ws_url: address } = browser;
      const before = await DevTools.connect(address);
      const page = await before.attachToPage();
      await page.show(siteUrl);
      const shownBefore = await page.evaluate('location.href');
      const uploading = upload(service.client, id, 'app', await extensionZip(1));
      await before.closed;
      const during = await DevTools.connect(address);
      const { product: productMeanwhile } = await during.result('Browser.getVersion');
      await uploading;
      during.close();
      const addresses = [address, (await service.client.browsers.retrieve(id)).cdp_ws_url];
      const again = await DevTools.connect(address);
      const shownAfter = await (await again.attachToPage()).evaluate('location.href');
      again.close();
      browsers.release(browser);
      return { shownBefore, shownAfter, addresses, productMeanwhile };
    })();
    return observed;
  }

  it('closes DevTools connections and tabs; the same address reaches the new browser', async () => {
    const { shownBefore, shownAfter, addresses } = await observeRestart();
    assert.deepEqual([shownBefore, shownAfter], [siteUrl, 'about:blank']);
    assert.equal(new Set(addresses).size, 1);
  });

  it('accepts a DevTools connection while the browser restarts', async () => {
    assert.equal(typeof (await observeRestart()).productMeanwhile, 'string');
  });

  it('keeps the old service worker when a folder of the same name is uploaded, until DevTools loads it', async () => {
    const browser = await browsers.take();
    const { session_id: id, cdp_ws_url: url } = browser;
    const workerBuild = async () => {
      const devtools = await DevTools.connect(url);
      const build = await devtools.askWorker(ACTIVE_BUILD, WORKER_START_LIMIT_MS);
      devtools.close();
      return build;
    };
    await upload(service.client, id, 'app', await extensionZip(1));
    assert.equal(await workerBuild(), 1);
    await service.client.browsers.fs.deleteDirectory(id, { path: FOLDER });
    await upload(service.client, id, 'app', await extensionZip(2));
    assert.equal(await workerBuild(), 1);
    const devtools = await DevTools.connect(url);
    await devtools.result('Extensions.loadUnpacked', { path: FOLDER });
    devtools.close();
    // The old worker is listed for a moment beside the new one.
    const renewed = async () => (await workerBuild().catch(() => undefined)) === 2;
    await eventually('the new worker runs', renewed, WORKER_START_LIMIT_MS);
    browsers.release(browser);
  });

  it('keeps all extensions that were uploaded', async () => {
    const browser = await browsers.take();
    const { session_id: id, cdp_ws_url: url } = browser;
    for (const name of ['one', 'two', 'three']) await upload(service.client, id, name, await extensionZip(1));
    const devtools = await DevTools.connect(url);
    const { extensions } = await devtools.result('Extensions.getExtensions');
    assert(Array.isArray(extensions));
    assert.equal(extensions.length, 3);
    devtools.close();
    browsers.release(browser);
  });

  it('runs the newest of several folders with the same key', async () => {
    const browser = await browsers.take();
    const { session_id: id, cdp_ws_url: url } = browser;
    const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const key = publicKey.export({ type: 'spki', format: 'der' }).toString('base64');
    for (const build of [1, 2, 3]) {
      await upload(service.client, id, `app-${build}`, await extensionZip(build, { key }));
      const running = await DevTools.connect(url);
      assert.equal(await running.askWorker(ACTIVE_BUILD, WORKER_START_LIMIT_MS), build);
      running.close();
    }
    const devtools = await DevTools.connect(url);
    const { extensions } = await devtools.result('Extensions.getExtensions');
    assert(Array.isArray(extensions));
    const loaded = extensions.map((extension: { path: string; version: string }) => [
      extension.path,
      extension.version,
    ]);
    assert.deepEqual(loaded, [['/home/kernel/extensions/app-3', '1.3']]);
    devtools.close();
    browsers.release(browser);
  });

  it('keeps the storage of the extension, and its id', async () => {
    const browser = await browsers.take();
    const { session_id: id, cdp_ws_url: url } = browser;
    const zip = await extensionZip(1, { permissions: ['storage'] });
    await upload(service.client, id, 'app', zip);
    const devtools = await DevTools.connect(url);
    await devtools.askWorker(ACTIVE_BUILD, WORKER_START_LIMIT_MS);
    const keep = 'chrome.storage.local.set({ kept: 7 }).then(() => chrome.runtime.id)';
    const extensionId = await devtools.askWorker(keep, WORKER_START_LIMIT_MS);
    await upload(service.client, id, 'other', await extensionZip(1, { name: 'Other', background: undefined }));
    const again = await DevTools.connect(url);
    const kept = await again.askWorker('self.build && chrome.storage.local.get()', WORKER_START_LIMIT_MS);
    assert.deepEqual(kept, { kept: 7 });
    assert.equal(await again.askWorker('chrome.runtime.id', WORKER_START_LIMIT_MS), extensionId);
    again.close();
    browsers.release(browser);
  });
});

describe('DevTools through the address of a session', function () {
  this.timeout(60_000);
  let service: TestService;
  let id: string;
  let devtools: DevTools;

  before(async () => {
    service = await TestService.start();
    const browser = await service.client.browsers.create();
    id = browser.session_id;
    devtools = await DevTools.connect(browser.cdp_ws_url);
  });
  after(() => service.stop());

  it('loads a folder by its path in the session, and reports that path', async () => {
    const zip = await JSZip.loadAsync(await extensionZip(1));
    const zip_file = new File([new Uint8Array(await zip.generateAsync({ type: 'nodebuffer' }))], 'a.zip');
    await service.client.browsers.fs.uploadZip(id, { dest_path: FOLDER, zip_file });
    const { id: extensionId } = await devtools.result('Extensions.loadUnpacked', { path: FOLDER });
    const { extensions } = await devtools.result('Extensions.getExtensions');
    assert.deepEqual(extensions, [{ id: extensionId, name: 'Contract', version: '1.1', path: FOLDER, enabled: true }]);
  });

  it("passes Chromium's error on, without a path of this machine", async () => {
    await service.client.browsers.fs.writeFile(id, manifest({ icons: { 16: 'gone.png' } }), {
      path: `${FOLDER}/manifest.json`,
    });
    const refused = await devtools.call('Extensions.loadUnpacked', { path: FOLDER });
    assert.match(JSON.stringify(refused['error']), /gone\.png/);
    const missing = await devtools.call('Extensions.loadUnpacked', { path: '/home/kernel/extensions/nothing' });
    assert('error' in missing);
    for (const answer of [refused, missing]) assert(!JSON.stringify(answer).includes(service.dataFolder));
  });

  it('cannot leave the folder of the session by ".."', async () => {
    const answer = await devtools.call('Extensions.loadUnpacked', {
      path: '/home/kernel/extensions/../../../../../../etc',
    });
    assert('error' in answer);
  });

  it('passes everything else on unchanged', async () => {
    const page = await devtools.attachToPage();
    const text = await page.evaluate(`'{"id":1,"path":"${FOLDER}"} Extensions.loadUnpacked'`);
    assert.equal(text, `{"id":1,"path":"${FOLDER}"} Extensions.loadUnpacked`);
    const long = await page.evaluate("'ä'.repeat(5_000_000)");
    assert.equal(typeof long === 'string' && long.length, 5_000_000);
  });
});
