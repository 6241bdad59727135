import assert from 'node:assert/strict';
import { interleave, type Measure, type Summary } from '../../bench/series';

/** A measure of which the samples count up, the warm-ups included; it fails from the sample `failsAt` on. */
function counting(name: string, failsAt = Infinity): Measure {
  let count = 0;
  return {
    name,
    run: () => {
      count += 1;
      return count >= failsAt ? Promise.reject(new Error(`sample ${count}`)) : Promise.resolve(count);
    },
  };
}

async function runOf(measures: readonly Measure[]): Promise<{ summaries: Summary[]; failures: [string, string][] }> {
  const failures: [string, string][] = [];
  const summaries = await interleave(measures, 3, {
    report: () => undefined,
    onFailure: (name, error) => failures.push([name, String(error)]),
    pauseMs: 0,
    limitMs: 20,
  });
  return { summaries, failures };
}

describe('a series of measures', () => {
  it('leaves warm-ups out of the samples', async () => {
    const { summaries } = await runOf([counting('one')]);
    assert.deepEqual(summaries, [{ measure: 'one', median: 4, min: 3, max: 5, n: 3, unit: 'ms' }]);
  });

  it('goes on with the others when one fails, and has no result of that one', async () => {
    const { summaries, failures } = await runOf([counting('good'), counting('bad', 4), counting('better')]);
    assert.deepEqual(
      summaries.map(({ measure, n }) => [measure, n]),
      [
        ['good', 3],
        ['better', 3],
      ],
    );
    assert.deepEqual(failures, [['bad', 'Error: sample 4']]);
  });

  it('takes no more samples of one that has failed', async () => {
    const { failures } = await runOf([counting('bad', 1)]);
    assert.equal(failures.length, 1);
  });

  it('gives a measure up that never ends, and says so', async () => {
    const { summaries, failures } = await runOf([
      { name: '', title: 'stuck', run: () => new Promise(() => undefined) },
      counting('good'),
    ]);
    assert.deepEqual(
      summaries.map(({ measure }) => measure),
      ['good'],
    );
    assert.deepEqual(failures, [['stuck', 'Error: a sample: not within 0.02 s']]);
  });
});
