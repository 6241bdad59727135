import assert from 'node:assert/strict';
import { ServiceError } from '../../../src/service/errors';
import { reconcile } from '../../../src/service/reconcile';

const SETTLING = { settleMs: 30, everyMs: 2 };
const lost = new ServiceError({ kind: 'unreachable', operation: 'look', message: 'lost', mayHaveHappened: true });

describe('a lost answer', () => {
  it('is settled at once by what is there', async () => {
    let looks = 0;
    assert.equal(await reconcile(() => Promise.resolve((looks += 1) === 1), SETTLING), true);
    assert.equal(looks, 1);
  });

  it('is settled by what comes a little later', async () => {
    let looks = 0;
    assert.equal(await reconcile(() => Promise.resolve((looks += 1) === 4), SETTLING), true);
    assert.equal(looks, 4);
  });

  it('is a no only after the time to settle', async () => {
    const started = performance.now();
    assert.equal(await reconcile(() => Promise.resolve(false), SETTLING), false);
    assert(performance.now() - started >= SETTLING.settleMs);
  });

  it('is looked for again after a look that failed', async () => {
    let looks = 0;
    const isDone = (): Promise<boolean> => ((looks += 1) < 3 ? Promise.reject(lost) : Promise.resolve(true));
    assert.equal(await reconcile(isDone, SETTLING), true);
  });

  it('stays unknown when every look fails', async () => {
    await assert.rejects(
      reconcile(() => Promise.reject(lost), SETTLING),
      (error) => error === lost,
    );
  });

  it('is given up at once for an error of the program, or when the caller stops', async () => {
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
