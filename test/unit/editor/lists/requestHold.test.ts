import assert from 'node:assert/strict';
import { RequestHold } from '../../../../src/editor/lists/requestHold';
import { ServiceError, type ServiceErrorFields } from '../../../../src/service/serviceErrors';

const NOW = 1_000_000;

function failure(fields: Partial<ServiceErrorFields>): ServiceError {
  return new ServiceError({
    kind: 'server',
    operation: 'listBrowsers',
    message: 'no',
    mayHaveHappened: false,
    ...fields,
  });
}

describe('requests of the lists', () => {
  it('are held for the time that the service asks to wait, however long, also when the user retries', () => {
    const hold = new RequestHold();
    hold.note(failure({ kind: 'rateLimited', retryAfterMs: 120_000 }), NOW);
    hold.retry();
    assert.equal(hold.waitMs(NOW), 120_000);
    assert.equal(hold.pauseEnd(NOW), NOW + 120_000);
    assert.equal(hold.waitMs(NOW + 120_000), 0);
    assert.equal(hold.pauseEnd(NOW + 120_000), undefined);
  });

  it('do not wait a shorter time because another list was answered so', () => {
    const hold = new RequestHold();
    hold.note(failure({ kind: 'rateLimited', retryAfterMs: 120_000 }), NOW);
    hold.note(failure({ kind: 'rateLimited', retryAfterMs: 1000 }), NOW);
    assert.equal(hold.waitMs(NOW), 120_000);
  });

  it('are not sent again with a token that was refused, until the user retries or the token changes', () => {
    const hold = new RequestHold();
    for (const release of [() => hold.retry(), () => hold.clear()]) {
      hold.note(failure({ kind: 'unauthorized' }), NOW);
      assert.deepEqual([hold.isRefused, hold.waitMs(NOW)], [true, Infinity]);
      release();
      assert.deepEqual([hold.isRefused, hold.waitMs(NOW)], [false, 0]);
    }
  });

  it('go on at once after other failures', () => {
    const hold = new RequestHold();
    hold.note(failure({ kind: 'unreachable' }), NOW);
    hold.note(new Error('unexpected'), NOW);
    assert.equal(hold.waitMs(NOW), 0);
  });
});
