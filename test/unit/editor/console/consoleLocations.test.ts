import assert from 'node:assert/strict';
import { join } from 'node:path';
import { fileBelow, locationsIn } from '../../../../src/editor/console/consoleLocations';

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

  it('lead to files of the workspace alone', () => {
    const root = join('/home', 'dev');
    assert.equal(fileBelow(root, 'src/a.ts'), join(root, 'src/a.ts'));
    assert.equal(fileBelow(root, 'src/../a.ts'), join(root, 'a.ts'));
    for (const path of ['../../etc/passwd', '..', '.', 'a/../../b', '../dev2/a'])
      assert.equal(fileBelow(root, path), undefined, path);
  });
});
