import * as l10n from '@vscode/l10n';
import { DecodeError } from './decode/fields';
import { ServiceError, type ServiceErrorFields } from './errors';
import { connectionError, invalidAnswerError, statusError, timeoutError, type FailureContext } from './failure';
import type { Logger } from './log';
import type { Operation, Query } from './operations/operation';
import { redact } from './redact';
import { Deadline } from './wire/deadline';
import type { HttpRequest, HttpResponse } from './wire/http';
import { DEFAULT_RETRY, isRetryable, pause, readRetryAfter, retryDelay, type RetryPolicy } from './wire/retry';

/** Time limits of one attempt, in milliseconds. While a body is sent, the time counts from its last progress. */
export interface TimeLimits {
  shortMs: number;
  longMs: number;
}

/** An upload restarts a browser, which may take the service 90 s. */
const DEFAULT_LIMITS: TimeLimits = { shortMs: 30_000, longMs: 120_000 };

export interface RequestsOptions {
  baseUrl: URL;
  token?: string | undefined;
  send: (request: HttpRequest) => Promise<HttpResponse>;
  log: Logger;
  retry?: RetryPolicy;
  limits?: TimeLimits;
  random?: () => number;
  now?: () => number;
}

/** Runs operations against one service: bearer token, time limits, retries, errors as `ServiceError`. */
export class Requests {
  readonly #options: RequestsOptions;

  constructor(options: RequestsOptions) {
    this.#options = options;
  }

  /**
   * Runs `operation`. Rejects with a `ServiceError`, or with the signal's reason when `signal` aborts.
   * Only idempotent operations are retried.
   */
  async run<T>(operation: Operation<T>, signal?: AbortSignal): Promise<T> {
    const { retry: policy = DEFAULT_RETRY, random, log } = this.#options;
    const url = urlOf(this.#options.baseUrl, operation);
    const attempts = operation.idempotent ? policy.attempts : 1;
    // Even if a later attempt certainly did nothing, an earlier one may have.
    let mayHaveHappened = false;
    for (let attempt = 1; ; attempt++) {
      const outcome = await this.#attempt(operation, url, signal);
      if (outcome.ok) return outcome.value;
      const { failure } = outcome;
      if (operation.notFoundIsDone && attempt > 1 && failure.kind === 'notFound') {
        return operation.read({ status: 204, headers: {}, bytes: new Uint8Array() });
      }
      mayHaveHappened ||= failure.mayHaveHappened;
      const wait =
        outcome.mayRepeat && attempt < attempts ? retryDelay(attempt, outcome.retryAfterMs, policy, random) : undefined;
      if (wait === undefined) throw new ServiceError({ ...failure, mayHaveHappened });
      log.debug(`${operation.name}: ${failure.message} Retrying in ${Math.round(wait)} ms.`);
      await pause(wait, signal);
    }
  }

  async #attempt<T>(operation: Operation<T>, url: URL, signal: AbortSignal | undefined): Promise<Outcome<T>> {
    const { baseUrl, token, send, log, limits = DEFAULT_LIMITS } = this.#options;
    signal?.throwIfAborted();
    const context: FailureContext = {
      operation: operation.name,
      host: baseUrl.host,
      clean: (text) => redact(text, token === undefined ? [] : [token]),
    };
    const limitMs = (operation.timeLimit === 'long' ? limits.longMs : limits.shortMs) + (operation.durationMs ?? 0);
    const deadline = new Deadline(limitMs, signal);
    const started = performance.now();
    const logged = `${operation.method} ${context.clean(url.pathname)}`;
    let response: HttpResponse;
    try {
      response = await send({
        method: operation.method,
        url,
        headers: {
          accept: operation.accept ?? 'application/json',
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        },
        ...(operation.body ? { body: operation.body } : {}),
        signal: deadline.signal,
        onSent: (sent, total) => {
          deadline.extend();
          operation.onProgress?.(sent, total);
        },
      });
    } catch (cause) {
      signal?.throwIfAborted();
      const failure = deadline.isOver ? timeoutError(limitMs, context) : connectionError(cause, context);
      log.trace(`${logged}: ${failure.message}`);
      return { ok: false, failure, mayRepeat: true, retryAfterMs: undefined };
    } finally {
      deadline.dispose();
    }
    log.trace(`${logged} ${response.status} in ${Math.round(performance.now() - started)} ms`);
    if (response.status < 200 || response.status >= 300) {
      return {
        ok: false,
        failure: statusError(response, context),
        mayRepeat: isRetryable(response),
        retryAfterMs: readRetryAfter(response.headers, this.#options.now),
      };
    }
    try {
      return { ok: true, value: operation.read(response) };
    } catch (cause) {
      if (!(cause instanceof DecodeError)) throw cause;
      // The service would answer the same again.
      return {
        ok: false,
        failure: invalidAnswerError(cause, response, context),
        mayRepeat: false,
        retryAfterMs: undefined,
      };
    }
  }
}

type Outcome<T> =
  | { ok: true; value: T }
  | {
      ok: false;
      failure: ServiceErrorFields;
      mayRepeat: boolean;
      retryAfterMs: number | undefined;
    };

function urlOf(baseUrl: URL, { path, query = {}, name }: Operation<unknown>): URL {
  for (const segment of path) {
    // URLs drop such segments, so the request would be for another resource.
    if (segment === '' || segment === '.' || segment === '..') {
      throw new ServiceError({
        kind: 'badRequest',
        operation: name,
        message: l10n.t('"{0}" is not an id or a name.', segment),
        mayHaveHappened: false,
      });
    }
  }
  const url = new URL([baseUrl.href.replace(/\/$/, ''), ...path.map(encodeURIComponent)].join('/'));
  url.search = queryParameters(query)
    .map(([key, value]) => `${encodeURIComponent(key)}=${encodeURIComponent(value)}`)
    .join('&');
  return url;
}

function queryParameters(query: Query): [string, string][] {
  return Object.entries(query).flatMap(([name, value]): [string, string][] => {
    if (value === undefined) return [];
    if (typeof value !== 'object') return [[name, String(value)]];
    return Object.entries(value).map(([key, inner]) => [`${name}[${key}]`, inner]);
  });
}
