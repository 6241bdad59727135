import assert from 'node:assert/strict';
import { recordedDurations } from '../../runner/durations';
import { balanced, inShard } from '../../runner/shards';
import { allParts, chosenParts, partsInShard } from '../../runner/suites';

const secondsOf = (durations: Record<string, number>): Map<string, { seconds: number; tests: number }> =>
  new Map(Object.entries(durations).map(([file, seconds]) => [file, { seconds, tests: 1 }]));

describe('shards of a suite', () => {
  it('are about equally long, each file in one of them', () => {
    const durations = secondsOf({ a: 10, b: 9, c: 5, d: 4, e: 2 });
    assert.deepEqual(balanced(['a', 'b', 'c', 'd', 'e'], 2, durations), [
      ['a', 'd', 'e'],
      ['b', 'c'],
    ]);
  });

  it('of files that were never recorded are as many in each', () => {
    const sizes = balanced(['a', 'b', 'c', 'd', 'e', 'f'], 3, new Map()).map(({ length }) => length);
    assert.deepEqual(sizes, [2, 2, 2]);
  });
});

describe('shards of a run', () => {
  const everything = { withOldest: true, isFull: true };

  it('have each file of each part, and each part without files, exactly once', () => {
    const parts = allParts(everything);
    for (const count of [1, 2, 4, 7]) {
      const seen = Array.from({ length: count }, (_, at) =>
        inShard(parts, { index: at + 1, count }, recordedDurations()),
      ).flat();
      const items = seen.flatMap(({ part, files }) => (files ?? ['']).map((file) => `${part.name}: ${file}`));
      const all = parts.flatMap(({ name, files }) => (files ?? ['']).map((file) => `${name}: ${file}`));
      assert.deepEqual(items.sort(), all.sort());
    }
  });

  it('bring what their suites need', () => {
    for (const index of [1, 2, 3, 4]) {
      const parts = partsInShard(chosenParts([], { withOldest: false, isFull: false }), { index, count: 4 });
      const suites = new Set(parts.map(({ suite }) => suite));
      for (const { needs } of parts) for (const need of needs) assert.ok(suites.has(need), `${need} in shard ${index}`);
    }
  });

  it('take about as long as each other', () => {
    const durations = recordedDurations();
    const seconds = [1, 2, 3, 4].map((index) => {
      const own = inShard(allParts({ withOldest: false, isFull: false }), { index, count: 4 }, durations);
      const files = own.flatMap((one) => one.files ?? []);
      return files.reduce((sum, file) => sum + (durations.get(file)?.seconds ?? 0), 0);
    });
    assert.ok(Math.max(...seconds) < 1.5 * Math.min(...seconds), seconds.join(', '));
  });
});
