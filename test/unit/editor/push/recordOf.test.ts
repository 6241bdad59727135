import assert from 'node:assert/strict';
import { amongTogether } from '../../../../src/editor/push/recordOf';
import type { PushRecord } from '../../../../src/push/known/pushRecords';

describe('the record of a push of one of several that were pushed together', () => {
  const running = { state: 'running', at: 1, reason: '', label: '' } as const;
  const [alpha, beta] = ['alpha', 'beta'].map((name) => ({ name, version: '1.0', extensionId: `id of ${name}` }));
  assert(alpha && beta);
  const set: PushRecord = { ...running, ...alpha, name: 'beta 1.0, alpha', together: [alpha, beta] };

  it('knows the others, which go on running', () => {
    const next = { ...running, ...alpha, version: '1.1' };
    assert.deepEqual(amongTogether(next, set), { ...next, together: [{ ...alpha, version: '1.1' }, beta] });
    const failed: PushRecord = { ...running, state: 'failed' };
    assert.deepEqual(amongTogether(failed, set).together, [alpha, beta]);
  });

  it('is that of another extension, or of a browser that was started again, by itself', () => {
    const other = { ...running, name: 'other', version: '1.0', extensionId: 'id of other' };
    assert.equal(amongTogether(other, set), other);
    const next = { ...running, ...alpha };
    assert.equal(amongTogether(next, undefined), next);
    assert.equal(amongTogether(next, { ...set, hasEnded: true }), next);
  });
});
