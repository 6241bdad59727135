import assert from 'node:assert/strict';
import { join } from 'node:path';
import { fileBelow, filesOf, locationsIn, prefixOf } from '../../../../src/editor/console/consoleLocations';

/** The locations of a line as they read, with what each link covers. */
const found = (line: string): string[] =>
  locationsIn(line).map(
    ({ index, length, path, row, column }) => `${path}|${row}|${column}|${line.slice(index, index + length)}`,
  );

describe('the links of the console', () => {
  it('are the locations in frames of stacks and at the end of lines', () => {
    for (const [line, expected] of [
      ['    at add (src/worker.ts:3:5)', ['src/worker.ts|3|5|src/worker.ts:3:5']],
      ['    at src/worker.ts:3', ['src/worker.ts|3|1|src/worker.ts:3']],
      ['Uncaught Error: no at src/a b.ts:3:5', ['src/a b.ts|3|5|src/a b.ts:3:5']],
      ['(a.js:1:2) and (b.js:3)', ['a.js|1|2|a.js:1:2', 'b.js|3|1|b.js:3']],
      ['no (app/[id]/page.js:3:5)', ['app/[id]/page.js|3|5|app/[id]/page.js:3:5']],
      ['no (app/(group)/(a b)/page.js:3:5)', ['app/(group)/(a b)/page.js|3|5|app/(group)/(a b)/page.js:3:5']],
      ['    at f (app/(a)/b.js:1:2)', ['app/(a)/b.js|1|2|app/(a)/b.js:1:2']],
      ['    at app/(a)/b.js:1:2', ['app/(a)/b.js|1|2|app/(a)/b.js:1:2']],
      ['f(x at y) at a.js:1:2', ['a.js|1|2|a.js:1:2']],
      ['done) at a.js:1:2', ['a.js|1|2|a.js:1:2']],
      ['(a.js:1:2)(b.js:3)', ['a.js|1|2|a.js:1:2', 'b.js|3|1|b.js:3']],
      ['look at it at a.js:1', ['it at a.js|1|1|it at a.js:1']],
      ['that src/a.ts:1:1', []],
      ['12:30:15', []],
      ['( a.js:1:2)', []],
      ['x.js:1:2', []],
      ['(https://a.test:8080/x.js:1:2)', []],
      ['at a:1:2:3', []],
      [':1', []],
      ['(:1)', []],
    ] as const) {
      assert.deepEqual(found(line), expected, line);
    }
  });

  it('lead to the workspace folder that they name, where several are open', () => {
    const [first, second] = ['first', 'second'].map((name) => ({ name, root: join('/home', name) }));
    assert.ok(first && second);
    assert.deepEqual([prefixOf(first.root, [first]), prefixOf(second.root, [first, second])], ['', 'second/']);
    assert.equal(prefixOf('/elsewhere', [first, second]), '');
    assert.deepEqual(filesOf('src/a.ts', [first]), [join(first.root, 'src/a.ts')]);
    assert.deepEqual(filesOf('second/src/a.ts', [first, second]), [join(second.root, 'src/a.ts')]);
    assert.deepEqual(filesOf('src/a.ts', [first, second]), []);
    assert.deepEqual(filesOf('second/../../first/a.ts', [first, second]), []);
  });

  it('lead to the right one of workspace folders with the same name', () => {
    const app = (...names: string[]) => ({ name: 'app', root: join('/home', ...names) });
    for (const [folders, expected] of [
      [
        [app('one', 'app'), app('two', 'app')],
        ['one/app/', 'two/app/'],
      ],
      [
        [app('one', 'x', 'app'), app('two', 'x', 'app'), app('app')],
        ['one/x/app/', 'two/x/app/', 'home/app/'],
      ],
      [
        [app('one'), app('two')],
        ['one/', 'two/'],
      ],
      // What would be the end begins with the name of a third one, whose files have such paths.
      [
        [app('one', 'app'), app('two', 'app'), { name: 'one', root: join('/else', 'one') }],
        ['home/one/app/', 'two/app/', 'one/'],
      ],
      [
        [app(), { name: 'app', root: join('/else', 'home') }],
        ['/home/', 'else/home/'],
      ],
    ] as const) {
      const prefixes = folders.map(({ root }) => prefixOf(root, folders));
      assert.deepEqual(prefixes, expected);
      folders.forEach(({ root }, at) => {
        assert.deepEqual(filesOf(`${prefixes[at]}app/a.ts`, folders), [join(root, 'app/a.ts')], prefixes[at]);
      });
    }
  });

  it('lead to files of the workspace alone', () => {
    const root = join('/home', 'dev');
    assert.equal(fileBelow(root, 'src/a.ts'), join(root, 'src/a.ts'));
    assert.equal(fileBelow(root, 'src/../a.ts'), join(root, 'a.ts'));
    for (const path of ['../../etc/passwd', '..', '.', 'a/../../b', '../dev2/a'])
      assert.equal(fileBelow(root, path), undefined, path);
  });
});
