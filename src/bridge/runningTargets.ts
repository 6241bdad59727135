import { whileAttached } from '../devtools/protocol/attach';
import type { Connection } from '../devtools/protocol/connect';

/** How long a page or worker may take to answer, in milliseconds. */
const TARGET_LIMIT_MS = 2000;

/**
 * Has the requests of these targets answered, which run already: that needs a session of its own for each, which may end (C-FETCH-RUNNING). Shared
 * workers never are (C-FETCH-SHARED). Never rejects.
 */
export async function answerRunning(connection: Connection, targetIds: readonly string[]): Promise<void> {
  await Promise.all(
    targetIds.map((targetId) =>
      whileAttached(connection, targetId, async (session) => {
        await session.send('Fetch.enable', { patterns: [] }, { timeout: TARGET_LIMIT_MS });
        await session.send('Fetch.disable', undefined, { timeout: TARGET_LIMIT_MS });
        // It has gone, is paused by a debugger, or has no such domain.
      }).catch(() => undefined),
    ),
  );
}
