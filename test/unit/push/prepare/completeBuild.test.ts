import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isCompleteBuild } from '../../../../src/push/prepare/completeBuild';

const LONG_AGO = new Date(Date.now() - 3_600_000);

describe('isCompleteBuild', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sideload-complete-'));
    const manifest = {
      manifest_version: 3,
      name: 'Build',
      version: '1',
      background: { service_worker: 'worker.js' },
    };
    await writeFile(join(folder, 'manifest.json'), JSON.stringify(manifest));
    await writeFile(join(folder, 'worker.js'), '');
    await utimes(join(folder, 'worker.js'), LONG_AGO, LONG_AGO);
  });

  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('is true once the manifest has no errors and all its files exist', async () => {
    assert.equal(await isCompleteBuild(folder, {}), true);
    await rm(join(folder, 'worker.js'));
    assert.equal(await isCompleteBuild(folder, {}), false);
    await writeFile(join(folder, 'manifest.json'), '{ "manifest_version": 3');
    assert.equal(await isCompleteBuild(folder, {}), false);
  });

  it('is false while a file that the manifest names has been written just now, but not for a time that is still to come', async () => {
    const worker = join(folder, 'worker.js');
    const now = new Date();
    await utimes(worker, now, now);
    // At once: the time that is left is short.
    const asked = isCompleteBuild(folder, {});
    assert.equal((await asked) && Date.now() - now.getTime() < 30, false);
    const later = new Date(Date.now() + 3_600_000);
    await utimes(worker, later, later);
    assert.equal(await isCompleteBuild(folder, {}), true);
  });

  it('is false while a tool has yet to rename a file that it has written', async () => {
    const names = ['popup.html.4711.a', 'worker.js.1234567', 'worker.js.tmp'];
    const named = ['chunk.2.js', 'icon.128.png', 'vue-2.6.14.js', 'popup.html.12345678.js', 'LICENSE.2024'];
    const finished = ['worker.js', 'worker.js.map', ...named, 'icon.png'];
    for (const name of [...names, ...finished]) {
      const path = join(folder, name);
      await writeFile(path, '');
      await utimes(path, LONG_AGO, LONG_AGO);
      assert.equal(await isCompleteBuild(folder, {}, [path]), finished.includes(name), name);
      if (name === 'worker.js') continue;
      await rename(path, join(folder, 'icon.png'));
      assert.equal(await isCompleteBuild(folder, {}, [path]), true, `${name}, renamed`);
    }
  });

  it('ignores what the settings exclude from the archive', async () => {
    // Chromium refuses folders whose names begin with an underscore.
    await mkdir(join(folder, '_drafts'));
    await writeFile(join(folder, '_drafts', 'notes.md'), '');
    assert.equal(await isCompleteBuild(folder, {}), false);
    assert.equal(await isCompleteBuild(folder, { exclude: ['_drafts'] }), true);
    assert.equal(await isCompleteBuild(folder, { exclude: ['_drafts'], include: ['_drafts/**'] }), false);
  });

  it('is false while git switches branches, but not for a lock that was left by a crash', async () => {
    const built = join(folder, 'dist');
    await mkdir(built);
    for (const name of ['manifest.json', 'worker.js']) await rename(join(folder, name), join(built, name));
    const lock = join(folder, '.git', 'index.lock');
    await mkdir(join(folder, '.git'));
    assert.equal(await isCompleteBuild(built, {}), true);
    await writeFile(lock, '');
    assert.equal(await isCompleteBuild(built, {}), false);
    await utimes(lock, LONG_AGO, LONG_AGO);
    assert.equal(await isCompleteBuild(built, {}), true);
  });

  it('is false while git switches branches in a further work tree, whose folder of git is elsewhere', async () => {
    const git = join(folder, 'main', '.git', 'worktrees', 'build');
    await mkdir(git, { recursive: true });
    for (const named of [git, 'main/.git/worktrees/build']) {
      await writeFile(join(folder, '.git'), `gitdir: ${named}\n`);
      assert.equal(await isCompleteBuild(folder, {}), true);
      await writeFile(join(git, 'index.lock'), '');
      assert.equal(await isCompleteBuild(folder, {}), false);
      await rm(join(git, 'index.lock'));
    }
  });
});
