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

  for (const code of ['f() = 1', 'f() += 1', 'f()++', '--f()', 'for (f() in a);', 'for (f() of a);', '(f()) = 1']) {
    it(`takes what V8 refuses only when it runs: ${code}`, () => {
      for (const written of [code, `"use strict"; ${code}`])
        assert.deepEqual(readScript(`${written}; importScripts();`, 'classic'), { dependencies: [] });
      assert.deepEqual(readScript(code, 'module'), { dependencies: [] });
    });
  }

  for (const code of ['f() ||= 1', '[f()] = a', '({ b: f() } = a)', '[...f()] = a', '1 = a', 'f`` = 1', 'f?.() = 1']) {
    it(`finds what V8 refuses before it runs: ${code}`, () => {
      assert.ok('fault' in readScript(code, 'classic'));
      assert.ok(!('fault' in readScript('f() = 1', 'classic')));
    });
  }

  for (const code of ['await 1', 'if (a) await 1', 'for await (const a of b);', 'await using a = null']) {
    it(`finds what modules may have and workers may not: ${code}`, () => {
      assert.ok('fault' in readScript(code, 'module'));
      assert.deepEqual(readScript(`async () => { ${code} }`, 'module'), { dependencies: [] });
    });
  }

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
