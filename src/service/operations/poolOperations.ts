import { jsonOf } from '../decode/answer';
import { decodeBrowserPool, decodeBrowser } from '../decode/decode';
import type { AcquireBrowserRequest, BrowserPool, Browser, ReleaseBrowserRequest } from '../model';
import { BROWSER_BYTES } from './browserOperations';
import { command, jsonBody, type Operation } from './operation';
import type { List } from './pagedRequest';

const NO_CONTENT = 204;

/** `GET /browser_pools` */
export function listPools(): List<BrowserPool> {
  return { name: 'listPools', path: ['browser_pools'], query: {}, item: decodeBrowserPool, idOf: (pool) => pool.id };
}

/** `POST /browser_pools/{id_or_name}/acquire`: undefined when no browser became free in time. */
export function acquireBrowser(
  pool: string,
  request: AcquireBrowserRequest = {},
  signal?: AbortSignal,
): Operation<Browser | undefined> {
  return {
    name: 'acquireBrowser',
    signal,
    method: 'POST',
    path: ['browser_pools', pool, 'acquire'],
    body: jsonBody(request),
    timeLimit: 'long',
    maxBytes: BROWSER_BYTES,
    durationMs: (request.acquireTimeoutSeconds ?? 0) * 1000,
    read: (response) => (response.status === NO_CONTENT ? undefined : decodeBrowser(jsonOf(response))),
  };
}

/** `POST /browser_pools/{id_or_name}/release` */
export function releaseBrowser(pool: string, request: ReleaseBrowserRequest, signal?: AbortSignal): Operation<void> {
  const { browser: sessionId, reuse } = request;
  return { ...command('releaseBrowser', 'POST', ['browser_pools', pool, 'release'], { sessionId, reuse }), signal };
}
