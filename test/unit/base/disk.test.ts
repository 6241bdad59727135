import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { foldersUp, inFileName, isSamePath } from '../../../src/base/disk';

describe('two paths', () => {
  it('are the same in another case where disks take no account of it', () => {
    assert.equal(isSamePath('c:\\Work\\dist', 'C:\\work\\dist\\', 'win32'), true);
    assert.equal(isSamePath('c:/Work/dist', 'C:\\work\\dist', 'win32'), true);
    assert.equal(isSamePath('\\\\host\\share\\a', '\\\\HOST\\share\\A', 'win32'), true);
    assert.equal(isSamePath('c:\\work\\dist', 'd:\\work\\dist', 'win32'), false);
    assert.equal(isSamePath('/Users/ann/Work', '/users/ann/work', 'darwin'), true);
    assert.equal(isSamePath('/Users/ann/caf\u0065\u0301', '/Users/ann/caf\u00e9', 'darwin'), true);
    assert.equal(isSamePath('/home/ann/Project', '/home/ann/project', 'linux'), false);
    assert.equal(isSamePath('/home/ann/project/', '/home/ann/project', 'linux'), true);
  });
});

describe('the folders above a folder', () => {
  const up = (folder: string, root: string): string[] => [...foldersUp(resolve(folder), resolve(root))];

  it('are the folder itself and those above it, up to the root', () => {
    assert.deepEqual(
      up('/home/a/b', '/home'),
      ['/home/a/b', '/home/a', '/home'].map((path) => resolve(path)),
    );
    assert.deepEqual(up('/home', '/home'), [resolve('/home')]);
    assert.deepEqual(up('/a', '/'), [resolve('/a'), resolve('/')]);
  });

  it('are none for a folder elsewhere', () => {
    assert.deepEqual(up('/other', '/home'), []);
  });
});

describe('a part of the name of a file', () => {
  it('has the letters of any language, and no character that a system refuses', () => {
    assert.equal(inFileName('Größe 2.0: 浏览器/_a?'), 'Größe-2.0-浏览器-_a-');
  });
});
