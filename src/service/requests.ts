import { realClock, type Clock } from '../base/clock';
import { present } from '../base/fields';
import { expectNoContent } from './decode/answer';
import { DecodeError } from './decode/decodeFields';
import { ServiceError, type ServiceErrorFields } from './serviceErrors';
import {
  connectionError,
  invalidAnswerError,
  statusError,
  timeoutError,
  tooLargeError,
  type FailureContext,
} from './failure';
import { identifierProblem } from './identifier';
import type { Logger } from './logger';
import { RECORD_BYTES, type Operation, type Query } from './operations/operation';
import { pages, readPage, type Identified, type List, type ListPage } from './operations/pagedRequest';
import { redact } from './redact';
import { Deadline } from './wire/deadline';
import type { HttpRequest, HttpResponse } from './wire/http';
import { AnswerTooLargeError } from './wire/receive';
import { DEFAULT_RETRY, isRetryable, readRetryAfter, retryDelay, type RetryPolicy } from './wire/retry';

/**
 * Time limits of one operation with all its attempts, in milliseconds. While a body is sent, the time counts from its last progress. A list
 * has the long one for all its pages, and each page the short one.
 */
export interface TimeLimits {
  shortMs: number;
  longMs: number;
}

/** The time limit of all pages of a list: its end, as the clock counts. */
interface ListLimit {
  endsAt: number;
  limitMs: number;
}

/** An upload restarts a browser, which may take the service 90 s. */
const DEFAULT_LIMITS: TimeLimits = { shortMs: 30_000, longMs: 120_000 };

export interface RequestsOptions {
  /** Checked by `parseBaseUrl`. */
  baseUrl: URL;
  token?: string | undefined;
  /** Id or name of the project that all requests concern, checked by `parseProject`; the service's default project without it. */
  project?: string | undefined;
  send: (request: HttpRequest) => Promise<HttpResponse>;
  log: Logger;
  /** How reads and deletions are retried. */
  retry?: RetryPolicy;
  limits?: TimeLimits;
  clock?: Clock;
}

/** Runs operations against one service: bearer token, time limits, retries, errors as `ServiceError`. */
export class Requests {
  /** Requests for lists of which it is not known whether the service has them, by the operation's name; they never reject. */
  readonly #asking = new Map<string, Promise<void>>();
  /** The names of operations that the service has done. */
  readonly #done = new Set<string>();
  /** The answers to operations that the service does not have, by the operation's name. */
  readonly #missing = new Map<string, ServiceErrorFields>();

  constructor(private readonly options: RequestsOptions) {}

  #contextOf({ name, method, path, notFoundIsMissing = false }: Operation<unknown>): FailureContext {
    const { baseUrl, token } = this.options;
    return {
      operation: name,
      isRead: method === 'GET',
      notFoundIsMissing,
      about: path[1] ?? '',
      aboutPath: `/${path.slice(0, 2).join('/')}`,
      host: baseUrl.host,
      clean: (text) => redact(text, token === undefined ? [] : [token]),
    };
  }

  get #clock(): Clock {
    return this.options.clock ?? realClock;
  }

  get #limits(): TimeLimits {
    return this.options.limits ?? DEFAULT_LIMITS;
  }

  /**
   * Runs `operation`. Rejects with a `ServiceError`, or with the signal's reason when `signal` aborts.
   * Only idempotent operations are retried, and only within the time limit.
   */
  async run<T>(operation: Operation<T>, signal?: AbortSignal): Promise<T> {
    return await this.#run(operation, signal);
  }

  /**
   * Runs a read of a list. Until it is known whether the service has the list, the others wait for the first request: its answer may spare
   * them.
   */
  async #runList<T>(operation: Operation<T>, signal: AbortSignal | undefined, whole?: ListLimit): Promise<T> {
    const { name } = operation;
    const asking = this.#asking.get(name);
    if (this.known(name) === undefined && asking) await untilAborted(asking, signal);
    const run = this.#run(operation, signal, whole);
    if (this.known(name) !== undefined) return await run;
    const settled = run.then(nothing, nothing);
    this.#asking.set(name, settled);
    try {
      return await run;
    } finally {
      if (this.#asking.get(name) === settled) this.#asking.delete(name);
    }
  }

  /** What the service's answers so far say of an operation; one that is missing fails without a request. */
  known(name: string): 'there' | 'missing' | undefined {
    if (this.#missing.has(name)) return 'missing';
    return this.#done.has(name) ? 'there' : undefined;
  }

  /** Notes an answer to an operation that has turned out to say that the service does not have it; returns what its next uses fail with. */
  noteMissing({ operation, message, status, code, details, innerError, mayHaveHappened }: ServiceError): ServiceError {
    const fields: ServiceErrorFields = {
      kind: 'unsupported',
      operation,
      message,
      ...present({ status, code, innerError }),
      details: [...details],
      mayHaveHappened,
    };
    this.#missing.set(operation, fields);
    return new ServiceError(fields);
  }

  /** Forgets which operations the service does not have: the next use of each asks again. */
  forgetMissing(): void {
    this.#missing.clear();
  }

  /** The items of a list, page by page. Rejects as `run` does. */
  list<T extends Identified>(list: List<T>, signal?: AbortSignal): AsyncIterable<T> {
    const { longMs: limitMs } = this.#limits;
    const whole = { endsAt: this.#clock.now() + limitMs, limitMs };
    return pages(list, (operation) => this.#runList(operation, signal, whole));
  }

  /** One page of a list, from `offset` on. Rejects as `run` does. */
  page<T extends Identified>(list: List<T>, offset: number, signal?: AbortSignal): Promise<ListPage<T>> {
    return readPage(list, offset, (operation) => this.#runList(operation, signal));
  }

  async #run<T>(operation: Operation<T>, signal: AbortSignal | undefined, whole?: ListLimit): Promise<T> {
    const url = requestUrl(this.options.baseUrl, operation);
    const missing = this.#missing.get(operation.name);
    if (missing) throw new ServiceError(missing);
    const { shortMs, longMs } = this.#limits;
    const ownMs = (operation.timeLimit === 'long' ? longMs : shortMs) + (operation.durationMs ?? 0);
    const leftMs = whole ? whole.endsAt - this.#clock.now() : Infinity;
    const limitMs = whole && leftMs < ownMs ? whole.limitMs : ownMs;
    if (leftMs <= 0) throw new ServiceError(timeoutError(limitMs, this.#contextOf(operation)));
    const deadline = new Deadline(Math.min(ownMs, leftMs), signal, this.#clock);
    try {
      return await this.#repeat(operation, url, deadline, limitMs, signal);
    } finally {
      deadline.dispose();
    }
  }

  /** Attempts an operation until it succeeds, or must not be repeated, or `deadline` is over; `limitMs` is named in the error then. */
  async #repeat<T>(
    operation: Operation<T>,
    url: URL,
    deadline: Deadline,
    limitMs: number,
    signal: AbortSignal | undefined,
  ): Promise<T> {
    const { retry: policy = DEFAULT_RETRY, log } = this.options;
    const attempts = operation.idempotent ? policy.attempts : 1;
    // Even if a later attempt certainly did nothing, an earlier one may have.
    let mayHaveHappened = false;
    for (let attempt = 1; ; attempt++) {
      const outcome = await this.#attempt(operation, url, deadline, limitMs, signal);
      if (outcome.ok) {
        this.#done.add(operation.name);
        return outcome.value;
      }
      const { failure } = outcome;
      if (failure.kind === 'unsupported') this.#missing.set(operation.name, failure);
      if (operation.notFoundIsDone && attempt > 1 && failure.kind === 'notFound') {
        return await operation.read({ status: 204, headers: {}, bytes: new Uint8Array() });
      }
      mayHaveHappened ||= failure.mayHaveHappened;
      const wait =
        outcome.mayRepeat && attempt < attempts ? retryDelay(attempt, outcome.retryAfterMs, policy) : Infinity;
      if (wait >= deadline.remainingMs) {
        const { retryAfterMs } = outcome;
        throw new ServiceError({ ...failure, ...(retryAfterMs !== undefined && { retryAfterMs }), mayHaveHappened });
      }
      log.debug(`${operation.name}: ${failure.message} Retrying in ${Math.round(wait)} ms.`);
      await this.#clock.delay(wait, { signal });
    }
  }

  async #attempt<T>(
    operation: Operation<T>,
    url: URL,
    deadline: Deadline,
    limitMs: number,
    signal: AbortSignal | undefined,
  ): Promise<Outcome<T>> {
    const { token, project, send, log } = this.options;
    signal?.throwIfAborted();
    // The 404 of an operation that the service has is that of a proxy in front of it, or of what was asked for.
    const isThere = this.#done.has(operation.name);
    const context = this.#contextOf(isThere ? { ...operation, notFoundIsMissing: false } : operation);
    const started = this.#clock.now();
    const logged = `${operation.method} ${context.clean(url.pathname)}`;
    let response: HttpResponse;
    try {
      response = await send({
        method: operation.method,
        url,
        headers: {
          accept: operation.accept ?? 'application/json',
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
          ...(project === undefined ? {} : { 'x-kernel-project': project }),
        },
        ...(operation.body ? { body: operation.body } : {}),
        maxBytes: operation.maxBytes ?? RECORD_BYTES,
        mayBreakOff: operation.read === expectNoContent,
        signal: deadline.signal,
        onSent: (sent, total) => {
          deadline.extend();
          operation.onProgress?.(sent, total);
        },
      });
    } catch (cause) {
      signal?.throwIfAborted();
      const isTooLarge = cause instanceof AnswerTooLargeError;
      const failure = isTooLarge
        ? tooLargeError(cause.maxBytes, context)
        : deadline.isOver
          ? timeoutError(limitMs, context)
          : connectionError(cause, context);
      log.trace(`${logged}: ${failure.message}`);
      return { ok: false, failure, mayRepeat: !isTooLarge, retryAfterMs: undefined };
    }
    log.trace(`${logged} ${response.status} in ${Math.round(this.#clock.now() - started)} ms`);
    if (response.status < 200 || response.status >= 300) {
      return {
        ok: false,
        failure: statusError(response, context),
        mayRepeat: isRetryable(response),
        retryAfterMs: readRetryAfter(response.headers),
      };
    }
    try {
      return { ok: true, value: await operation.read(response) };
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

const nothing = (): void => undefined;

type Outcome<T> =
  | { ok: true; value: T }
  | {
      ok: false;
      failure: ServiceErrorFields;
      mayRepeat: boolean;
      retryAfterMs: number | undefined;
    };

function requestUrl(baseUrl: URL, { path, query = {}, name }: Operation<unknown>): URL {
  for (const segment of path) {
    const message = identifierProblem(segment);
    if (message !== undefined) {
      throw new ServiceError({ kind: 'badRequest', operation: name, message, mayHaveHappened: false });
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

/** Resolves with `work`, which does not reject; rejects with the reason of `signal` when that aborts, or has aborted already. */
async function untilAborted(work: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted();
  const end = new AbortController();
  const aborted = new Promise<void>((resolve) => {
    signal?.addEventListener('abort', () => resolve(), { signal: end.signal });
  });
  await Promise.race([work, aborted]);
  end.abort();
  signal?.throwIfAborted();
}
