import { toFile } from '@onkernel/sdk';
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { extensionZip } from './archives';
import { TestService } from './service';
import { extensionFolders, upload } from './uploads';

for (const behaviour of ['current', 'earlier'] as const) {
  describe(`the official client, against the ${behaviour} behaviour of the local service`, function () {
    this.timeout(60_000);
    let service: TestService;
    let id: string;

    before(async () => {
      service = await TestService.start(['--behaviour', behaviour, '--pools']);
      id = (await service.client.browsers.create({ name: 'first', viewport: { width: 800, height: 600 } })).session_id;
    });
    after(() => service.stop());

    it('uploads an extension to a running browser, which then has it', async () => {
      await upload(service.client, id, 'sample', await extensionZip(1));
      assert.deepEqual(await extensionFolders(service.client, id), ['sample']);
    });

    it('creates a profile, and gets it by id and by name', async () => {
      const created = await service.client.profiles.create({ name: 'work' });
      assert.match(created.id, /^[a-z][a-z0-9]{23}$/);
      assert.deepEqual(await service.client.profiles.retrieve(created.id), created);
      assert.deepEqual(await service.client.profiles.retrieve('work'), created);
    });

    it('creates a profile without a name', async () => {
      const created = await service.client.profiles.create({});
      assert.equal(created.name, null);
      assert(!Number.isNaN(Date.parse(created.created_at)));
    });

    it('rejects a second profile of the same name with 409 and an invalid name with 400', async () => {
      await assert.rejects(service.client.profiles.create({ name: 'work' }), { status: 409 });
      await assert.rejects(service.client.profiles.create({ name: 'no spaces' }), { status: 400 });
    });

    it('renames, lists and deletes profiles', async () => {
      await service.client.profiles.create({ name: 'short-lived' });
      const renamed = await service.client.profiles.update('short-lived', { name: 'renamed' });
      const names = [];
      for await (const profile of service.client.profiles.list()) names.push(profile.name);
      assert(names.includes('renamed') && !names.includes('short-lived'));
      await service.client.profiles.delete(renamed.id);
      await assert.rejects(service.client.profiles.retrieve('renamed'), { status: 404 });
      await assert.rejects(service.client.profiles.delete('renamed'), { status: 404 });
    });

    it('uploads, lists, downloads and deletes a stored extension', async () => {
      const zip = await extensionZip(1);
      const stored = await service.client.extensions.upload({ file: await toFile(zip, 'x.zip'), name: 'stored' });
      assert.equal(stored.size_bytes, zip.length);
      assert.equal(stored.checksum, createHash('sha256').update(zip).digest('hex'));
      const listed = [];
      for await (const extension of service.client.extensions.list()) listed.push(extension.id);
      assert.deepEqual(listed, [stored.id]);
      assert.equal((await service.client.extensions.get('stored')).id, stored.id);
      const bytes = Buffer.from(await (await service.client.extensions.download('stored')).arrayBuffer());
      assert(bytes.equals(zip));
      await service.client.extensions.delete('stored');
      await assert.rejects(service.client.extensions.delete('stored'), { status: 404 });
    });

    it('rejects a stored extension that is no zip, and a name that is in use', async () => {
      const noZip = { file: await toFile(Buffer.from('hello'), 'x.zip') };
      await assert.rejects(service.client.extensions.upload(noZip), { status: 400 });
      const file = await toFile(await extensionZip(1), 'x.zip');
      const { id: storedId } = await service.client.extensions.upload({ file, name: 'taken' });
      await assert.rejects(service.client.extensions.upload({ file, name: 'taken' }), { status: 409 });
      await service.client.extensions.delete(storedId);
    });

    it('starts a browser with a stored extension, placed under its id', async () => {
      const file = await toFile(await extensionZip(1), 'x.zip');
      const stored = await service.client.extensions.upload({ file, name: 'preloaded' });
      const browser = await service.client.browsers.create({ extensions: [{ name: 'preloaded' }] });
      assert.deepEqual(await extensionFolders(service.client, browser.session_id), [stored.id]);
      await service.client.browsers.deleteByID(browser.session_id);
    });

    it('moves, clicks, drags, types, presses keys, runs a batch, and gets the mouse position', async () => {
      const { computer } = service.client.browsers;
      await computer.clickMouse(id, { x: 20, y: 20, hold_keys: ['Shift'] });
      await computer.dragMouse(id, {
        path: [
          [1, 1],
          [2, 2],
        ],
        step_delay_ms: 0,
      });
      await computer.typeText(id, { text: 'text', delay: 1 });
      await computer.pressKey(id, { keys: ['Ctrl+a', 'Delete'] });
      await computer.batch(id, { actions: [{ type: 'scroll', scroll: { x: 5, y: 5, delta_x: 1 } }] });
      assert.deepEqual(await computer.getMousePosition(id), { x: 5, y: 5 });
      await computer.moveMouse(id, { x: 30, y: 40 });
      assert.deepEqual(await computer.getMousePosition(id), { x: 30, y: 40 });
      await assert.rejects(computer.moveMouse(id, { x: 800, y: 0 }), { status: 400 });
    });

    it('works with the files of the browser', async () => {
      const { fs } = service.client.browsers;
      await fs.createDirectory(id, { path: '/tmp/data' });
      await fs.writeFile(id, 'one', { path: '/tmp/data/one' });
      await fs.upload(id, { files: [{ dest_path: '/tmp/data/two', file: await toFile(Buffer.from('two'), 'two') }] });
      await fs.uploadZip(id, { dest_path: '/tmp/data', zip_file: await toFile(await extensionZip(1), 'x.zip') });
      await fs.setFilePermissions(id, { path: '/tmp/data/two', mode: '600' });
      await fs.move(id, { src_path: '/tmp/data/one', dest_path: '/tmp/data/three' });
      const files = await fs.listFiles(id, { path: '/tmp/data' });
      assert.deepEqual(
        files.map(({ name, mode }) => `${name} ${mode}`),
        ['manifest.json -rw-r--r--', 'three -rw-r--r--', 'two -rw-------', 'worker.js -rw-r--r--'],
      );
      assert.equal((await fs.fileInfo(id, { path: '/tmp/data' })).is_dir, true);
      assert.equal(await (await fs.readFile(id, { path: '/tmp/data/three' })).text(), 'one');
      const zip = Buffer.from(await (await fs.downloadDirZip(id, { path: '/tmp/data' })).arrayBuffer());
      assert.equal(zip.subarray(0, 2).toString(), 'PK');
      await fs.deleteFile(id, { path: '/tmp/data/two' });
      await fs.deleteDirectory(id, { path: '/tmp/data' });
      await assert.rejects(fs.fileInfo(id, { path: '/tmp/data' }), { status: 404 });
    });

    it('keeps a pool of browsers, and acquires and releases one', async () => {
      const { browserPools } = service.client;
      const { id: pool } = await browserPools.create({ name: 'pool', size: 1 });
      const browser = await browserPools.acquire('pool', { acquire_timeout_seconds: 20, name: 'pooled' });
      assert.equal(browser.pool?.id, pool);
      await browserPools.release('pool', { session_id: browser.session_id });
      await browserPools.update(pool, { timeout_seconds: 77 });
      assert.equal((await browserPools.retrieve('pool')).browser_pool_config.timeout_seconds, 77);
      await browserPools.flush('pool');
      const names = [];
      for await (const one of browserPools.list()) names.push(one.name);
      assert.deepEqual(names, ['pool']);
      await browserPools.delete('pool');
      await assert.rejects(browserPools.retrieve('pool'), { status: 404 });
    });

    it('downloads a profile, which is empty before a session has saved it', async () => {
      await service.client.profiles.create({ name: 'saved' });
      assert.equal((await service.client.profiles.download('saved', { format: 'tar' })).status, 202);
      const { session_id: saver } = await service.client.browsers.create({
        profile: { name: 'saved', save_changes: true },
      });
      await service.client.browsers.deleteByID(saver);
      const tar = Buffer.from(await (await service.client.profiles.download('saved', { format: 'tar' })).arrayBuffer());
      // The magic of a tar archive stands behind the fields of its first entry.
      assert.equal(tar.subarray(257, 262).toString(), 'ustar');
    });

    it('scrolls, and takes a picture of exactly the viewport', async () => {
      await service.client.browsers.computer.scroll(id, { x: 10, y: 10, delta_y: 1 });
      const answer = await service.client.browsers.computer.captureScreenshot(id);
      assert.equal(answer.headers.get('content-type'), 'image/png');
      const png = Buffer.from(await answer.arrayBuffer());
      assert.deepEqual([png.readUInt32BE(16), png.readUInt32BE(20)], [800, 600]);
    });

    it('gets, lists and updates browsers, by id and by name', async () => {
      const browser = await service.client.browsers.retrieve('first');
      assert.equal(browser.session_id, id);
      assert.equal(browser.timeout_seconds, 60);
      const updated = await service.client.browsers.update(id, { name: 'renamed', tags: { kind: 'test' } });
      assert.equal(updated.name, 'renamed');
      const tagged = [];
      for await (const one of service.client.browsers.list({ tags: { kind: 'test' } })) tagged.push(one.session_id);
      assert.deepEqual(tagged, [id]);
      await assert.rejects(service.client.browsers.create({ name: 'renamed' }), { status: 409 });
    });

    it('deletes a browser, and lists it from then on as deleted', async () => {
      await service.client.browsers.deleteByID(id);
      const active = [];
      for await (const browser of service.client.browsers.list()) active.push(browser.session_id);
      assert(!active.includes(id));
      const deleted = [];
      for await (const browser of service.client.browsers.list({ status: 'deleted' })) deleted.push(browser.session_id);
      assert(deleted.includes(id));
      await assert.rejects(service.client.browsers.retrieve(id), { status: 404 });
      assert((await service.client.browsers.retrieve(id, { include_deleted: true })).deleted_at);
      await assert.rejects(service.client.browsers.deleteByID(id), { status: 404 });
    });
  });
}
