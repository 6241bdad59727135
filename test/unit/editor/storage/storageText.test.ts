import assert from 'node:assert/strict';
import {
  changeBetween,
  conflictsOf,
  isSameItems,
  keysText,
  parseItems,
  textOf,
  valuesFor,
} from '../../../../src/editor/storage/storageText';

const items = (object: object): Map<string, unknown> => new Map(Object.entries(object));

const problemOf = (text: string): string => {
  const parsed = parseItems(text);
  return 'problem' in parsed ? `${parsed.problem.line}:${parsed.problem.column} ${parsed.problem.message}` : 'none';
};

describe('the text of a storage area', () => {
  it('has the items in their order, and is parsed to the same', () => {
    const parsed: unknown = JSON.parse(
      '{ "b": 1, "__proto__": { "__proto__": [2] }, "": null, "é😀": "\\u0000", "a": {} }',
    );
    assert(typeof parsed === 'object' && parsed !== null);
    const all = items(parsed);
    const text = textOf(all);
    assert.equal(text, `${JSON.stringify(parsed, null, 2)}\n`);
    const again = parseItems(text);
    assert('items' in again);
    assert.deepEqual([...again.items], [...all]);
    assert.ok(again.items.has('__proto__'));
  });

  it('is refused with the place where it is no JSON', () => {
    assert.equal(problemOf('{\n  "a": 1,\n}'), '2:9 trailing comma');
    assert.match(problemOf(''), /^1:1 EOF while parsing/);
    assert.equal(problemOf('{ "ü😀": tru }'), '1:13 expected ident');
    assert.match(problemOf('{ "a": 1 } x'), /^1:12 trailing characters/);
    assert.match(problemOf('// none\n{}'), /^1:1 /);
  });

  it('is refused when it is not an object', () => {
    for (const text of ['[]', 'null', '1', '"a"']) assert.match(problemOf(text), /^1:1 an object/);
  });

  it('is refused where Chromium would not store it as it is', () => {
    assert.equal(problemOf('{\n  "a": 1,\n  "a": 2 }'), '3:3 the key "a" is there twice');
    assert.equal(problemOf('{ "a": [{ "b": 1, "\\u0062": 2 }] }'), '1:19 the key "b" is there twice');
    assert.equal(problemOf('{ "a": { "b": 1 }, "c": { "b": 1 }, "b": 1 }'), 'none');
    assert.equal(problemOf('{ "a": -1e999 }'), '1:8 the number is too large');
    const nested = (levels: number): string => `{"a":${'['.repeat(levels)}${']'.repeat(levels)}}`;
    assert.equal(problemOf(nested(99)), 'none');
    assert.match(problemOf(nested(100)), /^1:105 Chromium stores no more than 99 levels/);
  });
});

describe('a change of storage', () => {
  const base = items({ same: { x: 1, y: [1, { z: null }] }, changed: 1, removed: true, nothing: null });
  const edited = items({ added: [], same: { y: [1, { z: null }], x: 1 }, nothing: null, changed: '1' });

  it('has only what differs; the order of keys does not count', () => {
    assert.deepEqual(changeBetween(base, edited), { set: items({ added: [], changed: '1' }), remove: ['removed'] });
    assert.deepEqual(changeBetween(base, new Map([...base].reverse())), { set: new Map(), remove: [] });
    assert.ok(isSameItems(base, new Map([...base].reverse())));
    assert.ok(!isSameItems(base, edited));
    assert.ok(!isSameItems(items({ a: undefined }), items({ b: undefined })));
  });

  it('conflicts where the same key has another value now, unless it is the same change', () => {
    const change = changeBetween(base, edited);
    const conflicts = (now: object): string[] =>
      conflictsOf(change, base, items({ ...Object.fromEntries(base), ...now }));
    assert.deepEqual(conflicts({}), []);
    assert.deepEqual(conflicts({ nothing: 1, other: 2 }), [], 'other keys');
    assert.deepEqual(conflicts({ changed: 2 }), ['changed']);
    assert.deepEqual(conflicts({ removed: false }), ['removed']);
    assert.deepEqual(conflicts({ added: [1] }), ['added']);
    assert.deepEqual(conflicts({ changed: '1', added: [] }), [], 'the same change');
    const both = new Map([...base].filter(([key]) => key !== 'removed' && key !== 'changed'));
    assert.deepEqual(
      conflictsOf(change, base, both),
      ['changed'],
      'both have removed a key; one has changed the other',
    );
  });

  it('replaces the values of its keys', () => {
    const values = valuesFor(changeBetween(base, edited), base);
    assert.deepEqual(
      [...values],
      [
        ['added', undefined],
        ['changed', 1],
        ['removed', true],
      ],
    );
  });

  it('is named by a few short keys', () => {
    assert.equal(keysText(['a', 'b"']), '"a", "b\\""');
    assert.equal(keysText(['1', '2', '3', '4', '5', '6']), '"1", "2", "3", "4", "5", …');
    assert.ok(keysText(['x'.repeat(5000)]).length < 100);
  });
});
