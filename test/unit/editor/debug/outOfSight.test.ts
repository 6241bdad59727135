import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { OutOfSight } from '../../../../src/editor/debug/outOfSight';

/** The shortest time that is waited, and a little more, in milliseconds. */
const LEAST_MS = 5000;
const MORE_MS = 300;

describe('what nobody looks at', () => {
  it('is ended after a while, and not when somebody looks again or nothing runs', async () => {
    const ended: string[] = [];
    const state = { isVisible: false, isRunning: true };
    const watch = (name: string, own = state): OutOfSight =>
      new OutOfSight({
        isRunning: () => own.isRunning,
        isVisible: () => own.isVisible,
        seconds: () => 0,
        end: (seconds) => ended.push(`${name} after ${seconds} s`),
      });
    const hidden = watch('hidden');
    const seen = { isVisible: false, isRunning: true };
    const back = watch('back in sight', seen);
    const over = { isVisible: false, isRunning: true };
    const stopped = watch('stopped', over);
    for (const one of [hidden, back, stopped]) one.look();
    seen.isVisible = true;
    over.isRunning = false;
    await delay(LEAST_MS / 2);
    // The time begins when it went out of sight, and not anew.
    for (const one of [hidden, back, stopped]) one.look();
    await delay(LEAST_MS / 2 + MORE_MS);
    assert.deepEqual(ended, ['hidden after 5 s']);
    for (const one of [hidden, back, stopped]) one.dispose();
  }).timeout(2 * LEAST_MS);
});
