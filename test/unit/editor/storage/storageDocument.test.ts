import assert from 'node:assert/strict';
import { StorageDocument } from '../../../../src/editor/storage/storageDocument';
import { documentOf } from '../../../../src/editor/storage/storageText';

const items = (object: object): Map<string, unknown> => new Map(Object.entries(object));

const textOf = async (all: Map<string, unknown>): Promise<string> => (await documentOf(all)).toString();

/** A document that is open and shows what the area holds. */
async function opened(object: object): Promise<StorageDocument> {
  const document = new StorageDocument();
  await document.accept(items(object));
  document.show(Buffer.from(document.serve()).toString());
  return document;
}

describe('a document of storage', () => {
  it('has a new version when the area has changed, and only then', async () => {
    const document = await opened({ a: 1, b: 2 });
    const { mtime } = await document.versionForStat(undefined);
    assert.equal(await document.accept(items({ b: 2, a: 1 })), false);
    assert.equal((await document.versionForStat(undefined)).mtime, mtime);
    assert.equal(await document.accept(items({ a: 2, b: 2 })), true);
    assert.ok((await document.versionForStat(undefined)).mtime > mtime);
    assert.equal(document.isBehind, true);
    assert.equal(document.show(Buffer.from(document.serve()).toString()), true);
    assert.equal(document.isBehind, false);
  });

  it('has versions of different sizes, since VS Code takes a newer one of the same size for the same', async () => {
    const document = await opened({ a: 1 });
    const sizes = [(await document.versionForStat(undefined)).bytes.length];
    for (const a of [2, 3]) {
      await document.accept(items({ a }));
      const { bytes } = await document.versionForStat(undefined);
      assert.equal(Buffer.from(bytes).toString().trimEnd(), (await textOf(items({ a }))).trimEnd());
      sizes.push(bytes.length);
    }
    assert.notEqual(sizes[0], sizes[1]);
    assert.notEqual(sizes[0], sizes[2], 'the open document is still of the first one');
    assert.notEqual(sizes[1], sizes[2]);
  });

  it('with unsaved edits reports another version only when both have changed the same key', async () => {
    const document = await opened({ a: 1, b: 1 });
    const base = await document.versionForStat(undefined);
    const edited = await textOf(items({ a: 2, b: 1 }));
    await document.accept(items({ a: 1, b: 2 }));
    assert.equal(await document.versionForStat(edited), base);
    await document.accept(items({ a: 2, b: 2 }));
    assert.equal(await document.versionForStat(edited), base, 'the same change');
    await document.accept(items({ a: 3, b: 2 }));
    assert.ok((await document.versionForStat(edited)).mtime > base.mtime);
    assert.equal(await document.versionForStat('{ not JSON'), base);
  });

  it('is saved by its own changes, compared with what the editor was told of', async () => {
    const document = await opened({ a: 1, b: 1, c: 1 });
    const edited = items({ a: 2, b: 1 });
    await document.accept(items({ a: 1, b: 2, c: 1 }));
    await document.versionForStat(await textOf(edited));
    // Read after the editor has asked: the write itself compares again.
    await document.accept(items({ a: 1, b: 2, c: 3 }));
    const saved = await document.changeTo(edited);
    assert.deepEqual(saved?.change, { set: items({ a: 2 }), remove: ['c'] });
    assert.deepEqual(
      [...saved.expected],
      [
        ['a', 1],
        ['c', 1],
      ],
    );
    // The user has seen the other value, and overwrites it.
    await document.versionForStat(await textOf(edited));
    assert.equal((await document.changeTo(edited))?.expected.get('c'), 3);
  });

  it('shows after a save what was written, until what others have changed is loaded', async () => {
    const document = await opened({ a: 1 });
    const edited = '{"a": 2}';
    document.written(items({ a: 2 }), Buffer.from(edited));
    assert.equal((await document.versionForStat(edited)).bytes.length, edited.length);
    assert.equal(document.isBehind, false);
    assert.equal(await document.accept(items({ a: 2 })), false, 'it is not written in the order of Chromium');
    assert.equal(await document.accept(items({ a: 2, b: 1 })), true);
    const { bytes } = await document.versionForStat(edited);
    assert.equal(Buffer.from(bytes).toString(), edited, 'before it is known to be clean');
    assert.equal(document.show(edited), false);
    assert.equal(document.isBehind, true);
  });

  it('is based on what it shows after its edits were dropped', async () => {
    const document = await opened({ a: 1 });
    await document.accept(items({ a: 2 }));
    const text = Buffer.from(document.serve()).toString();
    assert.equal(document.show(text), true);
    assert.deepEqual((await document.changeTo(items({ a: 2, b: 1 })))?.change, { set: items({ b: 1 }), remove: [] });
  });

  it('that was edited before this window writes nothing until it is saved once more', async () => {
    const document = new StorageDocument();
    await document.accept(items({ a: 1, b: 1 }));
    await document.versionForStat(await textOf(items({ a: 2 })));
    assert.equal(await document.changeTo(items({ a: 2 })), undefined);
    assert.deepEqual((await document.changeTo(items({ a: 2 })))?.change, { set: items({ a: 2 }), remove: ['b'] });
  });
});
