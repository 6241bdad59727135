import { type Connection, connectDevTools, DevToolsError } from '../devtools/connect';
import { loadUnpacked } from '../devtools/extensions';
import type { ServiceClient } from '../service/client';
import { ServiceError } from '../service/errors';
import type { Logger } from '../service/log';
import type { BrowserSession } from '../service/model';
import { pause } from '../service/retry';

/** A browser that may stand still, and what it had before the build that it stands still over. */
export interface Blocked {
  service: ServiceClient;
  session: BrowserSession;
  /** The extension's folder on the browser's machine. */
  path: string;
  /** Puts the files of the build before back into that folder; absent when there was none. */
  putBack?: (() => Promise<void>) | undefined;
  log: Logger;
}

/**
 * How it ended: `answers` – DevTools answered, so nothing was done; `unblocked` – it answers again, and the build before is
 * loaded where there was one; `silent` – it does not answer, and a new browser is needed.
 */
export type Unblocking = 'answers' | 'unblocked' | 'silent';

/** How long the browser may take to answer when nothing keeps it from doing so, in milliseconds. */
const LOOK_LIMIT_MS = 8000;

/** How long it may take from the key to DevTools, in milliseconds (seen: 500). */
const START_LIMIT_MS = 5000;

const POLL_MS = 250;

/** Chromium shows a window for each folder on its command line that it refuses, one after the other. */
const MAX_WINDOWS = 10;

/** What is left in a folder that holds no good build: a folder on the command line that is missing shows the window as well. */
const STAND_IN = JSON.stringify({
  manifest_version: 3,
  name: 'Sideload placeholder',
  version: '0.0.1',
  description: 'Keeps the place of an extension that the browser has refused.',
});

/**
 * Whether a failure of a push may come from a browser that stands still: one with windows, which shows "Error Loading Extension"
 * and opens DevTools only once somebody has closed it.
 */
export function mayBeBlocked(session: BrowserSession, error: unknown): boolean {
  if (session.headless) return false;
  if (error instanceof DevToolsError) return true;
  return error instanceof ServiceError && error.operation === 'uploadExtensionsToBrowser' && error.mayHaveHappened;
}

/**
 * Gets a browser going again that stands still before a window because it was started with a folder that it refuses. Good
 * files are put into the folder first, or every later start would end the same way; then the window is closed by the Return
 * key, which reaches it by way of the service because no DevTools does. No key is pressed in a browser that answers.
 * @throws ServiceError when the files cannot be put back or no key can be pressed; the reason of `signal` when that aborts.
 */
export async function unblock(
  { service, session, path, putBack, log }: Blocked,
  signal?: AbortSignal,
): Promise<Unblocking> {
  if (await reaches(session, LOOK_LIMIT_MS, signal, () => Promise.resolve())) return 'answers';
  if (session.headless) return 'silent';
  log.warn(
    'The browser does not answer: it may show a window that says "Error Loading Extension". It is being closed.',
  );
  if (putBack) await putBack();
  else await leaveStandIn(service, session, path, signal);
  for (let closed = 0; closed < MAX_WINDOWS; closed++) {
    await service.pressKey(session.session_id, { keys: ['Return'] }, signal);
    const load = async (connection: Connection): Promise<void> => {
      // It was started with the refused files: what has been put back is read only now.
      if (putBack) await loadUnpacked(connection, path);
    };
    if (await reaches(session, START_LIMIT_MS, signal, load)) return 'unblocked';
  }
  return 'silent';
}

async function leaveStandIn(
  service: ServiceClient,
  { session_id: id }: BrowserSession,
  path: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  await service.deleteDirectory(id, path, signal);
  await service.writeFile(id, `${path}/manifest.json`, new TextEncoder().encode(STAND_IN), undefined, signal);
}

/** Whether DevTools answers within `limitMs`; if so, `act` has been done on the connection. */
async function reaches(
  session: BrowserSession,
  limitMs: number,
  signal: AbortSignal | undefined,
  act: (connection: Connection) => Promise<void>,
): Promise<boolean> {
  const limit = AbortSignal.timeout(limitMs);
  const either = signal ? AbortSignal.any([signal, limit]) : limit;
  for (;;) {
    signal?.throwIfAborted();
    if (limit.aborted) return false;
    const connection = await connectDevTools(session.cdp_ws_url, either).catch(() => undefined);
    try {
      const version = connection?.send('Browser.getVersion', undefined, { timeout: limitMs }).catch(() => undefined);
      if (connection && (await version)) {
        await act(connection);
        return true;
      }
    } finally {
      connection?.dispose();
    }
    await pause(POLL_MS, either).catch(() => undefined);
  }
}
