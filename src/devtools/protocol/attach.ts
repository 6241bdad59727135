import type { CDPSession, Connection } from './connect';

/** How a browser attaches to targets by itself, of which each session runs on at once; a filter says to which. */
export const AUTO_ATTACH = { autoAttach: true, waitForDebuggerOnStart: false, flatten: true };

/** The attachments that are under way on a connection, by target; each resolves to its session's id, or to undefined when it has failed. */
const underWay = new WeakMap<Connection, Map<string, Set<Promise<string | undefined>>>>();

/**
 * Attaches to a target over a session of its own. Resolves to undefined when the target has gone at once, and rejects when the browser
 * has no such target. A worker that is attached to never stops: detach from it as soon as possible.
 */
export async function attach(connection: Connection, targetId: string): Promise<CDPSession | undefined> {
  const answer = connection.send('Target.attachToTarget', { targetId, flatten: true });
  const ofConnection = underWay.get(connection) ?? new Map<string, Set<Promise<string | undefined>>>();
  underWay.set(connection, ofConnection);
  const ofTarget = ofConnection.get(targetId) ?? new Set();
  ofConnection.set(targetId, ofTarget);
  const sessionId = answer.then(
    (result) => result.sessionId,
    () => undefined,
  );
  ofTarget.add(sessionId);
  try {
    return connection.session((await answer).sessionId) ?? undefined;
  } finally {
    ofTarget.delete(sessionId);
    if (ofTarget.size === 0) ofConnection.delete(targetId);
  }
}

/**
 * Attaches to a target for as long as `act` takes. Resolves to undefined when the target has gone at once, and rejects as {@link attach} and
 * `act` do.
 */
export async function whileAttached<T>(
  connection: Connection,
  targetId: string,
  act: (session: CDPSession) => Promise<T>,
): Promise<T | undefined> {
  const session = await attach(connection, targetId);
  try {
    return session && (await act(session));
  } finally {
    await session?.detach().catch(() => undefined);
  }
}

/** Closes a target, if it is there. Never rejects. */
export async function closeTarget(connection: Connection, targetId: string): Promise<void> {
  await connection.send('Target.closeTarget', { targetId }).catch(() => undefined);
}

/**
 * Whether {@link attach} has made the session that a `Target.attachedToTarget` event is about, and not Chromium by itself. To be asked in the event
 * (C-ATTACH-EVENT); resolves when the answer to the command has come.
 */
export async function isAsked(connection: Connection, targetId: string, sessionId: string): Promise<boolean> {
  const ofTarget = underWay.get(connection)?.get(targetId);
  return ofTarget !== undefined && (await Promise.all(ofTarget)).includes(sessionId);
}

/** Whether an attachment to the target is under way, so that {@link isAsked} can be true. */
export function isAttaching(connection: Connection, targetId: string): boolean {
  return underWay.get(connection)?.has(targetId) === true;
}
