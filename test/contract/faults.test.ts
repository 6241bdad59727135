import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { extensionZip } from './archives';
import { newFolder, TestService } from './service';
import { extensionFolders, upload } from './uploads';

describe('the faults file', function () {
  this.timeout(60_000);
  let folder: string;
  let file: string;
  let service: TestService;

  before(async () => {
    folder = await newFolder();
    file = path.join(folder, 'faults.json');
    service = await TestService.start(['--faults', file], path.join(folder, 'data'));
  });
  after(async () => {
    await service.end();
    await rm(folder, { recursive: true, force: true });
  });
  const faults = (list: unknown) => writeFile(file, JSON.stringify(list));

  it('is optional', async () => {
    assert.equal((await service.request('/profiles')).status, 200);
  });

  it('makes an operation fail as often as it says, with Retry-After', async () => {
    await faults([{ operation: 'listProfiles', times: 2, status: 429, retryAfter: 7, code: 'slow_down' }]);
    const first = await service.request('/profiles');
    assert.equal(first.status, 429);
    assert.equal(first.headers.get('retry-after'), '7');
    assert.match(await first.text(), /"code":"slow_down"/);
    assert.equal((await service.request('/browsers')).status, 200);
    assert.equal((await service.request('/profiles')).status, 429);
    assert.equal((await service.request('/profiles')).status, 200);
  });

  it('cuts the connection after the work is done', async () => {
    await faults([{ method: 'POST', path: '/prof*', times: 1, dropAfterCommit: true }]);
    await assert.rejects(service.client.profiles.create({ name: 'committed' }));
    assert.equal((await service.client.profiles.retrieve('committed')).name, 'committed');
  });

  it('cuts the connection of an upload whose extensions are in place', async () => {
    const { session_id: id } = await service.client.browsers.create();
    await faults([{ operation: 'uploadExtensionsToBrowser', times: 1, dropAfterCommit: true }]);
    const zip = await extensionZip(1);
    await assert.rejects(upload(service.client, id, 'app', zip));
    assert.deepEqual(await extensionFolders(service.client, id), ['app']);
    await assert.rejects(upload(service.client, id, 'app', zip), /already exists/);
  });

  it('delays an answer', async () => {
    const delayMs = 300;
    await faults([{ path: '/extensions', delayMs }]);
    const started = performance.now();
    await service.request('/extensions');
    assert(performance.now() - started >= delayMs - 5);
  });

  it('does not replace the check of the token', async () => {
    await faults([{ status: 500 }]);
    assert.equal((await fetch(`${service.baseUrl}/profiles`)).status, 401);
    assert.equal((await service.request('/profiles')).status, 500);
  });
});
