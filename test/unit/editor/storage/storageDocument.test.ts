import assert from 'node:assert/strict';
import { StorageDocument } from '../../../../src/editor/storage/storageDocument';
import { textOf } from '../../../../src/editor/storage/storageText';

const items = (object: object): Map<string, unknown> => new Map(Object.entries(object));

/** A document that is open and shows what the area holds. */
function opened(object: object): StorageDocument {
  const document = new StorageDocument();
  document.accept(items(object));
  document.show(Buffer.from(document.serve()).toString());
  return document;
}

describe('a document of storage', () => {
  it('has a new version when the area has changed, and only then', () => {
    const document = opened({ a: 1, b: 2 });
    const { mtime } = document.versionForStat(undefined);
    assert.equal(document.accept(items({ b: 2, a: 1 })), false);
    assert.equal(document.versionForStat(undefined).mtime, mtime);
    assert.equal(document.accept(items({ a: 2, b: 2 })), true);
    assert.ok(document.versionForStat(undefined).mtime > mtime);
    assert.equal(document.isBehind, true);
    assert.equal(document.show(Buffer.from(document.serve()).toString()), true);
    assert.equal(document.isBehind, false);
  });

  it('has versions of different sizes, since VS Code takes a newer one of the same size for the same', () => {
    const document = opened({ a: 1 });
    const sizes = [document.versionForStat(undefined).bytes.length];
    for (const a of [2, 3]) {
      document.accept(items({ a }));
      const { bytes, text } = document.versionForStat(undefined);
      assert.equal(text.trimEnd(), textOf(items({ a })).trimEnd());
      sizes.push(bytes.length);
    }
    assert.notEqual(sizes[0], sizes[1]);
    assert.notEqual(sizes[0], sizes[2], 'the open document is still of the first one');
    assert.notEqual(sizes[1], sizes[2]);
  });

  it('with unsaved edits is told of another version only when both have changed the same key', () => {
    const document = opened({ a: 1, b: 1 });
    const base = document.versionForStat(undefined);
    const edited = textOf(items({ a: 2, b: 1 }));
    document.accept(items({ a: 1, b: 2 }));
    assert.equal(document.versionForStat(edited), base);
    document.accept(items({ a: 2, b: 2 }));
    assert.equal(document.versionForStat(edited), base, 'the same change');
    document.accept(items({ a: 3, b: 2 }));
    assert.ok(document.versionForStat(edited).mtime > base.mtime);
    assert.equal(document.versionForStat('{ not JSON'), base);
  });

  it('is saved by its own changes, compared with what the editor was told of', () => {
    const document = opened({ a: 1, b: 1, c: 1 });
    const edited = items({ a: 2, b: 1 });
    document.accept(items({ a: 1, b: 2, c: 1 }));
    document.versionForStat(textOf(edited));
    // Read after the editor has asked: the write itself compares again.
    document.accept(items({ a: 1, b: 2, c: 3 }));
    const saved = document.changeTo(edited);
    assert.deepEqual(saved?.change, { set: items({ a: 2 }), remove: ['c'] });
    assert.deepEqual(
      [...saved.expected],
      [
        ['a', 1],
        ['c', 1],
      ],
    );
    // The user has seen the other value, and overwrites it.
    document.versionForStat(textOf(edited));
    assert.equal(document.changeTo(edited)?.expected.get('c'), 3);
  });

  it('shows after a save what was written, until what others have changed is loaded', () => {
    const document = opened({ a: 1 });
    const edited = '{"a": 2}';
    document.written(items({ a: 2 }), edited);
    assert.equal(document.versionForStat(edited).bytes.length, edited.length);
    assert.equal(document.isBehind, false);
    assert.equal(document.accept(items({ a: 2 })), false, 'it is not written in the order of Chromium');
    assert.equal(document.accept(items({ a: 2, b: 1 })), true);
    assert.equal(document.versionForStat(edited).text, edited, 'before it is known to be clean');
    assert.equal(document.show(edited), false);
    assert.equal(document.isBehind, true);
  });

  it('is based on what it shows after its edits were dropped', () => {
    const document = opened({ a: 1 });
    document.accept(items({ a: 2 }));
    const text = Buffer.from(document.serve()).toString();
    assert.equal(document.show(text), true);
    assert.deepEqual(document.changeTo(items({ a: 2, b: 1 }))?.change, { set: items({ b: 1 }), remove: [] });
  });

  it('that was edited before this window writes nothing until it is saved once more', () => {
    const document = new StorageDocument();
    document.accept(items({ a: 1, b: 1 }));
    document.versionForStat(textOf(items({ a: 2 })));
    assert.equal(document.changeTo(items({ a: 2 })), undefined);
    assert.deepEqual(document.changeTo(items({ a: 2 }))?.change, { set: items({ a: 2 }), remove: ['b'] });
  });
});
