import assert from 'node:assert/strict';
import { changesOf, placedFiles } from '../../../../src/push/place/spare';
import { packTexts } from '../../../support/packFiles';

/** Large enough for a spare; stored as it is. */
const LARGE = Object.fromEntries(Array.from({ length: 4 }, (_, at) => [`lib/large-${at}.txt`, 'x'.repeat(30_000)]));

const BEFORE = { 'manifest.json': '{}', 'a.js': '1', 'assets/deep/one.txt': '1', 'assets/two.txt': '2', ...LARGE };

async function changes(
  after: Record<string, string>,
  before: Record<string, string> = BEFORE,
  where = { isLocal: true },
) {
  const [old, next] = await Promise.all([packTexts(before), packTexts(after)]);
  const found = changesOf(placedFiles(old), next, where);
  return found && { ...found, sent: found.sent.map(({ entry }) => entry.name) };
}

function without(...paths: string[]): Record<string, string> {
  return Object.fromEntries(Object.entries(BEFORE).filter(([path]) => !paths.includes(path)));
}

describe('what makes a spare the next build', () => {
  it('are the files that are new or have changed', async () => {
    assert.deepEqual(await changes({ ...BEFORE, 'a.js': '2', 'b/new.js': '' }), {
      sent: ['a.js', 'b/new.js'],
      removedFiles: [],
      removedFolders: [],
    });
  });

  it('is nothing when the build before the last comes back', async () => {
    assert.deepEqual(await changes(BEFORE), { sent: [], removedFiles: [], removedFolders: [] });
  });

  it('are the deletions of files, and of the uppermost folders of which no file is left', async () => {
    assert.deepEqual(await changes(without('a.js', 'assets/deep/one.txt')), {
      sent: [],
      removedFiles: ['a.js'],
      removedFolders: ['assets/deep'],
    });
    assert.deepEqual(await changes(without('assets/deep/one.txt', 'assets/two.txt')), {
      sent: [],
      removedFiles: [],
      removedFolders: ['assets'],
    });
  });

  it('is the whole archive where a file becomes a folder, or a folder a file', async () => {
    assert.equal(await changes({ ...without('a.js'), 'a.js/inside.txt': '' }), undefined);
    assert.equal(await changes({ ...without('assets/deep/one.txt', 'assets/two.txt'), assets: '' }), undefined);
  });

  it('is the whole archive where a name has changed by its case alone, which disks may take for the same', async () => {
    assert.equal(await changes({ ...without('a.js'), 'A.js': '1' }), undefined);
    const renamed = { 'Assets/deep/one.txt': '1', 'Assets/two.txt': '2' };
    assert.equal(await changes({ ...without('assets/deep/one.txt', 'assets/two.txt'), ...renamed }), undefined);
  });

  it('is the whole archive of a small extension, and of one that has nothing in common with the spare', async () => {
    assert.equal(await changes({ 'a.js': '2' }, { 'a.js': '1' }), undefined);
    assert.equal(await changes({ 'other.txt': 'y'.repeat(100_000) }), undefined);
  });

  it('is the whole archive where very many files or folders would have to be looked after', async () => {
    const many = (name: (at: number) => string): Record<string, string> =>
      Object.fromEntries(Array.from({ length: 100 }, (_, at) => [name(at), 'x']));
    assert.equal(await changes(BEFORE, { ...BEFORE, ...many((at) => `assets/${at}.txt`) }), undefined);
    const folders = { ...BEFORE, ...many((at) => `folders/${at}/x.txt`) };
    assert.equal(await changes(folders), undefined);
    assert.equal(await changes(folders, folders), undefined);
    assert.equal(await changes(folders, folders, { isLocal: false }), undefined);
  });

  it('are the files that have changed of many folders, too, that are few for its files, or elsewhere for its size', async () => {
    const inFolders = (count: number, each: number): Record<string, string> =>
      Object.fromEntries(Array.from({ length: count * each }, (_, at) => [`folders/${at % count}/${at}.txt`, 'x']));
    const files = { ...BEFORE, ...inFolders(100, 10) };
    assert.deepEqual((await changes({ ...files, 'a.js': '2' }, files))?.sent, ['a.js']);
    assert.equal(await changes(files, files, { isLocal: false }), undefined);
    const large = { ...BEFORE, ...inFolders(100, 1), 'large.txt': 'x'.repeat(4_000_000) };
    assert.deepEqual((await changes({ ...large, 'a.js': '2' }, large, { isLocal: false }))?.sent, ['a.js']);
    assert.equal(await changes(large, large), undefined);
    const more = { ...large, ...inFolders(200, 1) };
    assert.equal(await changes(more, more, { isLocal: false }), undefined);
  });
});
