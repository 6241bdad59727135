import assert from 'node:assert/strict';
import type { BrowserService } from '../../../src/service/browserService';
import { ConcurrencyLimits } from '../../../src/service/concurrencyLimits';

/** A service with these answers, one for each request. */
function serviceWith(...answers: readonly (() => Promise<number | undefined>)[]): BrowserService {
  const left = [...answers];
  const service: Pick<BrowserService, 'concurrencyLimit'> = {
    concurrencyLimit: () => {
      const answer = left.shift();
      assert.ok(answer, 'it was asked once too often');
      return answer();
    },
  };
  return service as BrowserService;
}

const answer = (limit: number | undefined) => () => Promise.resolve(limit);
const late = () => Promise.reject(new DOMException('late', 'TimeoutError'));

describe('the concurrency limit of a service', () => {
  it('is asked for once', async () => {
    const limits = new ConcurrencyLimits();
    for (const limit of [5, undefined]) {
      const service = serviceWith(answer(limit));
      assert.equal(await limits.of(service), limit);
      assert.equal(await limits.of(service), limit);
    }
  });

  it('is asked for again after a request without an answer', async () => {
    const limits = new ConcurrencyLimits();
    const service = serviceWith(late, answer(2));
    await assert.rejects(limits.of(service), { name: 'TimeoutError' });
    assert.equal(await limits.of(service), 2);
  });
});
