import { DecodeError, decodeErrorBody } from './decode';
import { ServiceError, kindOfStatus } from './errors';
import type { Logger } from './log';
import type { ErrorDetail } from './model';
import { redact } from './redact';
import { DEFAULT_RETRY, isRetryable, pause, readRetryAfter, retryDelay, type RetryPolicy } from './retry';
import type { Body, HttpRequest, HttpResponse } from './transport';

/** Time limits per request, in milliseconds. An upload restarts a browser, which may take the service 90 s. */
export const ANSWER_LIMIT_MS = 30_000;
export const LONG_ANSWER_LIMIT_MS = 120_000;

/** The first characters of a body that is not JSON, shown so that a proxy's page can be recognised. */
const EXCERPT_LENGTH = 120;

/** One operation of the interface, as it goes over the wire. */
export interface Operation<T> {
  name: string;
  method: HttpRequest['method'];
  /** Path below the base address; its parts are percent-encoded already. */
  path: string;
  query?: Record<string, string | number | undefined>;
  body?: Body;
  /** Media type asked for; JSON when absent. */
  accept?: string;
  limitMs?: number;
  /** A repeated GET or DELETE does no harm; everything else is sent once. */
  idempotent?: boolean;
  /** A 404 on a *repeated* attempt means that the first one worked although its answer was lost. */
  goneIsDone?: boolean;
  read: (response: HttpResponse) => T;
}

export interface RequestsOptions {
  baseUrl: URL;
  token?: string | undefined;
  send: (request: HttpRequest) => Promise<HttpResponse>;
  log: Logger;
  retry?: RetryPolicy;
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
    const policy = this.#options.retry ?? DEFAULT_RETRY;
    const attempts = operation.idempotent ? policy.attempts : 1;
    for (let attempt = 1; ; attempt++) {
      const outcome = await this.#attempt(operation, signal);
      if (outcome.ok) return outcome.value;
      if (operation.goneIsDone && attempt > 1 && outcome.error.kind === 'notFound') {
        return this.#read(operation, { status: 204, headers: {}, bytes: new Uint8Array() });
      }
      const wait =
        outcome.mayRepeat && attempt < attempts
          ? retryDelay(attempt, outcome.retryAfterMs, policy, this.#options.random)
          : undefined;
      if (wait === undefined) throw outcome.error;
      this.#options.log.debug(`${operation.name}: ${outcome.error.message} Trying again in ${Math.round(wait)} ms.`);
      await pause(wait, signal);
    }
  }

  async #attempt<T>(operation: Operation<T>, signal: AbortSignal | undefined): Promise<Outcome<T>> {
    const { baseUrl, token, send, log } = this.#options;
    signal?.throwIfAborted();
    const limitMs = operation.limitMs ?? ANSWER_LIMIT_MS;
    const limit = AbortSignal.timeout(limitMs);
    const url = new URL(baseUrl.href.replace(/\/$/, '') + operation.path);
    for (const [name, value] of Object.entries(operation.query ?? {})) {
      if (value !== undefined) url.searchParams.set(name, String(value));
    }
    const headers: Record<string, string> = { accept: operation.accept ?? 'application/json' };
    if (token !== undefined) headers['authorization'] = `Bearer ${token}`;
    const started = performance.now();
    let response: HttpResponse;
    try {
      response = await send({
        method: operation.method,
        url,
        headers,
        ...(operation.body ? { body: operation.body } : {}),
        signal: signal ? AbortSignal.any([signal, limit]) : limit,
      });
    } catch (cause) {
      signal?.throwIfAborted();
      const error = limit.aborted
        ? new ServiceError({
            kind: 'timeout',
            operation: operation.name,
            message: `The service gave no answer within ${Math.round(limitMs / 1000)} s.`,
          })
        : new ServiceError({
            kind: 'unreachable',
            operation: operation.name,
            message: `The service at ${baseUrl.host} could not be reached: ${this.#clean(messageOf(cause))}.`,
            cause,
          });
      log.trace(`${operation.method} ${operation.path}: ${error.message}`);
      return { ok: false, error, mayRepeat: true, retryAfterMs: undefined };
    }
    log.trace(
      `${operation.method} ${operation.path} ${response.status} in ${Math.round(performance.now() - started)} ms`,
    );
    if (response.status >= 200 && response.status < 300) {
      return { ok: true, value: this.#read(operation, response) };
    }
    return {
      ok: false,
      error: this.#failure(operation.name, response),
      mayRepeat: isRetryable(response.status),
      retryAfterMs: readRetryAfter(response.headers, this.#options.now),
    };
  }

  #read<T>(operation: Operation<T>, response: HttpResponse): T {
    try {
      return operation.read(response);
    } catch (cause) {
      if (!(cause instanceof DecodeError)) throw cause;
      throw new ServiceError({
        kind: 'invalidAnswer',
        operation: operation.name,
        status: response.status,
        message: `The service sent an answer that is not of its interface: ${this.#clean(cause.message)}.`,
        cause,
      });
    }
  }

  #failure(operation: string, response: HttpResponse): ServiceError {
    const body = decodeErrorBody(parseJson(response.bytes));
    const requestId = response.headers['x-request-id'];
    const shared = {
      kind: kindOfStatus(response.status),
      operation,
      status: response.status,
      ...(requestId === undefined ? {} : { requestId }),
    };
    if (response.status >= 300 && response.status < 400) {
      return new ServiceError({
        ...shared,
        message: `The service answered with a redirect (${response.status}), which is not followed because the token would go along. Check the address of the service.`,
      });
    }
    if (body?.message === undefined) {
      return new ServiceError({ ...shared, message: `${response.status}: ${this.#clean(describeBody(response))}` });
    }
    return new ServiceError({
      ...shared,
      message: this.#clean(body.message),
      ...(body.code === undefined ? {} : { code: body.code }),
      details: (body.details ?? []).map((detail) => this.#cleanDetail(detail)),
      ...(body.inner_error ? { innerError: this.#cleanDetail(body.inner_error) } : {}),
    });
  }

  #cleanDetail(detail: ErrorDetail): ErrorDetail {
    return detail.message === undefined ? detail : { ...detail, message: this.#clean(detail.message) };
  }

  #clean(text: string): string {
    return redact(text, this.#options.token === undefined ? [] : [this.#options.token]);
  }
}

type Outcome<T> =
  { ok: true; value: T } | { ok: false; error: ServiceError; mayRepeat: boolean; retryAfterMs: number | undefined };

/**
 * The JSON of a successful answer.
 * @throws DecodeError when the body is not JSON.
 */
export function jsonOf(response: HttpResponse): unknown {
  const value = parseJson(response.bytes);
  if (value === undefined) throw new DecodeError(describeBody(response));
  return value;
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes)) as unknown;
  } catch {
    return undefined;
  }
}

function describeBody(response: HttpResponse): string {
  if (response.bytes.length === 0) return 'the answer has no body';
  const type = response.headers['content-type'] ?? 'no content type';
  const text = new TextDecoder()
    .decode(response.bytes.subarray(0, 4 * EXCERPT_LENGTH))
    .replace(/\s+/g, ' ')
    .trim();
  return `the answer is not JSON (${type}); it begins with "${text.slice(0, EXCERPT_LENGTH)}"`;
}

function messageOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  const code: unknown = 'code' in cause ? cause.code : undefined;
  const text = cause.message || cause.name;
  return typeof code === 'string' && !text.includes(code) ? `${text} (${code})` : text;
}
