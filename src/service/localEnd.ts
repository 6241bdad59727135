import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { readRegularFile } from '../base/disk';
import { numberField, optionalText } from '../base/fields';
import { urlOf } from '../base/url';

/** The largest file with the address of a running service. */
const MAX_STATE_BYTES = 64 * 1024;

/** Time limit for the answer of a running service, in milliseconds. */
const ANSWER_LIMIT_MS = 2000;

/** Time limit for a service to end its browsers and itself, in milliseconds. */
const END_LIMIT_MS = 10_000;

/** Interval at which its process is looked at, in milliseconds. */
const POLL_MS = 50;

/**
 * Ends the local service of a data folder with its browsers, also while other programs use it, and waits until its process has ended, for ten seconds
 * at most. Resolves to whether there was one. Never rejects.
 */
export async function endLocalService(dataDir: string): Promise<boolean> {
  const state = await readLocalState(dataDir);
  if (!state) return false;
  const ended = await ask(state, 'POST', '/sideload/end');
  // A service of an earlier version knows no such request.
  if (ended === 404 && (await ask(state, 'GET', '/sideload/health')) === 200) signal(state.pid, 'SIGTERM');
  else if (ended !== 204) return false;
  for (const limit = Date.now() + END_LIMIT_MS; signal(state.pid, 0) && Date.now() < limit;) await delay(POLL_MS);
  return true;
}

/** What a running local service has written about itself. */
interface LocalState {
  readonly pid: number;
  readonly baseUrl: string;
  readonly token: string;
}

/** The state of the local service of a data folder; undefined without one, or when it cannot be read. Never rejects. */
export async function readLocalState(dataDir: string): Promise<LocalState | undefined> {
  const text = await readRegularFile(join(dataDir, 'service.json'), MAX_STATE_BYTES);
  try {
    const value: unknown = JSON.parse(text?.toString('utf8') ?? 'null');
    const [pid, baseUrl, token] = [
      numberField(value, 'pid'),
      optionalText(value, 'baseUrl'),
      optionalText(value, 'token'),
    ];
    if (!Number.isInteger(pid) || pid <= 0 || baseUrl === undefined || token === undefined) return undefined;
    return urlOf(baseUrl) && validHeader(token) ? { pid, baseUrl, token } : undefined;
  } catch {
    // The service was killed while it wrote the file.
    return undefined;
  }
}

/** Whether a request can carry this token. */
function validHeader(token: string): boolean {
  return /^[\x21-\x7e]+$/.test(token);
}

/** The status of the answer; undefined without one. */
function ask({ baseUrl, token }: LocalState, method: string, path: string): Promise<number | undefined> {
  return new Promise((resolve) => {
    // The local service speaks no other protocol.
    if (!baseUrl.startsWith('http:')) return resolve(undefined);
    // Node's own agent may ask a proxy of the environment for it.
    const agent = new Agent();
    const options = { method, headers: { authorization: `Bearer ${token}` }, timeout: ANSWER_LIMIT_MS, agent };
    const asked = request(`${baseUrl}${path}`, options, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    asked.once('timeout', () => asked.destroy(new Error('no answer')));
    asked.once('error', () => resolve(undefined));
    asked.end();
  });
}

/** Sends a signal, or none with 0; returns whether the process is there. */
function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
}
