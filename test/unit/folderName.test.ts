import assert from 'node:assert/strict';
import { FolderNameError, folderNameOf } from '../../src/push/folderName';
import { EXTENSION_NAME_PATTERN } from '../../src/service/model';

describe('folderNameOf', () => {
  it('gives the same legal name for the same manifest name, whatever it is written in', () => {
    for (const name of ['Tab Tidy', 'Übersetzer', '标签页', '..', '   ', 'a'.repeat(5000), 'x/../../y', '😀']) {
      const folder = folderNameOf(name);
      assert.match(folder, EXTENSION_NAME_PATTERN);
      assert.notEqual(folder, '.');
      assert.equal(folderNameOf(name), folder);
    }
  });

  it('keeps two names apart that differ only in what a folder cannot hold', () => {
    assert.notEqual(folderNameOf('Tab Tidy'), folderNameOf('Tab-Tidy'));
    assert.notEqual(folderNameOf('标签页'), folderNameOf('标签'));
  });

  it('uses a configured name as it is and refuses an illegal or reserved one', () => {
    assert.equal(folderNameOf('Tab Tidy', 'tidy_1.2-dev'), 'tidy_1.2-dev');
    for (const name of ['a b', 'a/b', '..', '.', 'kernel', 'ä', 'a'.repeat(256)]) {
      assert.throws(() => folderNameOf('x', name), FolderNameError, name);
    }
  });
});
