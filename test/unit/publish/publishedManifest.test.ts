// Covers: src/publish
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { publishedManifest } from '../../../src/publish/publishedManifest';

describe('the manifest that people have', () => {
  let root: string;
  let folder: string;
  const git = (...args: string[]): Buffer =>
    execFileSync('git', ['-c', 'user.name=Test', '-c', 'user.email=test@example.com', ...args], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'ignore'],
    });

  before(async () => {
    root = await mkdtemp(join(tmpdir(), 'sideload-published-'));
    folder = join(root, 'extension');
    await mkdir(folder);
    await writeFile(join(folder, 'manifest.json'), 'first');
    git('init', '--quiet');
    git('add', '.');
    git('commit', '--quiet', '-m', 'First');
    git('tag', 'v1.0');
    await writeFile(join(folder, 'manifest.json'), 'second');
  });
  after(() => rm(root, { recursive: true, force: true, maxRetries: 5 }));

  it('is that of a tag or a commit, below the folder of the extension', async () => {
    const commit = git('rev-parse', 'HEAD').toString().trim();
    for (const revision of ['v1.0', 'git:v1.0', commit, commit.slice(0, 8), 'HEAD'])
      assert.equal(await publishedManifest(revision, folder, root), 'first', revision);
  });

  it('is that of a folder, or a file, relative to the workspace', async () => {
    for (const path of [
      'extension',
      'folder:extension',
      './extension/manifest.json',
      folder,
      join(folder, 'manifest.json'),
    ])
      assert.equal(await publishedManifest(path, folder, root), 'second', path);
  });

  it('is none when nothing of that name has one', async () => {
    for (const from of [
      'v2.0',
      'git:extension',
      'folder:v1.0',
      '.',
      'extension/no.json',
      '--help',
      '-p',
      'v1.0:extension/manifest.json',
      'HEAD:',
      '\0',
    ])
      assert.equal(await publishedManifest(from, folder, root), undefined, from);
    assert.equal(await publishedManifest('v1.0', root, root), undefined);
    assert.equal(await publishedManifest('v1.0', join(root, 'gone'), root), undefined);
  });
});
