import { inTime, type Clock } from '../../base/clock';
import { hasOpenSocket } from '../inPage/objectCalls';
import type { CDPSession } from '../protocol/connect';
import { textOf } from '../protocol/pageCall';

/** How long a page may take to look for its websockets, in milliseconds. */
const LOOK_LIMIT_MS = 5000;

/**
 * Whether a page has a websocket open to a server of its own machine, or of the developer's in its place (C-OBJECTS-QUERY). False when it does not
 * answer in time.
 */
export async function isConnectedToServer(session: CDPSession, clock: Clock): Promise<boolean> {
  return (
    (await inTime(
      hasSocket(session).catch(() => false),
      LOOK_LIMIT_MS,
      clock,
    )) ?? false
  );
}

async function hasSocket(session: CDPSession): Promise<boolean> {
  const { result: prototype } = await session.send('Runtime.evaluate', { expression: 'WebSocket.prototype' });
  const { objects } = await session.send('Runtime.queryObjects', { prototypeObjectId: prototype.objectId ?? '' });
  const { result } = await session.send('Runtime.callFunctionOn', {
    objectId: objects.objectId ?? '',
    functionDeclaration: textOf(hasOpenSocket),
    returnByValue: true,
  });
  return result.value === true;
}
