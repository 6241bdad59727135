import assert from 'node:assert/strict';
import { readRunOptions, withoutWatch } from '../../runner/runOptions';

const SUITES = ['unit', 'contract'];
const read = (...args: string[]) => readRunOptions(args, SUITES);

describe('the arguments of npm test', () => {
  it('name suites, and a commit only behind --changed', () => {
    assert.deepEqual(read('unit', 'contract').suites, ['unit', 'contract']);
    const { changedSince, suites } = read('--changed', 'main', 'unit');
    assert.deepEqual([changedSince, suites], ['main', ['unit']]);
  });

  it('compare with the last commit when none is named', () => {
    assert.equal(read('--changed').changedSince, 'HEAD');
    const { changedSince, suites } = read('--changed', 'unit');
    assert.deepEqual([changedSince, suites], ['HEAD', ['unit']]);
    assert.equal(read('unit').changedSince, undefined);
  });

  it('watch what has changed, and say so to each run', () => {
    assert.deepEqual([read('--watch').isWatching, read('--watch').changedSince], [true, 'HEAD']);
    assert.deepEqual(withoutWatch(['--watch', 'unit']), ['--changed', 'HEAD', 'unit']);
    assert.deepEqual(withoutWatch(['--changed', 'main', '--watch']), ['--changed', 'main']);
  });

  it('say of what is no shard, no time and no option how it is written', () => {
    assert.deepEqual(read('--shard', '2/4').shard, { index: 2, count: 4 });
    for (const wrong of ['0/4', '5/4', '2', 'a/b', '1/0']) assert.throws(() => read('--shard', wrong), /such as 2\/4/);
    assert.throws(() => read('--within', '0'), /whole number of seconds/);
    assert.throws(() => read('--nonsense'), /Usage: npm test/);
  });
});
