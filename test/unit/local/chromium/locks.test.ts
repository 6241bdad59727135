import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { removeLocks } from '../../../../src/local/chromium/locks';

describe('the locks of a browser that has ended', () => {
  let base: string;
  let profile: string;
  let sockets: string;

  beforeEach(async () => {
    base = await mkdtemp(path.join(tmpdir(), 'sideload-locks-'));
    [profile, sockets] = [path.join(base, 'profile'), path.join(base, 'sockets')];
    await mkdir(profile);
    await mkdir(sockets);
    for (const name of ['SingletonSocket', 'SingletonCookie']) {
      await writeFile(path.join(sockets, name), '');
      await symlink(path.join(sockets, name), path.join(profile, name));
    }
    await symlink('machine-1', path.join(profile, 'SingletonLock'));
    await writeFile(path.join(profile, 'Preferences'), '{}');
  });
  afterEach(() => rm(base, { recursive: true }));

  it('are removed with the folder of the socket', async () => {
    await removeLocks(profile);
    assert.deepEqual(await readdir(base), ['profile']);
    assert.deepEqual(await readdir(profile), ['Preferences']);
  });

  it('are removed without the folder of the socket when it has other files, such as the profile of another browser', async () => {
    await writeFile(path.join(sockets, 'Cookies'), '');
    await removeLocks(profile);
    assert.deepEqual((await readdir(sockets)).sort(), ['Cookies', 'SingletonCookie', 'SingletonSocket']);
    assert.deepEqual(await readdir(profile), ['Preferences']);
  });
});
