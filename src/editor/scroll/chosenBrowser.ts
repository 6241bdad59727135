import { ServiceError } from '../../service/errors';
import type { BrowserSession } from '../../service/model';
import type { BrowserParts } from '../browsers/browserParts';

/**
 * The browser that the user has chosen for pushes, while it runs: the only pinned one, or the push target. Undefined when there is none,
 * or when several are pinned; a browser that nobody chose is never returned.
 */
export async function chosenBrowser({
  connection,
  pins,
  target,
  log,
}: BrowserParts): Promise<BrowserSession | undefined> {
  const client = await connection.client();
  const pinned = await pins.findRunning(client, log);
  if (pinned.length > 0) return pinned.length === 1 ? pinned[0] : undefined;
  const { sessionId } = target;
  if (sessionId === undefined) return undefined;
  try {
    const session = await client.getBrowser(sessionId);
    return session.deleted_at ? undefined : session;
  } catch (error) {
    if (error instanceof ServiceError && error.kind === 'notFound') return undefined;
    throw error;
  }
}
