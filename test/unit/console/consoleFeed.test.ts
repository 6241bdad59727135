import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConsoleFeed } from '../../../src/console/consoleFeed';
import type { ConsoleLine, ConsoleMessage } from '../../../src/console/consoleLine';
import { SourceLocations } from '../../../src/console/sourceLocations';
import { StormLimit } from '../../../src/console/stormLimit';
import { eventually } from '../../support/eventually';
import { TestClock } from '../../support/testClock';

const ID = 'abcdefghijklmnop'.repeat(2);
const ORIGIN = `chrome-extension://${ID}`;
const LIMIT_MS = 3000;

function message(text: string, more: Partial<ConsoleMessage> = {}): ConsoleMessage {
  return { level: 'info', context: 'worker', at: 0, read: () => ({ text }), ...more };
}

describe('the lines of a console', () => {
  let root: string;
  let lines: string[];
  let feed: ConsoleFeed;
  let clock: TestClock;

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'sideload-feed-'));
    await mkdir(join(root, 'dist'));
    await writeFile(join(root, 'source.ts'), 'first;\nsecond;\n');
    // Line 1, column 1 of the built file is line 2, column 1 of the source.
    const map = { version: 3, sources: ['../source.ts'], names: [], mappings: 'AACA' };
    await writeFile(join(root, 'dist', 'built.js'), 'second;\n//# sourceMappingURL=built.js.map\n');
    await writeFile(join(root, 'dist', 'built.js.map'), JSON.stringify(map));
    lines = [];
    clock = new TestClock();
    feed = new ConsoleFeed(({ text }: ConsoleLine) => lines.push(text), undefined, clock);
    feed.useLocations(new SourceLocations(ID, { folder: join(root, 'dist'), root }));
  });

  afterEach(async () => {
    feed.dispose();
    await rm(root, { recursive: true, force: true });
  });

  const written = (count: number): Promise<void> =>
    eventually(
      () => lines,
      () => lines.length >= count,
      LIMIT_MS,
    );
  const location = { url: `${ORIGIN}/built.js`, line: 1, column: 1 };

  it('are written at once when nothing must be asked for', () => {
    feed.push(message('one'));
    feed.push(message('two'));
    assert.deepEqual(lines, ['one', 'two']);
  });

  it('have locations in the sources, also in stacks, and keep their order', async () => {
    feed.push(message('', { read: () => ({ text: `thrown\n    at f (${ORIGIN}/built.js:1:1)`, location }) }));
    feed.push(message('after'));
    assert.deepEqual(lines, []);
    await written(2);
    assert.deepEqual(lines, ['thrown (source.ts:2:1)\n    at f (source.ts:2:1)', 'after']);
    // Known by now.
    feed.push(message('', { read: () => ({ text: 'again', location }) }));
    assert.equal(lines[2], 'again (source.ts:2:1)');
  });

  it('have locations in files with brackets in their paths', async () => {
    const page = `${ORIGIN}/app/(group)/[id]/page.js`;
    feed.push(message('', { read: () => ({ text: `f (${page}:3:5) at ${page}:4` }) }));
    await written(1);
    assert.deepEqual(lines, ['f (dist/app/(group)/[id]/page.js:3:5) at dist/app/(group)/[id]/page.js:4']);
  });

  it('have locations in the built file where there is no source map, and none in files of others', async () => {
    const text = `at ${ORIGIN}/other.js:3:4 and https://example.com/a.js:1:1 and chrome-extension://${'p'.repeat(32)}/a.js:1:1`;
    feed.push(message('', { read: () => ({ text, location: { url: `${ORIGIN}/../../x.js`, line: 1 } }) }));
    await written(1);
    assert.equal(
      lines[0],
      `at dist/other.js:3:4 and https://example.com/a.js:1:1 and chrome-extension://${'p'.repeat(32)}/a.js:1:1 (dist/x.js:1)`,
    );
  });

  it('wait a moment for what is asked of the browser, and no longer', async () => {
    const complete = (text: string, ms: number) => () => clock.delay(ms).then(() => ({ text }));
    feed.push(message('short', { complete: complete('whole', 399) }));
    feed.push(message('short', { complete: complete('too late', 5000) }));
    feed.push(message('after'));
    await clock.advance(399);
    assert.deepEqual(lines, ['whole']);
    await clock.advance(1);
    assert.deepEqual(lines, ['whole', 'short', 'after']);
    await clock.advance(5000);
    assert.equal(lines.length, 3);
  });

  it('are cut when they are long', () => {
    feed.push(message('x'.repeat(10_000)));
    assert.equal(lines[0]?.length, 4001);
  });

  it('are bounded: the first and the last of a second, and the number of the others', () => {
    for (let at = 1; at <= 10_000; at++) feed.push(message(String(at)));
    feed.flush();
    assert.equal(lines.length, 501);
    assert.deepEqual(
      [lines[0], lines[249], lines[250], lines[251], lines.at(-1)],
      ['1', '250', '9,500 lines dropped', '9751', '10000'],
    );
  });

  it('end with the console', async () => {
    feed.push(message('', { complete: () => clock.delay(20).then(() => ({ text: 'late' })) }));
    for (let at = 0; at < 300; at++) feed.push(message(String(at)));
    feed.dispose();
    await clock.advance(5000);
    assert.deepEqual(lines, []);
  });
});

describe('the limit of a storm', () => {
  it('lets everything pass that is not too much, and forgets the second before', async () => {
    const passed: number[] = [];
    const clock = new TestClock();
    const limit = new StormLimit<number>(
      {
        first: 2,
        last: 2,
        mayWait: (value) => value < 100,
        pass: (value) => passed.push(value),
        onDropped: (count) => passed.push(-count),
      },
      clock,
    );
    for (const value of [1, 2, 3, 4]) limit.push(value);
    assert.deepEqual(passed, [1, 2]);
    await clock.advance(999);
    assert.deepEqual(passed, [1, 2]);
    await clock.advance(1);
    assert.deepEqual(passed, [1, 2, 3, 4]);
    for (const value of [5, 6, 7, 100, 8, 9]) limit.push(value);
    limit.addDropped(3);
    limit.flush();
    assert.deepEqual(passed.slice(4), [5, 6, -5, 8, 9]);
  });
});
