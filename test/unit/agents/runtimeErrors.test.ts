import assert from 'node:assert/strict';
import { SETTLE_MS, settleMsAfter } from '../../../src/agents/runtimeErrors';

describe('the wait for errors of a page that has loaded', () => {
  it('is as long as the page took, within bounds', () => {
    assert.deepEqual([0, 300, 700, 2000, 60_000].map(settleMsAfter), [SETTLE_MS, SETTLE_MS, 700, 2000, 5000]);
  });
});
