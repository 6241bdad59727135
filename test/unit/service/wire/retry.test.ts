import assert from 'node:assert/strict';
import { DEFAULT_RETRY, isRetryable, readRetryAfter, retryDelay } from '../../../../src/service/wire/retry';

describe('the delay between two attempts', () => {
  it('doubles up to its limit, less a jitter of up to a quarter', () => {
    const delays = [1, 2, 3, 4, 5, 6].map((attempt) => retryDelay(attempt, undefined, DEFAULT_RETRY, () => 0));
    assert.deepEqual(delays, [500, 1000, 2000, 4000, 8000, 8000]);
    assert.equal(
      retryDelay(1, undefined, DEFAULT_RETRY, () => 1),
      375,
    );
  });

  it('is that of Retry-After', () => {
    assert.equal(retryDelay(1, 1234), 1234);
  });

  it('is given in milliseconds, in seconds or as a date', () => {
    const now = (): number => Date.parse('2026-05-01T12:00:00Z');
    const wait = (headers: Record<string, string>): number | undefined => readRetryAfter(headers, now);
    assert.equal(wait({ 'retry-after-ms': '150', 'retry-after': '9' }), 150);
    assert.equal(wait({ 'retry-after': '2.5' }), 2500);
    assert.equal(wait({ 'retry-after': 'Fri, 01 May 2026 12:00:07 GMT' }), 7000);
    assert.equal(wait({ 'retry-after': 'Fri, 01 May 2026 11:00:00 GMT' }), 0);
    assert.equal(wait({ 'retry-after': 'soon' }), undefined);
    assert.equal(wait({}), undefined);
  });

  it('depends on x-should-retry before the status', () => {
    assert.equal(isRetryable({ status: 400, headers: { 'x-should-retry': 'true' } }), true);
    assert.equal(isRetryable({ status: 500, headers: { 'x-should-retry': 'false' } }), false);
    assert.equal(isRetryable({ status: 409, headers: {} }), false);
  });
});
