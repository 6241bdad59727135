import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fieldOf } from '../../src/base/fields';
import { EXTENSION_ID } from '../../src/ids';

/**
 * Longest time until a local service has ended by itself, in milliseconds: 10 s after its last window went away, or 30 s
 * after its start when no window came to hold it; then it closes its browsers.
 */
export const LOCAL_SERVICE_END_LIMIT_MS = 40_000;

/** The local service that an extension host started, as its state file describes it. The token is a credential. */
export interface LocalService {
  readonly pid: number;
  readonly baseUrl: string;
  readonly token: string;
}

/** Reads who the local service of a VS Code's extension hosts is, from its `User` folder; undefined when there is none. */
export async function readLocalService(userDir: string): Promise<LocalService | undefined> {
  const file = join(userDir, 'globalStorage', EXTENSION_ID, 'local', 'service.json');
  const text = await readFile(file, 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  const state: unknown = JSON.parse(text);
  if (typeof state !== 'object' || state === null) return undefined;
  if (!('pid' in state) || !('baseUrl' in state) || !('token' in state)) return undefined;
  const { pid, baseUrl, token } = state;
  if (typeof pid !== 'number' || typeof baseUrl !== 'string' || typeof token !== 'string') return undefined;
  return { pid, baseUrl, token };
}

/** Sends a request to a local service beside the extension; throws when it fails. Resolves with the JSON of the answer. */
export async function requestLocally(
  service: Pick<LocalService, 'baseUrl' | 'token'>,
  method: string,
  path: string,
  body?: unknown,
): Promise<unknown> {
  const answer = await fetch(new URL(path, `${service.baseUrl}/`), {
    method,
    headers: { authorization: `Bearer ${service.token}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  assert.ok(answer.ok, `${method} ${path}: ${answer.status}`);
  return answer.status === 204 ? undefined : answer.json();
}

/** The DevTools address of a browser of the local service of a window, by its name. It is a credential. */
export async function localDevToolsAddress(userDir: string, browser: string): Promise<string> {
  const service = await readLocalService(userDir);
  assert.ok(service, 'no local service is running');
  return await devToolsAddressOf(service, browser);
}

/** The DevTools address of a browser of a service, by its name. It is a credential. */
export async function devToolsAddressOf(
  service: Pick<LocalService, 'baseUrl' | 'token'>,
  browser: string,
): Promise<string> {
  const sessions = await requestLocally(service, 'GET', 'browsers');
  const found: unknown = Array.isArray(sessions) && sessions.find((session) => fieldOf(session, 'name') === browser);
  const address = fieldOf(found, 'cdp_ws_url');
  assert.ok(typeof address === 'string', 'the browser is not listed');
  return address;
}
