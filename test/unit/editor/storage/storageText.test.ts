import assert from 'node:assert/strict';
import {
  changeBetween,
  conflictsOf,
  documentOf,
  holdsText,
  isSameItems,
  keysText,
  parseItems,
  valuesFor,
} from '../../../../src/editor/storage/storageText';
import { turnsDuring } from '../../../support/turns';

const items = (object: object): Map<string, unknown> => new Map(Object.entries(object));

const textOf = async (all: Map<string, unknown>): Promise<string> => (await documentOf(all)).toString();

const problemOf = async (text: string): Promise<string> => {
  const parsed = await parseItems(text);
  return 'problem' in parsed ? `${parsed.problem.line}:${parsed.problem.column} ${parsed.problem.message}` : 'none';
};

describe('the text of a storage area', () => {
  it('has the items in their order, and is parsed to the same', async () => {
    const parsed: unknown = JSON.parse(
      '{ "b": 1, "__proto__": { "__proto__": [2] }, "": null, "é😀": "\\u0000", "a": {} }',
    );
    assert(typeof parsed === 'object' && parsed !== null);
    const all = items(parsed);
    const text = await textOf(all);
    assert.equal(text, `${JSON.stringify(parsed, null, 2)}\n`);
    const again = await parseItems(text);
    assert('items' in again);
    assert.deepEqual([...again.items], [...all]);
    assert.ok(again.items.has('__proto__'));
  });

  it('is refused with the place where it is no JSON', async () => {
    assert.equal(await problemOf('{\n  "a": 1,\n}'), '2:9 trailing comma');
    assert.match(await problemOf(''), /^1:1 EOF while parsing/);
    assert.equal(await problemOf('{ "ü😀": tru }'), '1:13 expected ident');
    assert.match(await problemOf('{ "a": 1 } x'), /^1:12 trailing characters/);
    assert.match(await problemOf('// none\n{}'), /^1:1 /);
  });

  it('is refused when it is not an object', async () => {
    for (const text of ['[]', 'null', '1', '"a"']) assert.match(await problemOf(text), /^1:1 an object/);
  });

  it('is refused where Chromium would not store it as it is', async () => {
    assert.equal(await problemOf('{\n  "a": 1,\n  "a": 2 }'), '3:3 the key "a" is there twice');
    assert.equal(await problemOf('{ "a": [{ "b": 1, "\\u0062": 2 }] }'), '1:19 the key "b" is there twice');
    assert.equal(await problemOf('{ "a": { "b": 1 }, "c": { "b": 1 }, "b": 1 }'), 'none');
    assert.equal(await problemOf('{ "a": -1e999 }'), '1:8 the number is too large');
    const nested = (levels: number): string => `{"a":${'['.repeat(levels)}${']'.repeat(levels)}}`;
    assert.equal(await problemOf(nested(99)), 'none');
    assert.match(await problemOf(nested(100)), /^1:105 Chromium stores no more than 99 levels/);
    const written = (levels: number): Promise<string> => textOf(items(JSON.parse(nested(levels)) as object));
    assert.equal(await problemOf(await written(99)), 'none');
    assert.match(await problemOf(await written(100)), /^101:201 Chromium stores no more than 99 levels/);
  });
});

describe('the text of a large storage area', () => {
  const value = { text: 'x'.repeat(1000), '}': ['{', ',"', { nothing: null, '\\"': [] }] };
  const all = items(Object.fromEntries(Array.from({ length: 1600 }, (_, at) => [`item ${at}`, value])));

  it('is the same as that of a small one would be, and is parsed to the same', async () => {
    const text = await textOf(all);
    assert.equal(text, `${JSON.stringify(Object.fromEntries(all), null, 2)}\n`);
    assert.deepEqual(await parseItems(text), { items: all });
    assert.deepEqual(await parseItems(new Uint8Array(await documentOf(all))), { items: all });
    assert.deepEqual(await parseItems(JSON.stringify(Object.fromEntries(all))), { items: all });
  });

  it('is known by its bytes, wherever a character begins', async () => {
    const bytes = await documentOf(all);
    for (const text of [
      '',
      '\uFEFF{}',
      `${'€'.repeat(70_000)}😀`,
      'a\uFFFD',
      ` ${'😀'.repeat(40_000)}`,
      bytes.toString(),
    ]) {
      assert.ok(holdsText(Buffer.from(text), text));
      assert.ok(!holdsText(Buffer.from(text), `${text}\n`));
      assert.ok(!holdsText(Buffer.from(`${text}\n`), text));
      assert.ok(!holdsText(Buffer.from(`${text}a`), `${text}b`));
    }
  });

  it('has none of the lengths that it should not have', async () => {
    const { length } = await documentOf(all);
    assert.equal(String(await documentOf(all, [length, length + 1])), `${await textOf(all)}\n\n`);
  });

  it('is made, parsed and compared with turns of the event loop in between', async () => {
    const [text, same] = [await textOf(all), structuredClone(all)];
    assert.ok((await turnsDuring(() => textOf(all))).turns > 1);
    assert.ok((await turnsDuring(() => parseItems(text))).turns > 1);
    assert.ok((await turnsDuring(() => parseItems(Buffer.from(text)))).turns > 1);
    assert.ok((await turnsDuring(() => isSameItems(all, same))).turns > 1);
    assert.deepEqual(await changeBetween(all, same), { set: new Map(), remove: [] });
  });

  it('is refused for the same reason, at the same place', async () => {
    const text = await textOf(all);
    const last = text.split('\n').length - 1;
    assert.equal(await problemOf(text.replace(/\}\n$/, ',}\n')), `${last}:1 trailing comma`);
    assert.match(await problemOf(`\uFEFF${text}`), /^1:1 /);
    const marked = await parseItems(Buffer.from(`\uFEFF${text}`));
    assert.ok('problem' in marked && marked.problem.line === 1 && marked.problem.column === 1);
    assert.match(await problemOf(`[${text}]`), /^1:1 an object/);
    assert.match(await problemOf(`${text}, ${text}`), new RegExp(`^${last + 1}:1 trailing characters`));
    assert.match(
      await problemOf(text.replace('{', '{ "item 1599": 1,')),
      new RegExp(` the key "item 1599" is there twice`),
    );
    assert.match(await problemOf(text.replace('"item 400": {', '"item 400": {{')), /^\d+:16 /);
    assert.match(await problemOf(text.replace('"item 400": {', '"a": 1, , "item 400": {')), /^\d+:11 /);
    assert.equal(await problemOf(`{${' '.repeat(200_000)}}`), 'none');
  });
});

describe('a change of storage', () => {
  const base = items({ same: { x: 1, y: [1, { z: null }] }, changed: 1, removed: true, nothing: null });
  const edited = items({ added: [], same: { y: [1, { z: null }], x: 1 }, nothing: null, changed: '1' });

  it('has only what differs; the order of keys does not count', async () => {
    assert.deepEqual(await changeBetween(base, edited), {
      set: items({ added: [], changed: '1' }),
      remove: ['removed'],
    });
    assert.deepEqual(await changeBetween(base, new Map([...base].reverse())), { set: new Map(), remove: [] });
    assert.ok(await isSameItems(base, new Map([...base].reverse())));
    assert.ok(!(await isSameItems(base, edited)));
    assert.ok(!(await isSameItems(items({ a: undefined }), items({ b: undefined }))));
  });

  it('conflicts where the same key has another value now, unless it is the same change', async () => {
    const change = await changeBetween(base, edited);
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

  it('replaces the values of its keys', async () => {
    const values = valuesFor(await changeBetween(base, edited), base);
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
