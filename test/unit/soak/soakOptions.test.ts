import assert from 'node:assert/strict';
import { readSoakOptions, stepsOf } from '../../soak/soakOptions';

const PARTS = ['pushes', 'wheel'];

describe('the arguments of a soak', () => {
  it('take all parts and the full dose without any', () => {
    const { share, isChosen, json } = readSoakOptions([], PARTS);
    assert.deepEqual([share, PARTS.filter(isChosen), json], [1, PARTS, false]);
  });

  it('take some parts, a share, and a short dose', () => {
    const { isChosen } = readSoakOptions(['--only', 'wheel'], PARTS);
    assert.deepEqual(PARTS.filter(isChosen), ['wheel']);
    assert.equal(readSoakOptions(['--share', '0.5'], PARTS).share, 0.5);
    assert(readSoakOptions(['--short'], PARTS).share < 0.1);
  });

  for (const args of [['--only', 'wheels'], ['--share', '0'], ['--share', '2'], ['--long'], ['pushes']]) {
    it(`say how to call it instead of ${args.join(' ')}`, () => {
      assert.throws(() => readSoakOptions(args, PARTS), /Usage: npm run soak/);
    });
  }

  it('give at least two steps, and a tenth of them before', () => {
    assert.deepEqual(stepsOf(500, 1), { warmUp: 50, steps: 500 });
    assert.deepEqual(stepsOf(10, 0.04), { warmUp: 2, steps: 2 });
  });
});
