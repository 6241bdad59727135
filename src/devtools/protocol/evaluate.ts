import { realClock, type Clock, inTime } from '../../base/clock';
import type { CDPSession } from './connect';

/** How long a page or worker may take to tell a value that it has, in milliseconds (measured: 2 to 60). */
const PEEK_LIMIT_MS = 1000;

/**
 * The value of an expression in a page, promises awaited; rejects when it throws. `userGesture`: the page may do what Chromium allows only
 * after a click; `contextId`: in this execution context of it.
 */
export async function evaluate(
  session: CDPSession,
  expression: string,
  options: { userGesture?: boolean; contextId?: number } = {},
): Promise<unknown> {
  const { result, exceptionDetails } = await session.send('Runtime.evaluate', {
    expression,
    awaitPromise: true,
    returnByValue: true,
    ...options,
  });
  if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
  return result.value as unknown;
}

/**
 * The value that an expression has at once, in a page or worker that may be paused by a debugger: such a one answers (measured: in 2 ms)
 * unless promises are to be awaited. Undefined when it throws, is gone, or does not answer in time, as behind a dialog.
 */
export async function peek(session: CDPSession, expression: string, clock: Clock = realClock): Promise<unknown> {
  const asked = session.send('Runtime.evaluate', { expression, returnByValue: true }).then(
    ({ result, exceptionDetails }) => (exceptionDetails ? undefined : (result.value as unknown)),
    () => undefined,
  );
  return await inTime(asked, PEEK_LIMIT_MS, clock);
}
