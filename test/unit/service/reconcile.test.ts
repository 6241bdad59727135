import assert from 'node:assert/strict';
import { ServiceError } from '../../../src/service/serviceErrors';
import { reconcile } from '../../../src/service/reconcile';
import { TestClock } from '../../support/testClock';

const SETTLING = { settleMs: 30, everyMs: 2 };
/** Where it is done in the end: a busy machine may take longer than that from one look to the next. */
const PATIENT = { settleMs: 10_000, everyMs: 2 };
const lost = new ServiceError({ kind: 'unreachable', operation: 'look', message: 'lost', mayHaveHappened: true });

describe('the outcome of a request with a lost response', () => {
  it('is known at once when the operation was done', async () => {
    let looks = 0;
    assert.equal(await reconcile(() => Promise.resolve((looks += 1) === 1), PATIENT), true);
    assert.equal(looks, 1);
  });

  it('is known when the operation is done a little later', async () => {
    let looks = 0;
    assert.equal(await reconcile(() => Promise.resolve((looks += 1) === 4), PATIENT), true);
    assert.equal(looks, 4);
  });

  it('is negative only after the time to settle', async () => {
    const started = performance.now();
    assert.equal(await reconcile(() => Promise.resolve(false), SETTLING), false);
    assert(performance.now() - started >= SETTLING.settleMs);
  });

  it('is awaited longer from a service that is slow to answer the checks', async () => {
    const clock = new TestClock();
    // The service gets to nothing for half a second at a time, and has done it after four seconds.
    const isDone = async (): Promise<boolean> => {
      await clock.delay(500);
      return clock.now() >= 4000;
    };
    assert.equal(await clock.run(reconcile(isDone, undefined, undefined, clock)), true);
  });

  it('is negative at some time, however slow the service is', async () => {
    const clock = new TestClock();
    const isDone = (): Promise<boolean> => clock.delay(1000).then(() => false);
    assert.equal(await clock.run(reconcile(isDone, undefined, undefined, clock)), false);
  });

  it('is checked again after a failed check', async () => {
    let looks = 0;
    const isDone = (): Promise<boolean> => ((looks += 1) < 3 ? Promise.reject(lost) : Promise.resolve(true));
    assert.equal(await reconcile(isDone, PATIENT), true);
  });

  it('is unknown when every check fails', async () => {
    await assert.rejects(
      reconcile(() => Promise.reject(lost), SETTLING),
      (error) => error === lost,
    );
  });

  it('is not checked again after another error or an abort', async () => {
    let looks = 0;
    const broken = (): Promise<boolean> => {
      looks += 1;
      return Promise.reject(new TypeError('broken'));
    };
    await assert.rejects(reconcile(broken, SETTLING), TypeError);
    assert.equal(looks, 1);
    const stop = AbortSignal.abort(new Error('enough'));
    await assert.rejects(
      reconcile(() => Promise.resolve(false), SETTLING, stop),
      /enough/,
    );
  });
});
