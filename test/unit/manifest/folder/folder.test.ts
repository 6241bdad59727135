import assert from 'node:assert/strict';
import { ExtensionFolder } from '../../../../src/manifest/folder/folder';
import { caseReader } from '../../../oracle/caseFolder';

describe('the folder of an extension', () => {
  it('is walked with its own files before those of folders that can have more than are read', async () => {
    const packages = Array.from({ length: 20 }, (_, index) => [`node_modules/p${index}/index.js`, ''] as const);
    const files = { ...Object.fromEntries(packages), '.git/HEAD': '', 'lib/a.js': '', 'src/b.js': '', 'z/c/d.js': '' };
    const walked = await new ExtensionFolder('/folder', undefined, caseReader(files)).walk(15);
    const paths = walked.map(({ path }) => path);
    assert.deepEqual([paths.length, new Set(paths).size], [15, 15]);
    for (const path of ['lib/a.js', 'src/b.js', 'z/c/d.js']) assert.ok(paths.includes(path), path);
  });

  it('lists a file without a dependence on it', async () => {
    const folder = new ExtensionFolder('/folder', undefined, caseReader({ 'a/b.js': '' }));
    assert.deepEqual([await folder.isListed('a/b.js'), await folder.isListed('a/../../b.js')], [true, false]);
    assert.equal(await folder.isListed('a/c.js'), false);
    assert.equal(folder.seen.size, 0);
  });
});
