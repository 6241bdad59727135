import assert from 'node:assert/strict';
import { contentsOf, type ContentsFile, type ContentsFolder } from '../../../src/archive/archiveTree';

const file = (path: string, size: number) => ({ path, size, mtimeMs: 0, ctimeMs: 0 });

const rows = (entries: readonly (ContentsFolder | ContentsFile)[]): string[] =>
  entries.map((entry) => `${entry.path} ${entry.size}${entry.kind === 'folder' ? ` in ${entry.count}` : ''}`);

describe('the contents of an archive', () => {
  const leftOut = [{ path: 'node_modules', reason: 'installed packages' }];
  const files = [file('a/b/deep.js', 5), file('a/one.js', 10), file('big.js', 12), file('z.js', 1), file('c.js', 1)];
  const { root, leftOut: kept } = contentsOf({ files, leftOut, totalBytes: 29 });

  it('are a tree with the largest entries first and sums of each folder', () => {
    assert.deepEqual(rows([root]), [' 29 in 5']);
    assert.deepEqual(rows(root.entries), ['a 15 in 2', 'big.js 12', 'c.js 1', 'z.js 1']);
    const [a] = root.entries;
    assert.ok(a?.kind === 'folder');
    assert.deepEqual(rows(a.entries), ['a/one.js 10', 'a/b 5 in 1']);
    assert.deepEqual(kept, leftOut);
  });

  it('of a folder without files are empty', () => {
    assert.deepEqual(contentsOf({ files: [], leftOut: [], totalBytes: 0 }).root.entries, []);
  });
});
