import assert from 'node:assert/strict';
import { jsonOf } from '../../../src/service/decode/answer';
import { ServiceError } from '../../../src/service/serviceErrors';
import { silentLogger } from '../../../src/service/logger';
import { command, get, remove, type Operation } from '../../../src/service/operations/operation';
import { Requests } from '../../../src/service/requests';
import type { HttpRequest, HttpResponse } from '../../../src/service/wire/http';
import { TestClock } from '../../support/testClock';

const RETRY = { attempts: 3, firstDelayMs: 1, longestDelayMs: 2 };

/** A response, an error, or a function that responds, by the clock of the requests. */
export type Answer = HttpResponse | Error | ((request: HttpRequest, clock: TestClock) => Promise<HttpResponse>);

/** A response with a body: a text, or a value as JSON. */
export function answer(status: number, body?: unknown, headers: Record<string, string> = {}): HttpResponse {
  const text = typeof body === 'string' ? body : body === undefined ? '' : JSON.stringify(body);
  return { status, headers, bytes: new TextEncoder().encode(text) };
}

/** An error with a code, as Node and undici throw them. */
export function fault(code: string, message = 'it failed'): Error {
  return Object.assign(new Error(message), { code });
}

/** Requests that get `answers` in turn, and the last one from then on. `run` moves their clock on whenever all wait for time. */
export function requestsOver(answers: readonly Answer[], limits = { shortMs: 1000, longMs: 2000 }) {
  const clock = new TestClock();
  const sent: HttpRequest[] = [];
  const requests = new Requests({
    baseUrl: new URL('https://service.test/base/'),
    token: 'secret',
    log: silentLogger,
    retry: RETRY,
    clock,
    limits,
    send: async (request) => {
      sent.push(request);
      const next = answers[Math.min(sent.length, answers.length) - 1];
      if (next === undefined || next instanceof Error) throw next ?? new Error('no answer is prepared');
      return typeof next === 'function' ? next(request, clock) : next;
    },
  });
  const run = <T>(operation: Operation<T>): Promise<T> => clock.run(requests.run(operation));
  return { requests, sent, clock, run };
}

/** A read with a query. */
export const read = get('read', ['things', 'a+é'], jsonOf, { 'q 1': 'x&y', none: undefined, tags: { k: 'v' } });
/** A request that is not idempotent. */
export const change = command('change', 'POST', ['things'], { a: 1 });
/** A deletion. */
export const deletion = remove('deletion', ['things', '1']);

/** The error of an operation. */
export async function failureOf(
  answers: readonly Answer[],
  operation: Operation<unknown> = change,
): Promise<ServiceError> {
  const error: unknown = await requestsOver(answers)
    .run(operation)
    .then(
      () => undefined,
      (reason: unknown) => reason,
    );
  assert(error instanceof ServiceError, String(error));
  return error;
}

/** A response that never comes; the request ends when it is aborted. */
export const never = (request: HttpRequest): Promise<HttpResponse> =>
  new Promise((_resolve, reject) => {
    request.signal.addEventListener('abort', () => reject(fault('UND_ERR_ABORTED')), { once: true });
  });
