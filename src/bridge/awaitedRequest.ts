import { type Clock, repeat } from '../base/clock';
import { fieldOf } from '../base/fields';
import type { Connection } from '../devtools/protocol/connect';

/** How often the browser is asked whether it still waits for an answer, in milliseconds. */
const ASK_MS = 2000;

/** The error for a request that the browser has no longer (C-FETCH-GONE). */
const GONE = 'Invalid InterceptionId';

/**
 * Calls `answer` with a signal that aborts once the browser no longer waits for the answer to a paused request: its page has cancelled it, or has
 * gone. The browser says so only when it is asked.
 */
export async function whileAwaited<T>(
  connection: Pick<Connection, 'send'>,
  requestId: string,
  clock: Pick<Clock, 'after'>,
  answer: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const gone = new AbortController();
  const asking = repeat(clock, ASK_MS, () => {
    // A request that is still paused has no answer, of which this would be the body: that is another error.
    connection.send('Fetch.getResponseBody', { requestId }).catch((error: unknown) => {
      if (String(fieldOf(error, 'message')).includes(GONE)) gone.abort();
    });
  });
  try {
    return await answer(gone.signal);
  } finally {
    asking.clear();
  }
}
