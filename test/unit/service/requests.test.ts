import assert from 'node:assert/strict';
import { ServiceError } from '../../../src/service/serviceErrors';
import type { Requests } from '../../../src/service/requests';
import type { HttpRequest, HttpResponse } from '../../../src/service/wire/http';
import type { TestClock } from '../../support/testClock';
import { answer, change, deletion, failureOf, fault, never, read, requestsOver } from './scriptedService';

describe('a request', () => {
  it('has an encoded URL below the base URL, and the token', async () => {
    const { requests, sent } = requestsOver([answer(200, { ok: true })]);
    assert.deepEqual(await requests.run(read), { ok: true });
    assert.equal(sent[0]?.url.href, 'https://service.test/base/things/a%2B%C3%A9?q%201=x%26y&tags%5Bk%5D=v');
    assert.deepEqual(sent[0]?.headers, { accept: 'application/json', authorization: 'Bearer secret' });
  });

  it('that reads or deletes is retried after a transient failure, up to three attempts', async () => {
    for (const transient of [fault('ECONNRESET'), answer(408), answer(429), answer(500), answer(503)]) {
      const recovering = requestsOver([transient, transient, answer(200, [])]);
      await recovering.run(read);
      assert.equal(recovering.sent.length, 3);
      const failing = requestsOver([transient]);
      await assert.rejects(failing.run(deletion), ServiceError);
      assert.equal(failing.sent.length, 3);
    }
  });

  it('that changes something is sent once, whatever the failure', async () => {
    for (const transient of [fault('ECONNRESET'), answer(429, '', { 'retry-after-ms': '1' }), answer(503)]) {
      const { requests, sent } = requestsOver([transient]);
      await assert.rejects(requests.run(change), ServiceError);
      assert.equal(sent.length, 1);
    }
  });

  it('is not retried after a refusal, or when the service advises against it', async () => {
    for (const refusal of [answer(400), answer(404), answer(409), answer(503, '', { 'x-should-retry': 'false' })]) {
      const { requests, sent } = requestsOver([refusal]);
      await assert.rejects(requests.run(read), ServiceError);
      assert.equal(sent.length, 1);
    }
  });

  it('fails at its time limit, which the error names', async () => {
    const { run, sent, clock } = requestsOver([never], { shortMs: 20, longMs: 20 });
    await assert.rejects(run(change), (error) => {
      assert(error instanceof ServiceError);
      assert.deepEqual([error.kind, error.mayHaveHappened], ['timeout', true]);
      assert.match(error.message, /no answer within 0\.02 s/);
      return true;
    });
    assert.deepEqual([sent.length, clock.now(), clock.pending], [1, 20, 0]);
  });

  it('has one time limit for all attempts and pauses', async () => {
    const limits = { shortMs: 100, longMs: 100 };
    const silent = requestsOver([answer(503), never], limits);
    await assert.rejects(silent.run(read), /no answer within 0\.1 s/);
    assert.deepEqual([silent.sent.length, silent.clock.now()], [2, 100]);
    const waiting = requestsOver([answer(429, '', { 'retry-after-ms': '150' })], limits);
    await assert.rejects(waiting.run(read), { kind: 'rateLimited' });
    assert.deepEqual([waiting.sent.length, waiting.clock.now()], [1, 0]);
  });

  it('of a list has the long limit for all pages, and the short one for each', async () => {
    let at = 0;
    const endless = async ({ signal }: HttpRequest, time: TestClock): Promise<HttpResponse> => {
      await time.delay(10, { signal });
      return answer(200, [at++], { 'x-has-more': 'true' });
    };
    const list = { name: 'things', path: ['things'], query: {}, item: (value: unknown) => ({ id: String(value) }) };
    const readAll = async (requests: Requests): Promise<void> => {
      for await (const item of requests.list(list)) assert.match(item.id, /^\d+$/);
    };
    const { requests, sent, clock } = requestsOver([endless], { shortMs: 5000, longMs: 205 });
    await assert.rejects(clock.run(readAll(requests)), /no answer within 0\.2 s/);
    assert.deepEqual([sent.length, clock.now()], [21, 205]);
    const silent = requestsOver([never], { shortMs: 20, longMs: 5000 });
    await assert.rejects(silent.clock.run(readAll(silent.requests)), /within 0\.02 s/);
  });

  it('of a list waits for one that asks already, no longer than that or its own signal', async () => {
    const list = { name: 'things', path: ['things'], query: {}, item: (value: unknown) => ({ id: String(value) }) };
    const { requests, sent, clock } = requestsOver([never], { shortMs: 20, longMs: 20 });
    const abort = new AbortController();
    const asking = Array.from({ length: 4 }, () => assert.rejects(requests.page(list, 0), { kind: 'timeout' }));
    const aborted = assert.rejects(requests.page(list, 0, abort.signal), /enough/);
    // One that has aborted already, and one that aborts: after neither of them the next one does without the first one's answer.
    await clock.run(assert.rejects(requests.page(list, 0, AbortSignal.abort(new Error('late'))), /late/));
    abort.abort(new Error('enough'));
    await aborted;
    asking.push(assert.rejects(requests.page(list, 0), { kind: 'timeout' }));
    assert.deepEqual([sent.length, clock.now()], [1, 0]);
    await clock.run(Promise.all(asking));
    assert.deepEqual([sent.length, clock.now()], [5, 40]);
  });

  it('has the duration of the requested work added to its time limit', async () => {
    const { run, clock } = requestsOver([never], { shortMs: 20, longMs: 20 });
    await assert.rejects(run({ ...change, durationMs: 100 }), { kind: 'timeout' });
    assert.equal(clock.now(), 120);
  });

  it('does not time out while its body is being sent', async () => {
    const limitMs = 150;
    const sending = async (request: HttpRequest, time: TestClock): Promise<HttpResponse> => {
      for (let chunk = 1; chunk <= 5; chunk++) {
        await time.delay(limitMs - 1);
        request.signal.throwIfAborted();
        request.onSent?.(chunk, 5);
      }
      return answer(201);
    };
    const seen: number[] = [];
    const { run } = requestsOver([sending], { shortMs: limitMs, longMs: limitMs });
    await run({ ...change, onProgress: (sent, total) => seen.push(sent / total) });
    assert.deepEqual(seen, [0.2, 0.4, 0.6, 0.8, 1]);
  });

  it('reports how long the service asks to wait when that is beyond the time limit', async () => {
    const error = await failureOf([answer(429, '', { 'retry-after': '120' })], read);
    assert.deepEqual([error.kind, error.retryAfterMs], ['rateLimited', 120_000]);
  });

  it('rejects with the reason of the signal, also between two attempts', async () => {
    const abort = new AbortController();
    const { requests, sent } = requestsOver([answer(429, '', { 'retry-after': '50' })], { shortMs: 60_000, longMs: 0 });
    const aborted = assert.rejects(requests.run(read, abort.signal), /enough/);
    setImmediate(() => {
      abort.abort(new Error('enough'));
    });
    await aborted;
    assert.equal(sent.length, 1);
    await assert.rejects(requests.run(read, abort.signal), /enough/);
    assert.equal(sent.length, 1);
  });
});
