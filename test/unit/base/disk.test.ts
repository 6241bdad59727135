import assert from 'node:assert/strict';
import { isSamePath } from '../../../src/base/disk';

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
