import assert from 'node:assert/strict';
import { bytesOf, expectNoContent, jsonOf, pngOf } from '../../../src/service/decode/answer';
import { ServiceError } from '../../../src/service/errors';
import { silentLogger } from '../../../src/service/log';
import { command, get, remove, type Operation } from '../../../src/service/operations/operation';
import { Requests } from '../../../src/service/requests';
import type { HttpRequest, HttpResponse } from '../../../src/service/wire/http';
import {
  DEFAULT_RETRY,
  LONGEST_RETRY_AFTER_MS,
  isRetryable,
  readRetryAfter,
  retryDelay,
} from '../../../src/service/wire/retry';

const RETRY = { attempts: 3, firstDelayMs: 1, longestDelayMs: 2 };

type Answer = HttpResponse | Error | ((request: HttpRequest) => Promise<HttpResponse>);

function answer(status: number, body: unknown = undefined, headers: Record<string, string> = {}): HttpResponse {
  const text = typeof body === 'string' ? body : body === undefined ? '' : JSON.stringify(body);
  return { status, headers, bytes: new TextEncoder().encode(text) };
}

function fault(code: string, message = 'it failed'): Error {
  return Object.assign(new Error(message), { code });
}

/** Answers with `answers` in turn, and with the last one from then on. */
function requestsOver(answers: readonly Answer[], limits = { shortMs: 1000, longMs: 2000 }) {
  const sent: HttpRequest[] = [];
  const requests = new Requests({
    baseUrl: new URL('https://service.test/base/'),
    token: 'secret',
    log: silentLogger,
    retry: RETRY,
    limits,
    send: async (request) => {
      sent.push(request);
      const next = answers[Math.min(sent.length, answers.length) - 1];
      if (next === undefined || next instanceof Error) throw next ?? new Error('no answer is prepared');
      return typeof next === 'function' ? next(request) : next;
    },
  });
  return { requests, sent };
}

const read = get('read', ['things', 'a b'], jsonOf, { 'q 1': 'x&y', none: undefined, tags: { k: 'v' } });
const change = command('change', 'POST', ['things'], { a: 1 });
const deletion = remove('deletion', ['things', '1']);

async function failureOf(answers: readonly Answer[], operation: Operation<unknown> = change): Promise<ServiceError> {
  const error: unknown = await requestsOver(answers)
    .requests.run(operation)
    .then(
      () => undefined,
      (reason: unknown) => reason,
    );
  assert(error instanceof ServiceError, String(error));
  return error;
}

/** A request that ends only when it is aborted. */
const never = (request: HttpRequest): Promise<HttpResponse> =>
  new Promise((_resolve, reject) => {
    request.signal.addEventListener('abort', () => reject(fault('UND_ERR_ABORTED')), { once: true });
  });

describe('a request', () => {
  it('goes below the base address, encoded, with the token', async () => {
    const { requests, sent } = requestsOver([answer(200, { ok: true })]);
    assert.deepEqual(await requests.run(read), { ok: true });
    assert.equal(sent[0]?.url.href, 'https://service.test/base/things/a%20b?q%201=x%26y&tags%5Bk%5D=v');
    assert.deepEqual(sent[0]?.headers, { accept: 'application/json', authorization: 'Bearer secret' });
  });

  it('that reads or deletes is sent again after a passing fault, at most three times in all', async () => {
    for (const passing of [fault('ECONNRESET'), answer(408), answer(429), answer(500), answer(503)]) {
      const recovering = requestsOver([passing, passing, answer(200, [])]);
      await recovering.requests.run(read);
      assert.equal(recovering.sent.length, 3);
      const failing = requestsOver([passing]);
      await assert.rejects(failing.requests.run(deletion), ServiceError);
      assert.equal(failing.sent.length, 3);
    }
  });

  it('that changes something is sent once, whatever happens', async () => {
    for (const passing of [fault('ECONNRESET'), answer(429, '', { 'retry-after-ms': '1' }), answer(503)]) {
      const { requests, sent } = requestsOver([passing]);
      await assert.rejects(requests.run(change), ServiceError);
      assert.equal(sent.length, 1);
    }
  });

  it('is not sent again after a refusal, or when the service advises against it', async () => {
    for (const refusal of [answer(400), answer(404), answer(409), answer(503, '', { 'x-should-retry': 'false' })]) {
      const { requests, sent } = requestsOver([refusal]);
      await assert.rejects(requests.run(read), ServiceError);
      assert.equal(sent.length, 1);
    }
  });

  it('ends at its time limit, and says how long that was', async () => {
    const { requests, sent } = requestsOver([never], { shortMs: 20, longMs: 20 });
    await assert.rejects(requests.run(change), (error) => {
      assert(error instanceof ServiceError);
      assert.deepEqual([error.kind, error.mayHaveHappened], ['timeout', true]);
      assert.match(error.message, /no answer within 0\.02 s/);
      return true;
    });
    assert.equal(sent.length, 1);
  });

  it('has more time when what it asks for takes time', async () => {
    const { requests } = requestsOver([never], { shortMs: 20, longMs: 20 });
    const started = performance.now();
    await assert.rejects(requests.run({ ...change, worksMs: 100 }), { kind: 'timeout' });
    assert(performance.now() - started >= 100);
  });

  it('is not cut while the bytes of its body move', async () => {
    const limitMs = 150;
    const moving = async (request: HttpRequest): Promise<HttpResponse> => {
      for (let piece = 1; piece <= 5; piece++) {
        await new Promise((resolve) => setTimeout(resolve, limitMs / 3));
        request.signal.throwIfAborted();
        request.onSent?.(piece, 5);
      }
      return answer(201);
    };
    const seen: number[] = [];
    const { requests } = requestsOver([moving], { shortMs: limitMs, longMs: limitMs });
    await requests.run({ ...change, onProgress: (sent, total) => seen.push(sent / total) });
    assert.deepEqual(seen, [0.2, 0.4, 0.6, 0.8, 1]);
  });

  it('ends with the reason of the signal when the caller stops it, also between two attempts', async () => {
    const abort = new AbortController();
    const { requests, sent } = requestsOver([answer(429, '', { 'retry-after': '50' })]);
    const stopped = assert.rejects(requests.run(read, abort.signal), /enough/);
    setImmediate(() => {
      abort.abort(new Error('enough'));
    });
    await stopped;
    assert.equal(sent.length, 1);
    await assert.rejects(requests.run(read, abort.signal), /enough/);
    assert.equal(sent.length, 1);
  });
});

describe('an error', () => {
  it('says for every status what kind of failure it is', async () => {
    const kinds: [number, string][] = [
      [400, 'badRequest'],
      [401, 'unauthorized'],
      [403, 'forbidden'],
      [404, 'notFound'],
      [408, 'timeout'],
      [409, 'conflict'],
      [413, 'tooLarge'],
      [418, 'invalidAnswer'],
      [422, 'badRequest'],
      [429, 'rateLimited'],
      [500, 'server'],
      [599, 'server'],
    ];
    for (const [status, kind] of kinds) {
      const error = await failureOf([answer(status, { code: 'c', message: 'm' })]);
      assert.deepEqual([error.status, error.kind, error.code, error.message], [status, kind, 'c', 'm']);
    }
  });

  it('says whether what was asked may have been done all the same', async () => {
    const doubts: [Answer, boolean][] = [
      [answer(400), false],
      [answer(404), false],
      [answer(429), false],
      [answer(302), false],
      [answer(500), true],
      [answer(504), true],
      [answer(200, '<h1>Welcome</h1>', { 'content-type': 'text/html' }), true],
      [fault('ECONNREFUSED'), false],
      [fault('ENOTFOUND'), false],
      [fault('SELF_SIGNED_CERT_IN_CHAIN'), false],
      [fault('ECONNRESET'), true],
      [fault('UND_ERR_SOCKET', 'other side closed'), true],
      [new Error('something new'), true],
    ];
    for (const [given, mayHaveHappened] of doubts) {
      assert.equal((await failureOf([given])).mayHaveHappened, mayHaveHappened, JSON.stringify(given));
    }
  });

  it('keeps the doubt of an earlier attempt', async () => {
    const error = await failureOf([fault('ECONNRESET'), answer(403)], deletion);
    assert.deepEqual([error.kind, error.mayHaveHappened], ['forbidden', true]);
  });

  it('puts a lost connection into words', async () => {
    const texts: [Error, RegExp][] = [
      [fault('ECONNREFUSED'), /could not be reached: nothing answers at that address \(ECONNREFUSED\)\.$/],
      [fault('ENOTFOUND'), /could not be reached: its name is not known \(ENOTFOUND\)\.$/],
      [fault('UND_ERR_CONNECT_TIMEOUT'), /did not accept a connection in time/],
      [fault('UND_ERR_SOCKET'), /The connection to service\.test was cut before the answer was there/],
      [fault('DEPTH_ZERO_SELF_SIGNED_CERT'), /certificate is not trusted.*NODE_EXTRA_CA_CERTS/],
      [fault('UND_ERR_ABORTED', 'Proxy response (407) !== 200 when HTTP Tunneling'), /the proxy wants a name/],
      [fault('UND_ERR_ABORTED', 'Proxy response (502) !== 200 when HTTP Tunneling'), /the proxy refused .*\(502\)/],
      [fault('HPE_INVALID_CONSTANT'), /does not speak HTTP/],
      [new Error('outer', { cause: fault('ECONNRESET') }), /was cut/],
    ];
    for (const [cause, text] of texts) assert.match((await failureOf([cause])).message, text);
  });

  it('says what the body was when it is not the error of the interface', async () => {
    const html = { 'content-type': 'text/html' };
    const json = { 'content-type': 'application/json' };
    const page = '<html><style>p{}</style><title>413 Too large</title><script>x()</script></html>';
    const texts: [HttpResponse, RegExp][] = [
      [answer(413, page, html), /^413: the answer is not JSON \(text\/html\); it begins with "413 Too large"\.$/],
      [answer(502), /^502: the answer has no body\.$/],
      [answer(500, '{"code":"x","mess', json), /^500: the answer is broken JSON \(application\/json\)/],
      [answer(500, { error: 'x' }, json), /^500: the answer is JSON of another shape/],
      [answer(500, [1], json), /JSON of another shape/],
      [answer(500, 'null', json), /JSON of another shape/],
      [answer(500, '\u0000\u0007\ufffd', {}), /no content type/],
    ];
    for (const [given, text] of texts) assert.match((await failureOf([given])).message, text);
  });

  it('takes the error of the interface whatever the content type says', async () => {
    const error = await failureOf([
      answer(404, { code: 'c', message: 'no such thing' }, { 'content-type': 'text/plain' }),
    ]);
    assert.equal(error.message, 'no such thing');
  });

  it('says how long the service asks to wait', async () => {
    const error = await failureOf([answer(429, { code: 'c', message: 'too fast.' }, { 'retry-after': '90' })], read);
    assert.match(error.message, /^too fast\. The service asks to wait 90 s\.$/);
  });

  it('does not follow a redirect, wherever it leads', async () => {
    for (const status of [301, 302, 303, 307, 308]) {
      const { requests, sent } = requestsOver([answer(status, '', { location: 'https://other.test/' })]);
      await assert.rejects(requests.run(read), /redirect/);
      assert.equal(sent.length, 1);
    }
  });
});

describe('a successful answer', () => {
  const html = { 'content-type': 'text/html; charset=utf-8' };

  it('may come with any 2xx, and with any content type when it is JSON', async () => {
    for (const status of [200, 201, 202, 299]) {
      const { requests } = requestsOver([answer(status, [1], { 'content-type': 'text/plain' })]);
      assert.deepEqual(await requests.run(read), [1]);
    }
    await requestsOver([answer(204)]).requests.run(change);
    await requestsOver([answer(201, 'created', { 'content-type': 'text/plain' })]).requests.run(change);
  });

  it('that is a web page, empty or broken is no success', async () => {
    const page = answer(200, '<h1>Log in to the network</h1>', html);
    const operations: [Operation<unknown>, HttpResponse][] = [
      [read, page],
      [read, answer(200)],
      [read, answer(200, '{"id": "p', { 'content-type': 'application/json' })],
      [{ ...change, read: expectNoContent }, page],
      [{ ...read, read: bytesOf }, page],
      [{ ...read, read: pngOf }, page],
      [{ ...read, read: pngOf }, answer(200, 'no picture', { 'content-type': 'image/png' })],
    ];
    for (const [operation, given] of operations) {
      const error = await failureOf([given], operation);
      assert.deepEqual([error.kind, error.status], ['invalidAnswer', 200]);
      assert.match(error.message, /not of its interface: the answer (is|has) /);
    }
  });
});

describe('the patience between two attempts', () => {
  it('doubles up to its bound, with at most a quarter taken off', () => {
    const delays = [1, 2, 3, 4, 5, 6].map((attempt) => retryDelay(attempt, undefined, DEFAULT_RETRY, () => 0));
    assert.deepEqual(delays, [500, 1000, 2000, 4000, 8000, 8000]);
    assert.equal(
      retryDelay(1, undefined, DEFAULT_RETRY, () => 1),
      375,
    );
  });

  it('is what the service asks for, unless that is too long', () => {
    assert.equal(retryDelay(1, 1234), 1234);
    assert.equal(retryDelay(1, LONGEST_RETRY_AFTER_MS + 1), undefined);
  });

  it('is read from milliseconds, seconds or a date', () => {
    const now = (): number => Date.parse('2026-05-01T12:00:00Z');
    const wait = (headers: Record<string, string>): number | undefined => readRetryAfter(headers, now);
    assert.equal(wait({ 'retry-after-ms': '150', 'retry-after': '9' }), 150);
    assert.equal(wait({ 'retry-after': '2.5' }), 2500);
    assert.equal(wait({ 'retry-after': 'Fri, 01 May 2026 12:00:07 GMT' }), 7000);
    assert.equal(wait({ 'retry-after': 'Fri, 01 May 2026 11:00:00 GMT' }), 0);
    assert.equal(wait({ 'retry-after': 'soon' }), undefined);
    assert.equal(wait({}), undefined);
  });

  it('follows x-should-retry before the status', () => {
    assert.equal(isRetryable({ status: 400, headers: { 'x-should-retry': 'true' } }), true);
    assert.equal(isRetryable({ status: 500, headers: { 'x-should-retry': 'false' } }), false);
    assert.equal(isRetryable({ status: 409, headers: {} }), false);
  });
});
