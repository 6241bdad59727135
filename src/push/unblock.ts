import { connectDevTools, DevToolsError } from '../devtools/connect';
import type { ServiceClient } from '../service/client';
import { ServiceError } from '../service/errors';
import type { Logger } from '../service/log';
import type { BrowserSession } from '../service/model';
import { pause } from '../service/wire/retry';

/** A browser that may stand still before a window. */
export interface Blocked {
  service: ServiceClient;
  session: BrowserSession;
  /** Puts good files where the refused ones lie, or every later start would end the same way. */
  mend: () => Promise<void>;
  log: Logger;
}

/**
 * How it ended: `answers` – DevTools answered, so nothing was done; `unblocked` – it answers again, but was
 * started with the refused files; `silent` – it does not answer, and a new browser is needed.
 */
export type Unblocking = 'answers' | 'unblocked' | 'silent';

/** How long the browser may take to answer when nothing keeps it from doing so, in milliseconds. */
const LOOK_LIMIT_MS = 8000;

/** How long it may take from the key to DevTools, in milliseconds (seen: 500). */
const START_LIMIT_MS = 5000;

const POLL_MS = 250;

/** Chromium shows a window for each folder on its command line that it refuses, one after the other. */
const MAX_WINDOWS = 10;

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
 * Gets a browser going again that stands still before a window because it was started with a folder that it refuses: the
 * window is closed by the Return key, which reaches it by way of the service because no DevTools does. No key is pressed in a
 * browser that answers.
 * @throws ServiceError when no key can be pressed; what `mend` throws; the reason of `signal` when that aborts.
 */
export async function unblock({ service, session, mend, log }: Blocked, signal?: AbortSignal): Promise<Unblocking> {
  if (await reaches(session, LOOK_LIMIT_MS, signal)) return 'answers';
  if (session.headless) return 'silent';
  log.warn(
    'The browser does not answer: it may show a window that says "Error Loading Extension". It is being closed.',
  );
  await mend();
  for (let closed = 0; closed < MAX_WINDOWS; closed++) {
    await service.pressKey(session.session_id, { keys: ['Return'] }, signal);
    if (await reaches(session, START_LIMIT_MS, signal)) return 'unblocked';
  }
  return 'silent';
}

/** Whether DevTools answers within `limitMs`. */
async function reaches(session: BrowserSession, limitMs: number, signal: AbortSignal | undefined): Promise<boolean> {
  const limit = AbortSignal.timeout(limitMs);
  const either = signal ? AbortSignal.any([signal, limit]) : limit;
  for (;;) {
    signal?.throwIfAborted();
    if (limit.aborted) return false;
    const connection = await connectDevTools(session.cdp_ws_url, either).catch(() => undefined);
    const version = connection?.send('Browser.getVersion', undefined, { timeout: limitMs }).catch(() => undefined);
    const hasAnswered = (await version) !== undefined;
    connection?.dispose();
    if (hasAnswered) return true;
    await pause(POLL_MS, either).catch(() => undefined);
  }
}
