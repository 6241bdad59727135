import assert from 'node:assert/strict';
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLogger } from '../../../src/service/logger';
import { findFolder, shownPath } from '../../../src/agents/folders';
import { HeadlessWindow } from '../../../src/programs/headless/headlessWindow';

describe('the folder of a tool', () => {
  let base = '';
  let root = '';
  const windowOf = (roots: readonly string[]): HeadlessWindow =>
    new HeadlessWindow({
      roots,
      isLocal: true,
      connect: () => Promise.reject(new Error('no service is needed')),
      log: silentLogger,
    });
  const extension = async (folder: string): Promise<void> => {
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'manifest.json'), '{ "manifest_version": 3, "name": "A", "version": "1" }');
  };

  beforeEach(async () => {
    base = await realpath(await mkdtemp(join(tmpdir(), 'sideload-tools-')));
    root = join(base, 'workspace');
    await mkdir(root);
  });
  afterEach(() => rm(base, { recursive: true, force: true }));

  it('is the only one of the workspace when none is named, and several are listed', async () => {
    await assert.rejects(findFolder(windowOf([root]), undefined), /No folder of the workspace holds a manifest\.json/);
    await extension(join(root, 'dist'));
    assert.deepEqual(await findFolder(windowOf([root]), undefined), { folder: join(root, 'dist'), root });
    await extension(join(root, 'build'));
    await assert.rejects(findFolder(windowOf([root]), undefined), /Several folders.*: dist, build/);
    await assert.rejects(findFolder(windowOf([]), undefined), /No folder is open/);
  });

  it('is the build where the one around it holds only its sources', async () => {
    await extension(join(root, 'dist'));
    const worker = '"background": { "service_worker": "src/worker.ts", "type": "module" }';
    await writeFile(join(root, 'manifest.json'), `{ "manifest_version": 3, "name": "A", "version": "1", ${worker} }`);
    assert.equal((await findFolder(windowOf([root]), undefined)).folder, join(root, 'dist'));
    await extension(root);
    await assert.rejects(findFolder(windowOf([root]), undefined), /Several folders.*: \., dist/);
  });

  it('is named in the refusal when it is in no usual place', async () => {
    await extension(join(root, 'samples', 'first'));
    await extension(join(root, 'second'));
    await assert.rejects(findFolder(windowOf([root]), undefined), /others that hold one: second, samples\/first\.$/);
    await rm(join(root, 'second'), { recursive: true });
    await assert.rejects(findFolder(windowOf([root]), undefined), /others that hold one: samples\/first\.$/);
  });

  it('is relative to the workspace or absolute in it', async () => {
    await extension(join(root, 'dist'));
    for (const named of ['dist', './dist', 'dist/', join(root, 'dist'), join(root, 'dist', '/')]) {
      assert.equal((await findFolder(windowOf([root]), named)).folder, join(root, 'dist'));
    }
    assert.equal(shownPath([root], join(root, 'dist', 'a.js')), 'dist/a.js');
  });

  it('is refused outside of the workspace, also through a link, and when it does not exist', async () => {
    await extension(join(base, 'other'));
    await symlink(join(base, 'other'), join(root, 'link'));
    for (const named of ['..', '../other', '/', '/etc', join(base, 'other'), 'link', join(root, '..', 'other')]) {
      await assert.rejects(findFolder(windowOf([root]), named), /outside of the workspace/, named);
    }
    await assert.rejects(findFolder(windowOf([root]), 'missing'), /does not exist/);
    await writeFile(join(root, 'file.json'), '{}');
    await assert.rejects(findFolder(windowOf([root]), 'file.json'), /^ToolError: "file\.json" is a file\./);
    await assert.rejects(findFolder(windowOf([root]), 'a\0b'), /character that no path has/);
  });
});
