import assert from 'node:assert/strict';
import { LatestRun } from '../../../src/base/latestRun';

describe('work of which the latest run counts', () => {
  let ends: { resolve: () => void; reject: (error: Error) => void }[];
  let work: LatestRun;

  beforeEach(() => {
    ends = [];
    work = new LatestRun(() => new Promise((resolve, reject) => ends.push({ resolve, reject })));
  });

  const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

  it('runs at once, and again when it is asked for afterwards', async () => {
    for (const runs of [1, 2]) {
      const done = work.run();
      assert.deepEqual([ends.length, work.isRunning], [runs, true]);
      ends.at(-1)?.resolve();
      await done;
      assert.equal(work.isRunning, false);
    }
  });

  it('runs exactly once more when it is asked for during a run, and those who have asked then wait for that', async () => {
    let settled = 0;
    const all = [work.run(), work.run(), work.run()].map((done) => done.then(() => (settled += 1)));
    assert.equal(ends.length, 1);
    ends[0]?.resolve();
    await turn();
    assert.deepEqual([ends.length, settled, work.isRunning], [2, 1, true]);
    ends[1]?.resolve();
    await Promise.all(all);
    assert.deepEqual([ends.length, settled, work.isRunning], [2, 3, false]);
  });

  it('never runs twice at once, whenever it is asked for', async () => {
    const all = [work.run()];
    all.push(work.run());
    ends[0]?.resolve();
    for (let tick = 0; tick < 10; tick++) {
      await Promise.resolve();
      all.push(work.run());
      assert.ok(ends.length <= 2);
    }
    for (let run = 1; run < 3; run++) {
      ends[run]?.resolve();
      await turn();
    }
    await Promise.all(all);
    assert.equal(ends.length, 3);
  });

  it('is asked for once more also while it runs the second time', async () => {
    const all = [work.run()];
    for (let run = 0; run < 2; run++) {
      all.push(work.run());
      ends.at(-1)?.resolve();
      await turn();
    }
    ends.at(-1)?.resolve();
    await Promise.all(all);
    assert.equal(ends.length, 3);
  });

  it('fails for those alone whose run has failed', async () => {
    const failing = assert.rejects(work.run(), { message: 'refused' });
    const later = work.run();
    ends[0]?.reject(new Error('refused'));
    await failing;
    await turn();
    ends[1]?.resolve();
    await later;
    assert.equal(work.isRunning, false);
  });
});
