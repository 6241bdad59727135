import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { ServiceClient } from '../../src/service/client';
import { silentLogger } from '../../src/service/logger';
import type { Browser } from '../../src/service/model';
import { EXTENSIONS_ROOT } from '../support/extensionsRoot';
import { extensionZip, zipOf } from './archives';
import { TestService } from './service';

const PNG_WIDTH_AT = 16;
const PNG_HEIGHT_AT = 20;

async function all<T>(list: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of list) items.push(item);
  return items;
}

for (const behaviour of ['current', 'earlier'] as const) {
  describe(`our client, against the local service that behaves as the ${behaviour} one`, function () {
    this.timeout(60_000);
    let service: TestService;
    let client: ServiceClient;
    let browser: Browser;

    before(async () => {
      service = await TestService.start(behaviour === 'current' ? [] : ['--behaviour', behaviour]);
      client = new ServiceClient({ baseUrl: new URL(service.baseUrl), token: service.token, log: silentLogger });
      browser = await client.createBrowser({
        name: 'ours',
        headless: true,
        timeoutSeconds: 600,
        viewport: { width: 640, height: 480 },
        tags: { kind: 'test' },
      });
    });
    after(async () => {
      await client.close();
      await service.stop();
    });

    it('gets, lists, finds and changes browsers', async () => {
      assert.deepEqual(browser.viewport, { width: 640, height: 480 });
      assert.equal((await client.getBrowser('ours')).id, browser.id);
      const ids = async (list: AsyncIterable<Browser>): Promise<string[]> => (await all(list)).map((one) => one.id);
      assert.deepEqual(await ids(client.listBrowsers()), [browser.id]);
      assert.deepEqual(await ids(client.listBrowsers({ tags: { kind: 'test' } })), [browser.id]);
      assert.deepEqual(await ids(client.listBrowsers({ tags: { kind: 'other' } })), []);
      const changed = await client.updateBrowser('ours', { name: 'mine', tags: { kind: 'changed' } });
      assert.deepEqual([changed.name, changed.tags], ['mine', { kind: 'changed' }]);
      await assert.rejects(client.getBrowser('ours'), { kind: 'notFound', status: 404 });
    });

    it('creates, gets, lists, renames and deletes profiles', async () => {
      const { id = '' } = (await client.createProfile('work')) ?? {};
      await assert.rejects(client.createProfile('work'), { kind: 'conflict', mayHaveHappened: false });
      assert.equal((await client.getProfile('work')).id, id);
      assert.equal((await client.renameProfile('work', 'play')).name, 'play');
      assert.deepEqual(
        (await all(client.listProfiles({ name: 'play' }))).map((one) => one.id),
        [id],
      );
      await client.deleteProfile(id);
      await assert.rejects(client.getProfile('play'), { kind: 'notFound' });
      await assert.rejects(client.deleteProfile('play'), { kind: 'notFound' });
    });

    it('uploads, gets, lists, downloads and deletes stored extensions', async () => {
      const zip = await extensionZip(1);
      const progress: number[] = [];
      const stored = await client.uploadExtension(zip, 'kept', undefined, (sent, total) => progress.push(sent / total));
      assert.equal(stored.checksum, createHash('sha256').update(zip).digest('hex'));
      assert.equal(progress.at(-1), 1);
      assert.deepEqual(await client.getExtension('kept'), stored);
      assert.deepEqual(await all(client.listExtensions({ name: 'kept' })), [stored]);
      assert(zip.equals(await client.downloadExtension(stored.id)));
      await client.deleteExtension('kept');
      await assert.rejects(client.getExtension('kept'), { kind: 'notFound' });
    });

    it('uploads extensions to a running browser, which rejects a name that is in use', async () => {
      const zip = await extensionZip(1);
      await client.uploadExtensionsToBrowser(browser.id, [{ name: 'sample', zip: new Blob([zip]) }]);
      const names = (await client.listFiles(browser.id, EXTENSIONS_ROOT)).map((entry) => entry.name);
      assert.deepEqual(names, ['sample']);
      await assert.rejects(client.uploadExtensionsToBrowser(browser.id, [{ name: 'sample', zip }]), {
        kind: 'badRequest',
        mayHaveHappened: false,
      });
    });

    it('writes, reads, moves, lists and deletes files', async () => {
      const id = browser.id;
      await client.createDirectory(id, '/home/kernel/data', '755');
      await client.writeFile(id, '/home/kernel/data/a b.txt', Buffer.from('content'), '644');
      assert.equal(Buffer.from(await client.readFile(id, '/home/kernel/data/a b.txt')).toString(), 'content');
      const info = await client.fileInfo(id, '/home/kernel/data/a b.txt');
      assert.deepEqual([info.isFolder, info.sizeBytes], [false, 7]);
      await client.moveFile(id, '/home/kernel/data/a b.txt', '/home/kernel/data/c');
      await client.uploadZip(id, await zipOf({ 'in/d.txt': 'd' }), '/home/kernel/data');
      const names = (await client.listFiles(id, '/home/kernel/data')).map((entry) => entry.name);
      assert.deepEqual(names.sort(), ['c', 'in']);
      await client.deleteFile(id, '/home/kernel/data/c');
      await assert.rejects(client.deleteFile(id, '/home/kernel/data/c'), { kind: 'notFound' });
      await client.deleteDirectory(id, '/home/kernel/data');
      await client.deleteDirectory(id, '/home/kernel/data');
      await assert.rejects(client.listFiles(id, '/home/kernel/data'), { kind: 'notFound' });
    });

    it('uses mouse, keys and screen', async () => {
      const id = browser.id;
      await client.moveMouse(id, { x: 10, y: 10 });
      await client.clickMouse(id, { x: 10, y: 10, button: 'left' });
      await client.pressKey(id, { keys: ['Escape'], duration: 10 });
      await client.scroll(id, { x: 10, y: 10, deltaY: 1 });
      await assert.rejects(client.scroll(id, { x: 5000, y: 10, deltaY: 1 }), { kind: 'badRequest', status: 400 });
      const png = Buffer.from(await client.screenshot(id));
      assert.deepEqual([png.readUInt32BE(PNG_WIDTH_AT), png.readUInt32BE(PNG_HEIGHT_AT)], [640, 480]);
      const part = Buffer.from(await client.screenshot(id, { x: 1, y: 2, width: 30, height: 20 }));
      assert.deepEqual([part.readUInt32BE(PNG_WIDTH_AT), part.readUInt32BE(PNG_HEIGHT_AT)], [30, 20]);
    });

    it('deletes a browser, which is then listed as deleted', async () => {
      await client.deleteBrowser(browser.id);
      await assert.rejects(client.getBrowser(browser.id), { kind: 'notFound' });
      assert((await client.getBrowser(browser.id, undefined, true)).deletedAt);
      assert.equal((await all(client.listBrowsers({ status: 'deleted' }))).length, 1);
      assert.deepEqual(await all(client.listBrowsers()), []);
    });

    it('reports a wrong token', async () => {
      const stranger = new ServiceClient({ baseUrl: new URL(service.baseUrl), token: 'wrong', log: silentLogger });
      await assert.rejects(stranger.createProfile('x'), { kind: 'unauthorized', status: 401, mayHaveHappened: false });
      await stranger.close();
    });
  });
}
