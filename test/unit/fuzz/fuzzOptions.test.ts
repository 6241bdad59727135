import assert from 'node:assert/strict';
import { readFuzzOptions } from '../../fuzz/fuzzOptions';

const NOW = new Date('2026-11-26T19:31:00Z');

describe('the arguments of a fuzz run', () => {
  it('take all targets, five minutes, and a seed of the minute without any', () => {
    const { minutes, seed, isChosen } = readFuzzOptions([], NOW);
    assert.deepEqual([minutes, seed, isChosen('manifests')], [5, 20_261_126 + 19 * 60 + 31, true]);
  });

  it('take targets by a part of their names, minutes and a seed', () => {
    const { minutes, seed, isChosen } = readFuzzOptions(['--minutes', '0.5', '--seed', '7', '--only', 'crx'], NOW);
    assert.deepEqual([minutes, seed, isChosen('crx files'), isChosen('manifests')], [0.5, 7, true, false]);
  });

  it('say how to call it', () => {
    assert.throws(() => readFuzzOptions(['--minutes', '0'], NOW), /Usage: npm run fuzz/);
    assert.throws(() => readFuzzOptions(['--forever'], NOW), /Usage: npm run fuzz/);
    assert.throws(() => readFuzzOptions(['--seed', 'x'], NOW), /whole number/);
  });
});
