import assert from 'node:assert/strict';
import { MOST_BYTES } from '../../../../src/devtools/storage/extensionStorage';
import { exportText, readExport } from '../../../../src/editor/storage/storageExport';

const EXTENSION = { id: 'a'.repeat(32), name: 'Sample', version: '1.0', path: '/x', enabled: true };

describe('an exported storage', () => {
  it('is imported as it was, odd keys included', () => {
    const local: unknown = JSON.parse('{ "__proto__": { "a": 1 }, "": [null], "format": "x" }');
    assert(typeof local === 'object' && local !== null);
    const areas = new Map([
      ['local', new Map<string, unknown>(Object.entries(local))],
      ['managed', new Map<string, unknown>()],
    ] as const);
    const text = exportText(EXTENSION, areas);
    assert.deepEqual(readExport(text), areas);
    assert.match(text, /^\{\n {2}"format": "sideload-storage",\n {2}"version": 1,/);
  });

  it('is no larger than what is imported, also when it holds many small values', () => {
    // In the file, each number has a line of its own, indented by as many levels.
    let deep: unknown = new Array<number>(600_000).fill(1);
    for (let level = 0; level < 40; level++) deep = [deep];
    const text = exportText(EXTENSION, new Map([['local', new Map([['deep', deep]])]]));
    assert.ok(text.length <= MOST_BYTES, `${text.length} bytes`);
  });

  it('is refused whole with the reason', () => {
    const file = (areas: unknown): string => JSON.stringify({ format: 'sideload-storage', version: 1, areas });
    const refused: [text: string, reason: RegExp][] = [
      ['{ "format": "sideload-storage", }', /line 1, column 31: trailing comma/],
      ['{}', /does not begin with/],
      [JSON.stringify({ format: 'sideload-storage', version: 2, areas: {} }), /"version": 1/],
      ['[]', /does not begin with/],
      [file(undefined), /"areas" is not an object/],
      [file([]), /"areas" is not an object/],
      [file({ local: {}, other: {} }), /no area "other"/],
      [file({ local: [1] }), /area local is not an object/],
      [
        `{ "format": "sideload-storage", "version": 1, "areas": { "local": { "a": 1, "a": 2 } } }`,
        /"a" is there twice/,
      ],
      [file({ local: { a: JSON.parse(`${'['.repeat(100)}${']'.repeat(100)}`) as unknown } }), /no more than 99 levels/],
    ];
    for (const [text, reason] of refused) assert.throws(() => readExport(text), { name: 'UserError', message: reason });
    assert.doesNotThrow(() =>
      readExport(file({ local: { a: JSON.parse(`${'['.repeat(99)}${']'.repeat(99)}`) as unknown } })),
    );
  });
});
