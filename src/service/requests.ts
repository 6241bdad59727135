import { DecodeError } from './decode/fields';
import { ServiceError, type ServiceErrorFields } from './errors';
import { connectionError, refusal, timeOut, unreadable, type FailureContext } from './failure';
import type { Logger } from './log';
import type { Operation, Query } from './operations/operation';
import { redact } from './redact';
import { Deadline } from './wire/deadline';
import type { HttpRequest, HttpResponse } from './wire/http';
import { DEFAULT_RETRY, isRetryable, pause, readRetryAfter, retryDelay, type RetryPolicy } from './wire/retry';

/** How long one attempt may take, in milliseconds. While a body goes out, the time counts from its last movement. */
export interface TimeLimits {
  shortMs: number;
  longMs: number;
}

/** An upload restarts a browser, which may take the service 90 s. */
export const DEFAULT_LIMITS: TimeLimits = { shortMs: 30_000, longMs: 120_000 };

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
   * Only operations that say that they are idempotent are tried again.
   */
  async run<T>(operation: Operation<T>, signal?: AbortSignal): Promise<T> {
    const { retry: policy = DEFAULT_RETRY, random, log } = this.#options;
    const url = addressOf(this.#options.baseUrl, operation);
    const attempts = operation.idempotent ? policy.attempts : 1;
    // A later attempt that certainly did nothing does not undo the doubt that an earlier one left.
    let mayHaveHappened = false;
    for (let attempt = 1; ; attempt++) {
      const outcome = await this.#attempt(operation, url, signal);
      if (outcome.ok) return outcome.value;
      const { failure } = outcome;
      if (operation.goneIsDone && attempt > 1 && failure.kind === 'notFound') {
        return operation.read({ status: 204, headers: {}, bytes: new Uint8Array() });
      }
      mayHaveHappened ||= failure.mayHaveHappened;
      const wait =
        outcome.mayRepeat && attempt < attempts ? retryDelay(attempt, outcome.retryAfterMs, policy, random) : undefined;
      if (wait === undefined) throw new ServiceError({ ...failure, mayHaveHappened });
      log.debug(`${operation.name}: ${failure.message} Trying again in ${Math.round(wait)} ms.`);
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
    const limitMs = (operation.patience === 'long' ? limits.longMs : limits.shortMs) + (operation.worksMs ?? 0);
    const deadline = new Deadline(limitMs, signal);
    const started = performance.now();
    const said = `${operation.method} ${context.clean(url.pathname)}`;
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
      const failure = deadline.isOver ? timeOut(limitMs, context) : connectionError(cause, context);
      log.trace(`${said}: ${failure.message}`);
      return { ok: false, failure, mayRepeat: true, retryAfterMs: undefined };
    } finally {
      deadline.dispose();
    }
    log.trace(`${said} ${response.status} in ${Math.round(performance.now() - started)} ms`);
    if (response.status < 200 || response.status >= 300) {
      return {
        ok: false,
        failure: refusal(response, context),
        mayRepeat: isRetryable(response),
        retryAfterMs: readRetryAfter(response.headers, this.#options.now),
      };
    }
    try {
      return { ok: true, value: operation.read(response) };
    } catch (cause) {
      if (!(cause instanceof DecodeError)) throw cause;
      // The service would say the same again.
      return { ok: false, failure: unreadable(cause, response, context), mayRepeat: false, retryAfterMs: undefined };
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

function addressOf(baseUrl: URL, { path, query = {}, name }: Operation<unknown>): URL {
  for (const segment of path) {
    // Addresses drop such segments, which would make it a request for something else.
    if (segment === '' || segment === '.' || segment === '..') {
      throw new ServiceError({
        kind: 'badRequest',
        operation: name,
        message: `"${segment}" is not an id or a name.`,
        mayHaveHappened: false,
      });
    }
  }
  const url = new URL([baseUrl.href.replace(/\/$/, ''), ...path.map(encodeURIComponent)].join('/'));
  url.search = parameters(query)
    .map(([key, value]) => `${encodeURIComponent(key)}=${encodeURIComponent(value)}`)
    .join('&');
  return url;
}

function parameters(query: Query): [string, string][] {
  return Object.entries(query).flatMap(([name, value]): [string, string][] => {
    if (value === undefined) return [];
    if (typeof value !== 'object') return [[name, String(value)]];
    return Object.entries(value).map(([key, inner]) => [`${name}[${key}]`, inner]);
  });
}
