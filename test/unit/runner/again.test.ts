import assert from 'node:assert/strict';
import { againOf, mergedResult } from '../../runner/again';
import type { PartResult } from '../../runner/parts';
import type { TestLine, TestState } from '../../runner/results';
import { allParts, type Part } from '../../runner/suites';

const test = (title: string, state: TestState, file?: string): TestLine => ({
  kind: 'test',
  state,
  title,
  ms: 1,
  ...(file !== undefined && { file: `test/ui/${file}.test.ts` }),
});

function resultOf(...tests: TestLine[]): PartResult {
  const count = (wanted: TestState): number => tests.filter(({ state }) => state === wanted).length;
  return {
    tests,
    files: [],
    ms: 10,
    counts: { passed: count('passed'), failed: count('failed'), skipped: count('skipped') },
  };
}

function partOf(wanted: string): Part {
  return (
    allParts({ withOldest: false, isFull: false }).find(({ suite }) => suite === wanted) ?? assert.fail('no such part')
  );
}

describe('the tests that run again', () => {
  it('are those of the files in which one has failed, and their second result counts', () => {
    const first = resultOf(test('a', 'passed', 'a'), test('b', 'failed', 'b'), test('b too', 'passed', 'b'));
    const again = againOf(partOf('ui'), first) ?? assert.fail('nothing runs again');
    assert.deepEqual(again.part.files, ['test/ui/b.test.ts']);
    const good = mergedResult(first, resultOf(test('b', 'passed', 'b'), test('b too', 'passed', 'b')), again.files);
    assert.deepEqual([good.counts, good.ms], [{ passed: 3, failed: 0, skipped: 0 }, 20]);
    const bad = mergedResult(first, resultOf(test('b', 'failed', 'b'), test('b too', 'passed', 'b')), again.files);
    assert.deepEqual(bad.counts, { passed: 2, failed: 1, skipped: 0 });
  });

  it('are all of a part in which something else has failed', () => {
    const first = resultOf(test('a', 'passed', 'a'), test('the window ended', 'failed'));
    const part = partOf('editor');
    const again = againOf(part, first) ?? assert.fail('nothing runs again');
    assert.deepEqual([again.part.files, again.files], [part.files, undefined]);
    assert.deepEqual(mergedResult(first, resultOf(test('a', 'failed', 'a')), again.files).counts.failed, 1);
  });

  it('are none when none has failed, when too many have, and of suites that drive no browser', () => {
    assert.equal(againOf(partOf('ui'), resultOf(test('a', 'passed', 'a'))), undefined);
    const many = Array.from({ length: 41 }, (_, at) => test(String(at), 'failed', 'a'));
    assert.equal(againOf(partOf('ui'), resultOf(...many)), undefined);
    assert.equal(againOf(partOf('unit'), resultOf(test('a', 'failed', 'a'))), undefined);
  });
});
