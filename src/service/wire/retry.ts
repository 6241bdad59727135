import type { HttpResponse } from './http';

/** How often and after which delays an idempotent request is retried. Times in milliseconds. */
export interface RetryPolicy {
  attempts: number;
  firstDelayMs: number;
  longestDelayMs: number;
}

/** The official client's numbers: three attempts, delays from half a second, doubling up to eight seconds. */
export const DEFAULT_RETRY: RetryPolicy = { attempts: 3, firstDelayMs: 500, longestDelayMs: 8000 };

/**
 * Milliseconds to wait before attempt `attempt + 1` (counted from 1): those of the server's `Retry-After`, else exponential, less a jitter of
 * up to 25 %.
 */
export function retryDelay(
  attempt: number,
  retryAfterMs: number | undefined,
  policy: RetryPolicy = DEFAULT_RETRY,
  random: () => number = Math.random,
): number {
  if (retryAfterMs !== undefined) return retryAfterMs;
  return Math.min(policy.firstDelayMs * 2 ** (attempt - 1), policy.longestDelayMs) * (1 - 0.25 * random());
}

/** The wait that a response requests, in milliseconds: `retry-after-ms`, or `retry-after` in seconds or as a date. */
export function readRetryAfter(headers: Record<string, string>, now: () => number = Date.now): number | undefined {
  const ms = Number.parseFloat(headers['retry-after-ms'] ?? '');
  if (Number.isFinite(ms) && ms >= 0) return ms;
  const text = headers['retry-after'];
  if (text === undefined) return undefined;
  if (/^\s*\d+(\.\d+)?\s*$/.test(text)) return Number.parseFloat(text) * 1000;
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now());
}

/** Whether an idempotent request may be retried: by the status of its response, unless it has `x-should-retry`. */
export function isRetryable({ status, headers }: Pick<HttpResponse, 'status' | 'headers'>): boolean {
  const advice = headers['x-should-retry'];
  if (advice === 'true' || advice === 'false') return advice === 'true';
  // 501: the operation does not exist.
  return status === 408 || status === 429 || (status >= 500 && status !== 501);
}
