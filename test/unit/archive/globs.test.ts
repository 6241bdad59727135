import assert from 'node:assert/strict';
import { compileGlobs } from '../../../src/archive/globs';
import { isQuick } from '../../support/longTexts';

/** The longest name that file systems of Linux take. */
const LONGEST_NAME = 255;

/** Globs that hold a backtracking expression for seconds or forever, on a long name of the letter a. */
const SLOW_GLOBS = [
  '*a*a*a*a*b',
  '*a*a*a*a*a*a*a*b',
  '*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*b',
  '@(+(*a))*b',
  '*(*a)b',
  '(a|aa)+b',
  '+(a|[ab])b',
  '?(a)'.repeat(50) + 'b',
  '@(a|aa)'.repeat(40) + 'b',
  '{a,aa}'.repeat(40) + 'b',
  '!(*a*a*a*b)b',
  '**/a/**/a/**/b',
  '[a-z]*[a-z]*[a-z]*[a-z]*b',
];

describe('globs', () => {
  const matches = (glob: string, path: string): boolean => compileGlobs([glob]).match(path) !== undefined;

  it('match names at any depth, paths from the folder, and all that picomatch knows', () => {
    const cases: [glob: string, yes: string[], no: string[]][] = [
      ['*.md', ['a.md', 'x/y/.md'], ['a.md/b', 'a.mdx']],
      ['a/*/c', ['a/b/c', 'a/.b/c'], ['a/c', 'a/b/b/c', 'x/a/b/c']],
      ['a/**/c', ['a/c', 'a/b/c', 'a/b/b/c'], ['a/bc', 'ac']],
      ['*.{test,spec}.{js,ts}', ['a.test.js', 'x/a.spec.ts'], ['a.js', 'a.test.jsx']],
      ['*-*-*-*.map', ['a-b-c-d.map', '---.map'], ['a-b-c.map']],
      ['a?c', ['abc', 'x/a.c'], ['ac', 'a/c']],
      ['[a-c]1', ['b1'], ['d1', 'b2']],
      ['[[]1[]]', ['[1]'], ['1']],
      ['@(a|b).js', ['a.js'], ['ab.js', 'c.js']],
      ['+(ab).js', ['ab.js', 'abab.js'], ['.js', 'aba.js']],
      ['!(a|b).js', ['c.js', 'ab.js', 'x/c.js'], ['a.js', 'x/b.js', 'c.ts']],
      ['dist/!(*.js|*.css)', ['dist/a.html', 'dist/a.js.map'], ['dist/a.js', 'dist/b.css', 'a.html']],
      ['{a/b,c}', ['a/b', 'c'], ['b', 'x/c']],
    ];
    for (const [glob, yes, no] of cases) {
      for (const path of yes) assert.ok(matches(glob, path), `${glob} should match ${path}`);
      for (const path of no) assert.ok(!matches(glob, path), `${glob} should not match ${path}`);
    }
  });

  for (const glob of SLOW_GLOBS) {
    it(`take no long name hostage: ${glob.slice(0, 40)}`, () => {
      const globs = compileGlobs([glob]);
      const name = 'a'.repeat(LONGEST_NAME);
      const path = Array.from({ length: 2048 }, () => 'a').join('/');
      const quick = isQuick(() => {
        globs.match(name);
        globs.match(path);
        globs.match(`${name}/${name}/${name}`);
      });
      assert.ok(quick);
    }).timeout(5000);
  }

  it('reach into folders that lead to what they match, and into those where that may be', () => {
    const cases: [glob: string, yes: string[], no: string[]][] = [
      ['node_modules/a/**/*.js', ['node_modules', 'node_modules/a', 'node_modules/a/b/c'], ['node_modules/b', 'a']],
      ['node_modules/*/dist/a.js', ['node_modules', 'node_modules/a', 'node_modules/a/b'], ['node_modules/a/b/c']],
      ['node_modules/*.js', ['node_modules'], ['node_modules/a']],
      ['node_modules/{a/b,c}/d', ['node_modules/a/b'], ['other']],
      ['**/a.js', [], ['node_modules']],
      ['a.js', [], ['node_modules']],
    ];
    for (const [glob, yes, no] of cases) {
      const { reachesInto } = compileGlobs([glob]);
      assert.deepEqual([yes.filter(reachesInto), no.filter(reachesInto)], [yes, []], glob);
    }
  });

  it('that are too long, too many or malformed are paths, and are named', () => {
    const long = '*a'.repeat(30_000);
    const globs = compileGlobs([long, 'a*b!(c)d!(e)', 'x.js']);
    assert.deepEqual(globs.unusable, [long, 'a*b!(c)d!(e)']);
    assert.equal(globs.match(long.slice(0, 100)), undefined);
    assert.equal(globs.match(long), long);
    assert.equal(globs.match('a*b!(c)d!(e)'), 'a*b!(c)d!(e)');
    assert.equal(globs.match('x.js'), 'x.js');
    const many = compileGlobs(Array.from({ length: 10_000 }, (_, index) => `*${index}`));
    assert.ok(many.unusable.length > 9_000);
  });
});
