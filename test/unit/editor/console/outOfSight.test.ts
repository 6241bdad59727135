import assert from 'node:assert/strict';
import { OutOfSight } from '../../../../src/editor/console/outOfSight';
import { TestClock } from '../../../support/testClock';

describe('what nobody looks at', () => {
  it('is ended after a while, and not when somebody looks again or nothing runs', async () => {
    const clock = new TestClock();
    const ended: string[] = [];
    const watch = (name: string, state: { isVisible: boolean; isRunning: boolean }, seconds = 0): OutOfSight =>
      new OutOfSight(
        {
          isRunning: () => state.isRunning,
          isVisible: () => state.isVisible,
          seconds: () => seconds,
          end: (after) => ended.push(`${name} after ${after} s, at ${clock.now()}`),
        },
        clock,
      );
    const hidden = { isVisible: false, isRunning: true };
    const seen = { ...hidden };
    const over = { ...hidden };
    const all = [
      watch('hidden', hidden),
      watch('long', hidden, 7),
      watch('back in sight', seen),
      watch('stopped', over),
    ];
    for (const one of all) one.update();
    seen.isVisible = true;
    over.isRunning = false;
    await clock.advance(2500);
    // The time begins when it went out of sight, and not anew.
    for (const one of all) one.update();
    await clock.advance(2499);
    assert.deepEqual(ended, []);
    await clock.advance(10_000);
    assert.deepEqual(ended, ['hidden after 5 s, at 5000', 'long after 7 s, at 7000']);
    all[0]?.update();
    all[0]?.dispose();
    assert.equal(clock.pending, 0);
  });
});
