// Covers: src/manifest, test/oracle, test/fixtures/manifest
import assert from 'node:assert/strict';
import { namedPairs, randomPairs } from '../oracle/updatePairs';
import { judgeUpdates, type UpdatePair } from '../oracle/updates';
import { ourVerdict } from '../oracle/updateVerdicts';
import { dose, testSeed } from '../runner/seed';

const LIMIT_MS = 240_000;
/** Every so many-th pair is asked for; all of them are in `npm run test:chromium`. */
const SAMPLE_STEP = dose(8, 1);
const RANDOM_PAIRS = dose(10, 200);
const SEED = testSeed();

describe('updates beside those of the installed Chromium', function () {
  this.timeout(LIMIT_MS);

  it(`ask again or not as there, of a sample and ${RANDOM_PAIRS} random pairs (seed ${SEED})`, async () => {
    const sample = namedPairs().filter((_, index) => index % SAMPLE_STEP === SEED % SAMPLE_STEP);
    const pairs = [...sample, ...randomPairs(RANDOM_PAIRS, SEED)];
    const verdicts = await judgeUpdates(pairs);
    assert.deepEqual(new Set(verdicts), new Set(['asked', 'silent']), 'one verdict for all says nothing');
    const different = pairs.flatMap((pair: UpdatePair, index) => {
      const [chromium, ours] = [verdicts[index], ourVerdict(pair)];
      return chromium === ours ? [] : [{ ...pair, chromium, ours }];
    });
    assert.deepEqual(different, []);
  });
});
