import * as l10n from '@vscode/l10n';
import type { Clock } from '../../base/clock';
import { connectDevTools, type Connection, DevToolsError } from '../../devtools/protocol/connect';
import { LoadRefusedError } from '../../devtools/protocol/loadRefused';
import { devToolsAddress } from '../../service/devToolsAddress';
import { ServiceError } from '../../service/serviceErrors';
import type { Browser } from '../../service/model';
import type { InBrowser } from '../browserDelivery';

/**
 * The result: `answers` – DevTools answered, so nothing was done; `unblocked` – DevTools answers again, but the browser was
 * started with the refused files; `silent` – DevTools does not answer, and a new browser is needed.
 */
export type Unblocking = 'answers' | 'unblocked' | 'silent';

/** How long a browser that is not blocked may take to answer, in milliseconds. */
const ANSWER_LIMIT_MS = 8000;

/** How long DevTools may take to answer after the key press, in milliseconds (C-TIME-DIALOG). */
const START_LIMIT_MS = 5000;

const POLL_MS = 250;

/** There is one dialog after the other (C-START-DIALOG). */
const MAX_DIALOGS = 10;

/**
 * Whether a push may have failed because the browser is blocked by a modal dialog: a headful one shows "Error Loading Extension"
 * and opens DevTools only after somebody has closed the dialog.
 */
export function mayBeBlocked(browser: Browser, error: unknown): boolean {
  if (browser.headless) return false;
  if (error instanceof DevToolsError) return true;
  return error instanceof ServiceError && error.operation === 'uploadExtensionsToBrowser' && error.mayHaveHappened;
}

/**
 * Unblocks a browser that shows a modal dialog because it was started with a folder that it refuses: the Return key closes the
 * dialog, and the service presses it because DevTools is not reachable. No key is pressed in a browser that answers. `restoreFiles` replaces
 * the refused files by good ones, or every later start would be blocked again.
 * @throws ServiceError when no key can be pressed; what `restoreFiles` throws; the reason of `signal` when that aborts.
 */
export async function unblock(
  { service, browser, connections: { wiring }, log }: InBrowser,
  restoreFiles: () => Promise<void>,
  signal?: AbortSignal,
): Promise<Unblocking> {
  const connect = async (within: AbortSignal): Promise<Connection> =>
    await connectDevTools(devToolsAddress(browser.devToolsUrl, service.baseUrl), within, undefined, wiring.open);
  if (await reaches(connect, ANSWER_LIMIT_MS, signal, wiring.clock)) return 'answers';
  if (browser.headless) return 'silent';
  log.warn('The browser does not answer; it may show the dialog "Error Loading Extension". Closing that dialog.');
  await restoreFiles();
  for (let closed = 0; closed < MAX_DIALOGS; closed++) {
    await service.pressKey(browser.id, { keys: ['Return'] }, signal);
    if (await reaches(connect, START_LIMIT_MS, signal, wiring.clock)) return 'unblocked';
  }
  return 'silent';
}

/**
 * Resolves when a browser answers after all that has failed with `error` after it was restarted for a build. See {@link unblock}.
 * @throws LoadRefusedError when it has shown a dialog, which is the refusal of the build; else `error`
 */
export async function unblockAfter(
  error: unknown,
  to: InBrowser,
  restoreFiles: () => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const end = mayBeBlocked(to.browser, error) ? await unblock(to, restoreFiles, signal) : 'silent';
  if (end === 'silent') throw error;
  if (end === 'unblocked')
    throw new LoadRefusedError(l10n.t('it showed the dialog "Error Loading Extension", which was closed'));
}

/** Whether DevTools answers within `limitMs`. */
async function reaches(
  connect: (within: AbortSignal) => Promise<Connection>,
  limitMs: number,
  signal: AbortSignal | undefined,
  clock: Clock,
): Promise<boolean> {
  const end = clock.now() + limitMs;
  const limit = AbortSignal.timeout(limitMs);
  const either = signal ? AbortSignal.any([signal, limit]) : limit;
  for (;;) {
    signal?.throwIfAborted();
    if (limit.aborted || clock.now() >= end) return false;
    const connection = await connect(either).catch(() => undefined);
    const version = connection?.send('Browser.getVersion', undefined, { timeout: limitMs }).catch(() => undefined);
    const hasAnswered = (await version) !== undefined;
    connection?.dispose();
    if (hasAnswered) return true;
    await clock.delay(POLL_MS, { signal: either }).catch(() => undefined);
  }
}
