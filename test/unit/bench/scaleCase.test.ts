import assert from 'node:assert/strict';
import { HELD, scaleRatios, timed, type ScaleCase } from '../../bench/scaleCase';
import { summarize } from '../../bench/series';
import { threadCpuMs } from '../../security/threadClock';

const CASE: ScaleCase = {
  things: 'rows',
  full: 10_000,
  figures: { first: { growth: 1.5, most: 200 }, all: { of: { figure: 'first', times: 4 } }, ...HELD },
  prepare: () => Promise.reject(new Error('not here')),
};

describe('the figures of large work', () => {
  it('are how they grow from a tenth, and what has a limit of its own', () => {
    const summaries = [
      summarize('1,000 rows: first', [10]),
      summarize('10,000 rows: first', [20]),
      summarize('1,000 rows: all', [10]),
      summarize('10,000 rows: all', [100]),
      summarize('10,000 rows: held', [60]),
    ];
    assert.deepEqual(scaleRatios('lists', CASE, summaries), [
      { ratio: 'scale/lists/first, ms', value: 20, limit: 200 },
      { ratio: 'scale/lists/first, times', value: 2, limit: 1.5 },
      { ratio: 'scale/lists/all of first', value: 5, limit: 4 },
      { ratio: 'scale/lists/all, times', value: 10, limit: undefined },
      { ratio: 'scale/lists/held, ms', value: 60, limit: 50 },
    ]);
  });

  it('are absent where the full size could not be measured', () => {
    assert.deepEqual(scaleRatios('lists', CASE, [summarize('1,000 rows: first', [10])]), []);
  });

  it('say how long work has held the thread', async () => {
    const { ms, held } = await timed(() => {
      for (const end = threadCpuMs() + 60; threadCpuMs() < end;);
      return Promise.resolve();
    });
    assert(ms >= 60 && held > 20, `${ms} ms, held for ${held} ms`);
  });
});
