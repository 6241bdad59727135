import assert from 'node:assert/strict';
import { judgedCases } from '../support/cases';
import { compareAll } from '../support/compare';
import { mutatedCases } from '../support/mutations';

const LIMIT_MS = 180_000;

/** Every so many-th case is asked for; all of them are in `npm run test:chromium`. */
const SAMPLE_STEP = 45;
const MUTATIONS = 100;
const SEED = 3;

describe('manifest check beside the installed Chromium', function () {
  this.timeout(LIMIT_MS);

  it('agrees on a sample of the cases', async () => {
    const sample = (await judgedCases()).filter((_, index) => index % SAMPLE_STEP === 0);
    assert.ok(sample.length > 90, 'the sample is too small to say anything');
    const { asked, differences } = await compareAll(sample);
    assert.deepEqual(differences, []);
    assert.equal(asked, sample.length);
  });

  it('agrees on manifests that chance has broken', async () => {
    const { asked, differences } = await compareAll(mutatedCases(await judgedCases(), MUTATIONS, SEED));
    assert.deepEqual(differences, []);
    assert.equal(asked, MUTATIONS);
  });
});
