import assert from 'node:assert/strict';
import { judgedCases } from '../oracle/cases';
import { compareAll } from '../oracle/compare';
import { mutatedCases } from '../oracle/mutations';
import { dose, testSeed } from '../runner/seed';

const LIMIT_MS = 180_000;

/** Every so many-th case is asked for; all of them are in `npm run test:chromium`. */
const SAMPLE_STEP = dose(135, 45);
const MUTATIONS = dose(20, 200);
const SEED = testSeed();

describe('manifest check beside the installed Chromium', function () {
  this.timeout(LIMIT_MS);

  it('agrees on a sample of the cases', async () => {
    const sample = (await judgedCases()).filter((_, index) => index % SAMPLE_STEP === 0);
    assert.ok(sample.length > 30, 'the sample is too small to say anything');
    const { asked, differences } = await compareAll(sample);
    assert.deepEqual(differences, []);
    assert.equal(asked, sample.length);
  });

  it(`agrees on ${MUTATIONS} random manifests (seed ${SEED})`, async () => {
    const { asked, differences } = await compareAll(mutatedCases(await judgedCases(), MUTATIONS, SEED));
    assert.deepEqual(differences, []);
    assert.equal(asked, MUTATIONS);
  });
});
