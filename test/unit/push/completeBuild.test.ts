import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isCompleteBuild } from '../../../src/push/completeBuild';

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
  });

  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('is true once the manifest has no errors and all its files exist', async () => {
    assert.equal(await isCompleteBuild(folder, {}), true);
    await rm(join(folder, 'worker.js'));
    assert.equal(await isCompleteBuild(folder, {}), false);
    await writeFile(join(folder, 'manifest.json'), '{ "manifest_version": 3');
    assert.equal(await isCompleteBuild(folder, {}), false);
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
    const longAgo = new Date(Date.now() - 3_600_000);
    await utimes(lock, longAgo, longAgo);
    assert.equal(await isCompleteBuild(built, {}), true);
  });
});
