import assert from 'node:assert/strict';
import { toFile } from '@onkernel/sdk';
import { extensionZip, manifest, zipOf } from './archives';
import { TestService } from './service';
import { extensionFolders, upload } from './uploads';

describe('upload of extensions, as the earlier service did it', function () {
  this.timeout(60_000);
  let service: TestService;
  let id: string;

  before(async () => {
    service = await TestService.start(['--behaviour', 'earlier']);
    id = (await service.client.browsers.create()).session_id;
  });
  after(() => service.stop());

  it('answers 201 for a zip without a manifest and for one that Chromium refuses', async () => {
    await upload(service.client, id, 'wrapped', await zipOf({ 'folder/manifest.json': manifest() }));
    await upload(service.client, id, 'refused', await zipOf({ 'manifest.json': '{,}' }));
    assert.deepEqual(await extensionFolders(service.client, id), ['refused', 'wrapped']);
  });

  it('lays the second of two equal names over the first', async () => {
    const zips = [await zipOf({ 'manifest.json': manifest(), 'one.txt': '1' }), await zipOf({ 'two.txt': '2' })];
    const extensions = await Promise.all(
      zips.map(async (zip) => ({ name: 'both', zip_file: await toFile(zip, 'a.zip') })),
    );
    await service.client.browsers.loadExtensions(id, { extensions });
    const files = await service.client.browsers.fs.listFiles(id, { path: '/home/kernel/extensions/both' });
    assert.deepEqual(
      files.map((file) => file.name),
      ['manifest.json', 'one.txt', 'two.txt'],
    );
  });

  it('leaves the folder of a failed upload, so that the name is taken from then on', async () => {
    await assert.rejects(upload(service.client, id, 'nozip', Buffer.from('hello')), /invalid zip file/);
    const zip = await extensionZip(1);
    await assert.rejects(upload(service.client, id, 'nozip', zip), /already exists/);
  });
});
