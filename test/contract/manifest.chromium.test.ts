import assert from 'node:assert/strict';
import { judgedCases, type Case } from '../support/cases';
import { compareWithChromium } from '../support/compare';
import { mutatedCases } from '../support/mutations';
import { Oracle } from '../support/oracle';

const LIMIT_MS = 120_000;

/** Every so many-th case is asked for; all of them are in `npm run test:chromium`. */
const SAMPLE_STEP = 60;
const MUTATIONS = 25;
const SEED = 3;

describe('manifest check beside the installed Chromium', function () {
  this.timeout(LIMIT_MS);
  let oracle: Oracle;

  before(async () => {
    oracle = await Oracle.start();
  });
  after(async () => {
    await oracle.close();
  });

  const differences = async (cases: Iterable<Case>): Promise<string[]> => {
    const found: string[] = [];
    for (const asked of cases) {
      const difference = await compareWithChromium(oracle, asked);
      if (difference !== undefined) found.push(difference);
    }
    return found;
  };

  it('agrees on a sample of the cases', async () => {
    const sample = (await judgedCases()).filter((_, index) => index % SAMPLE_STEP === 0);
    assert.ok(sample.length > 50, 'the sample is too small to say anything');
    assert.deepEqual(await differences(sample), []);
  });

  it('agrees on manifests that chance has broken', async () => {
    assert.deepEqual(await differences(mutatedCases(await judgedCases(), MUTATIONS, SEED)), []);
  });
});
