import assert from 'node:assert/strict';
import type { FormPart } from '../../../../src/local/http/multipart';
import { groupParts } from '../../../../src/local/http/uploadParts';

const name = (partName: string, text: string): FormPart => ({ name: partName, text });
const file = (partName: string, path: string): FormPart => ({ name: partName, file: path });
const BOTH = [
  { name: 'a', archive: '/1' },
  { name: 'b', archive: '/2' },
];

describe('the parts of an upload', () => {
  it('are grouped by their index, in any order', () => {
    const parts = [
      file('extensions[7][zip_file]', '/2'),
      name('extensions[2][name]', 'a'),
      name('extensions[7][name]', 'b'),
      file('extensions[2][zip_file]', '/1'),
    ];
    assert.deepEqual(groupParts(parts), BOTH);
  });

  it('are grouped by a dotted index', () => {
    const parts = [
      name('extensions.0.name', 'a'),
      file('extensions.0.zip_file', '/1'),
      file('extensions.1.zip_file', '/2'),
      name('extensions.1.name', 'b'),
    ];
    assert.deepEqual(groupParts(parts), BOTH);
  });

  it('are consecutive pairs when dotted without an index', () => {
    const pairs = [
      name('extensions.name', 'a'),
      file('extensions.zip_file', '/1'),
      file('extensions.zip_file', '/2'),
      name('extensions.name', 'b'),
    ];
    assert.deepEqual(groupParts(pairs), BOTH);
    const [first, second, third, fourth] = pairs;
    assert(first && second && third && fourth);
    assert.throws(() => groupParts([first, fourth, second, third]), /next to each other/);
  });

  it('are two lists when bracketed without an index', () => {
    const parts = [
      name('extensions[][name]', 'a'),
      name('extensions[][name]', 'b'),
      file('extensions[][zip_file]', '/1'),
      file('extensions[][zip_file]', '/2'),
    ];
    assert.deepEqual(groupParts(parts), BOTH);
    assert.throws(() => groupParts(parts.slice(0, 3)), /one name and one zip_file/);
  });

  const wrong: [string, FormPart[], RegExp][] = [
    ['a stranger', [name('title', 'x')], /invalid field: title/],
    ['a field that no extension has', [name('extensions[0][pinned]', 'x')], /invalid field: extensions\[0\]\[pinned\]/],
    ['a mix of shapes', [name('extensions[0][name]', 'x'), file('extensions[][zip_file]', '/1')], /cannot be mixed/],
    ['a file in place of a name', [file('extensions.name', '/1'), file('extensions.zip_file', '/2')], /must be text/],
    ['text in place of a file', [name('extensions.name', 'x'), name('extensions.zip_file', 'y')], /must be a file/],
    ['an index with one half', [name('extensions[0][name]', 'x')], /one name and one zip_file/],
  ];
  for (const [what, parts, says] of wrong) {
    it(`are invalid: ${what}`, () => {
      assert.throws(() => groupParts(parts), says);
    });
  }
});
