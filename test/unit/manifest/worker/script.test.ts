import assert from 'node:assert/strict';
import { readScript } from '../../../../src/manifest/worker/script';

describe('readScript', () => {
  it('finds the scripts that a worker loads, and its syntax errors', () => {
    const { dependencies } = {
      dependencies: [],
      ...readScript('importScripts("a.js", "b.js"); if (x) importScripts("c.js");', 'classic'),
    };
    assert.deepEqual(
      dependencies.map(({ specifier }) => specifier),
      ['a.js', 'b.js'],
    );
    assert.ok('fault' in readScript('let a = ;', 'classic'));
  });

  for (const part of [
    '(',
    '[',
    '`${',
    '!',
    'a=>',
    'new ',
    'a+',
    'a?b:',
    'if(a)',
    'function f(){',
    'x=',
    'class A{a(){',
    '({a:',
  ]) {
    it(`knows nothing about code that is nested too deeply to be parsed: ${part}`, () => {
      assert.deepEqual(readScript(part.repeat(200_000), 'classic'), { dependencies: [] });
    });
  }
});
