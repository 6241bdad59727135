import assert from 'node:assert/strict';
import type { PushRecord } from '../../../../src/push/known/pushRecords';
import { pushTexts } from '../../../../src/editor/screen/pushTexts';

const record = (state: PushRecord['state']): PushRecord => ({
  ...{ state, at: 0, reason: '', label: state === 'running' ? '' : `is ${state}`, name: 'Sample', version: '1.2' },
  ms: 310,
});

describe('what the screen says of the last push', () => {
  it('is what runs, which a push that has just ended marks on the picture', () => {
    const texts = { mark: '', line: 'Sample 1.2 runs', isRunning: true };
    assert.deepEqual(pushTexts(record('running'), false, false), texts);
    assert.deepEqual(pushTexts(record('running'), false, true), { ...texts, mark: 'Sample 1.2 · 0.31 s' });
  });

  it('claims nothing to run where nothing is known to run', () => {
    assert.deepEqual(pushTexts(undefined, false, false), { mark: '', line: '', isRunning: false });
    assert.equal(pushTexts(record('running'), true, false).isRunning, false);
    for (const state of ['failed', 'stopped', 'unverified'] as const) {
      assert.deepEqual(pushTexts(record(state), false, true), { mark: '', line: `is ${state}`, isRunning: false });
    }
  });
});
