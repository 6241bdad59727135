import { decodeBrowserPool } from '../decode/decode';
import type { AcquireBrowserRequest, BrowserPool, Browser, ReleaseBrowserRequest } from '../model';
import { BROWSER_BYTES, readBrowser } from './browserOperations';
import { command, send, type Operation } from './operation';
import type { List } from './pagedRequest';
import type { HttpResponse } from '../wire/http';

const NO_CONTENT = 204;

/** `GET /browser_pools` */
export function listPools(): List<BrowserPool> {
  return { name: 'listPools', path: ['browser_pools'], query: {}, item: decodeBrowserPool };
}

/** `POST /browser_pools/{id_or_name}/acquire`: undefined when no browser became free in time. */
export function acquireBrowser(
  pool: string,
  request: AcquireBrowserRequest = {},
  signal?: AbortSignal,
): Operation<Browser | undefined> {
  const read = (response: HttpResponse): Browser | undefined =>
    response.status === NO_CONTENT ? undefined : readBrowser(response);
  const operation = send('acquireBrowser', 'POST', ['browser_pools', pool, 'acquire'], request, read);
  const durationMs = (request.acquireTimeoutSeconds ?? 0) * 1000;
  return { ...operation, timeLimit: 'long', maxBytes: BROWSER_BYTES, durationMs, signal };
}

/** `POST /browser_pools/{id_or_name}/release` */
export function releaseBrowser(pool: string, request: ReleaseBrowserRequest, signal?: AbortSignal): Operation<void> {
  const { browser: sessionId, reuse } = request;
  return { ...command('releaseBrowser', 'POST', ['browser_pools', pool, 'release'], { sessionId, reuse }), signal };
}
