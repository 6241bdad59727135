import assert from 'node:assert/strict';
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { holdExtensions, locateElsewhere, locateExtensionFolders } from '../../../src/archive/locate';

describe('location of the extension folder', () => {
  let root: string;

  const extension = async (...folders: string[]) => {
    for (const folder of folders) {
      await mkdir(join(root, folder), { recursive: true });
      await writeFile(join(root, folder, 'manifest.json'), '{ "manifest_version": 3 }');
    }
  };
  const located = async () =>
    (await locateExtensionFolders(root)).map((folder) => relative(root, folder).replaceAll('\\', '/'));

  beforeEach(async () => {
    root = await realpath(await mkdtemp(join(tmpdir(), 'sideload-locate-')));
  });
  afterEach(async () => {
    await rm(root, { recursive: true, force: true });
  });

  it('finds the workspace root itself', async () => {
    await extension('.');
    assert.deepEqual(await locateExtensionFolders(root), [root]);
  });

  it('finds build outputs before sources, in a fixed order', async () => {
    await extension(
      'src',
      'app',
      'extension',
      'out',
      'build',
      'dist-dev',
      'dist',
      'build/chrome-mv3-prod',
      '.output/chrome-mv3',
    );
    assert.deepEqual(await located(), [
      '.output/chrome-mv3',
      'build/chrome-mv3-prod',
      'dist',
      'dist-dev',
      'build',
      'out',
      'extension',
      'app',
      'src',
    ]);
  });

  it('looks into the packages of a monorepo, after the root', async () => {
    await extension('apps/web/dist', 'packages/ext/build', 'packages/ext', 'dist/chrome');
    assert.deepEqual(await located(), ['dist/chrome', 'packages/ext', 'packages/ext/build', 'apps/web/dist']);
  });

  it('never looks into node_modules', async () => {
    await extension('packages/node_modules/dist', 'node_modules');
    assert.deepEqual(await located(), []);
  });

  it('finds a manifest that cannot be parsed yet, and ignores the manifest of a web app', async () => {
    await extension('src', 'dist', 'out');
    await writeFile(join(root, 'src/manifest.json'), '{ // typing\n "manifest_version": 3, }');
    await writeFile(join(root, 'dist/manifest.json'), '{ "name": "web app", "start_url": "/" }');
    await rm(join(root, 'out/manifest.json'));
    await mkdir(join(root, 'out/manifest.json'));
    assert.deepEqual(await located(), ['src']);
  });

  it('returns a folder once, also when there is a link to it', async () => {
    await extension('dist');
    await symlink('dist', join(root, 'out'), 'junction');
    assert.deepEqual(await located(), ['dist']);
  });

  it('never returns a folder outside of the root, to which a link leads', async () => {
    const outside = await mkdtemp(join(tmpdir(), 'sideload-outside-'));
    try {
      await writeFile(join(outside, 'manifest.json'), '{ "manifest_version": 3 }');
      await symlink(outside, join(root, 'dist'), 'junction');
      assert.deepEqual(await located(), []);
    } finally {
      await rm(outside, { recursive: true });
    }
  });

  it('finds nothing in a root that does not exist', async () => {
    assert.deepEqual(await locateExtensionFolders(join(root, 'gone')), []);
  });

  it('finds extensions in other folders of two levels only when it is asked for those', async () => {
    await extension('first', 'samples/second', 'samples/deep/third', '.hidden', 'node_modules/a');
    assert.deepEqual(await located(), []);
    const elsewhere = (await locateElsewhere(root)).map((folder) => relative(root, folder).replaceAll('\\', '/'));
    assert.deepEqual(elsewhere, ['first', 'samples/second']);
  });

  it('of chosen folders tells whether each still holds an extension within the root, also where a link leads', async () => {
    await extension('dist', 'packages/a/any/place');
    const holds = async (...folders: string[]): Promise<boolean> =>
      await holdExtensions(
        root,
        folders.map((folder) => join(root, folder)),
      );
    assert.equal(await holds('dist', 'packages/a/any/place'), true);
    assert.equal(await holds('dist', 'src'), false);
    const other = await mkdtemp(join(tmpdir(), 'sideload-elsewhere-'));
    await writeFile(join(other, 'manifest.json'), '{ "manifest_version": 3 }');
    await symlink(other, join(root, 'linked'), 'junction');
    assert.equal(await holds('linked'), false);
    assert.equal(await holds('..'), false);
    await rm(other, { recursive: true });
    await rm(join(root, 'dist', 'manifest.json'));
    assert.equal(await holds('dist'), false);
  });
});
