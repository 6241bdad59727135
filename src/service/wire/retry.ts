import type { HttpResponse } from './http';

/** How often and how patiently an idempotent request is tried again. Times in milliseconds. */
export interface RetryPolicy {
  attempts: number;
  firstDelayMs: number;
  longestDelayMs: number;
}

/** The official client's numbers: three attempts, half a second doubling up to eight. */
export const DEFAULT_RETRY: RetryPolicy = { attempts: 3, firstDelayMs: 500, longestDelayMs: 8000 };

/** A server's `Retry-After` beyond this is not waited for: the error is shown instead, with the number. */
export const LONGEST_RETRY_AFTER_MS = 60_000;

/**
 * Milliseconds to wait before attempt `attempt + 1` (counted from 1): what the server asked for, else exponential with up to
 * 25 % jitter taken off. Undefined when the server asks for more patience than `LONGEST_RETRY_AFTER_MS`.
 */
export function retryDelay(
  attempt: number,
  retryAfterMs: number | undefined,
  policy: RetryPolicy = DEFAULT_RETRY,
  random: () => number = Math.random,
): number | undefined {
  if (retryAfterMs !== undefined) return retryAfterMs <= LONGEST_RETRY_AFTER_MS ? retryAfterMs : undefined;
  const delay = Math.min(policy.firstDelayMs * 2 ** (attempt - 1), policy.longestDelayMs);
  return delay * (1 - 0.25 * random());
}

/** The patience a response asks for, in milliseconds: `retry-after-ms`, or `retry-after` in seconds or as a date. */
export function readRetryAfter(headers: Record<string, string>, now: () => number = Date.now): number | undefined {
  const ms = Number.parseFloat(headers['retry-after-ms'] ?? '');
  if (Number.isFinite(ms) && ms >= 0) return ms;
  const text = headers['retry-after'];
  if (text === undefined) return undefined;
  if (/^\s*\d+(\.\d+)?\s*$/.test(text)) return Number.parseFloat(text) * 1000;
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now());
}

/** Whether an idempotent request may simply be sent again: by its status, unless the service says `x-should-retry`. */
export function isRetryable({ status, headers }: Pick<HttpResponse, 'status' | 'headers'>): boolean {
  const advice = headers['x-should-retry'];
  if (advice === 'true' || advice === 'false') return advice === 'true';
  return status === 408 || status === 429 || status >= 500;
}

/** Resolves after `ms`; rejects with the signal's reason when it aborts first. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(reasonOf(signal));
      return;
    }
    const onAbort = (): void => {
      clearTimeout(timer);
      reject(signal ? reasonOf(signal) : new Error('aborted'));
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    }, ms);
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}

function reasonOf(signal: AbortSignal): Error {
  const reason: unknown = signal.reason;
  return reason instanceof Error ? reason : new Error('aborted', { cause: reason });
}
