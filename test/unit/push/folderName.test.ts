import assert from 'node:assert/strict';
import { FolderNameError, folderNameOf, isFolderOf, nextFolderName } from '../../../src/push/folderName';
import { EXTENSION_NAME_PATTERN } from '../../../src/service/interface';

describe('folderNameOf', () => {
  it('gives the same legal name for the same manifest name, in any script', () => {
    for (const name of ['Tab Tidy', 'Übersetzer', '标签页', '..', '   ', 'a'.repeat(5000), 'x/../../y', '😀']) {
      const folder = folderNameOf(name);
      assert.match(folder, EXTENSION_NAME_PATTERN);
      assert.notEqual(folder, '.');
      assert.equal(folderNameOf(name), folder);
    }
  });

  it('distinguishes two names that differ only in illegal characters', () => {
    assert.notEqual(folderNameOf('Tab Tidy'), folderNameOf('Tab-Tidy'));
    assert.notEqual(folderNameOf('标签页'), folderNameOf('标签'));
  });

  it('makes no name of a device of Windows', () => {
    assert.equal(folderNameOf('tidy'), 'tidy');
    for (const name of ['aux', 'con', 'com1']) assert.match(folderNameOf(name), new RegExp(`^${name}-[0-9a-f]{8}$`));
  });

  it('uses a configured name as it is and refuses an illegal or reserved one', () => {
    assert.equal(folderNameOf('Tab Tidy', 'tidy_1.2-dev'), 'tidy_1.2-dev');
    for (const name of ['a b', 'a/b', '..', '.', 'kernel', 'ä', 'a'.repeat(256)]) {
      assert.throws(() => folderNameOf('x', name), FolderNameError, name);
    }
  });
});

describe('nextFolderName', () => {
  it('gives a legal name that belongs to the same extension, and to no other', () => {
    for (const name of ['tab-counter', 'x'.repeat(255)]) {
      const next = nextFolderName(name);
      assert.match(next, EXTENSION_NAME_PATTERN);
      assert.ok(isFolderOf(name, next), next);
    }
    assert.ok(isFolderOf('tab-counter', 'tab-counter'));
    assert.ok(!isFolderOf('tab', nextFolderName('tab-counter')));
    assert.ok(!isFolderOf('tab-counter', 'tab-counter.sideload-'));
  });
});
