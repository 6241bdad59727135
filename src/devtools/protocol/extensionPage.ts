import { realClock, type Clock, inTime } from '../../base/clock';
import type { CDPSession, Connection } from './connect';
import { type Answer, evaluate, type Expression } from './evaluate';
import { HiddenPage } from './hiddenPage';

/** How long what is called in such a page may take, in milliseconds. */
const CALL_LIMIT_MS = 5000;

/** There is no page of the extension: it is disabled, was removed, or a policy blocks it. */
export class NotEnabledError extends Error {
  override readonly name = 'NotEnabledError';
}

/**
 * Runs `act` with a hidden page of the extension `id`, and closes it. `file`: see `HiddenPage.open`. Rejects with a NotEnabledError when the extension has no pages now, and
 * with a DevToolsError when the page does not load in time.
 */
export async function withExtensionPage<T>(
  connection: Connection,
  id: string,
  act: (page: CDPSession) => Promise<T>,
  file?: string,
  clock: Clock = realClock,
): Promise<T> {
  const page = await HiddenPage.open(connection, id, file, clock);
  if (!page) throw new NotEnabledError();
  try {
    return await act(page.session);
  } finally {
    // Nobody waits for the answer: a reload of the extension that is sent after it comes after it.
    void page.close();
  }
}

/**
 * The value of a call in a page of an extension, as if the user had clicked there, promises awaited. Rejects when it throws;
 * undefined when there is no answer in time, as while the page shows a dialog.
 */
export async function callWithGesture<E extends Expression>(
  page: CDPSession,
  call: E,
  clock: Clock = realClock,
): Promise<Answer<E> | undefined> {
  return await inTime(evaluate(page, call, { userGesture: true }), CALL_LIMIT_MS, clock);
}
