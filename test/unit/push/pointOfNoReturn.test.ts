import assert from 'node:assert/strict';
import { Cancellation } from '../../../src/push/pointOfNoReturn';

describe('the cancellation of a delivery', () => {
  it('passes an abort on, also one from before, with its reason', () => {
    const outer = new AbortController();
    const cancellation = new Cancellation(outer.signal);
    assert.equal(cancellation.signal.aborted, false);
    outer.abort('enough');
    assert.equal(cancellation.signal.reason, 'enough');
    assert.equal(new Cancellation(outer.signal).signal.reason, 'enough');
  });

  it('has no effect once the delivery cannot be stopped', () => {
    const outer = new AbortController();
    const cancellation = new Cancellation(outer.signal);
    cancellation.commit();
    outer.abort();
    assert.equal(cancellation.signal.aborted, false);
  });
});
