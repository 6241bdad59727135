import { attach } from './attach';
import { onDisconnected, type CDPSession, type Protocol } from './connect';

/** How the watch of a document has ended: another one took its place or its tab was closed, or the connection was lost and nothing is known. */
export type DocumentEnd = 'left' | 'unknown';

/**
 * Watches the document that the page of a session shows, over a session of its own, which lasts when nobody looks at the page any more.
 * Undefined when the page is gone, or the connection. `ended` never rejects.
 */
export async function watchDocument(
  page: CDPSession,
  targetId: string,
): Promise<{ ended: Promise<DocumentEnd> } | undefined> {
  const connection = page.connection();
  if (!connection) return undefined;
  try {
    const session = await attach(connection, targetId);
    if (!session) return undefined;
    const ended = new Promise<DocumentEnd>((resolve) => {
      // Within a document, an address changes by another event.
      session.on('Page.frameNavigated', ({ frame }: Protocol.Page.FrameNavigatedEvent) => {
        if (frame.parentId !== undefined) return;
        resolve('left');
        void session.detach().catch(() => undefined);
      });
      connection.on('Target.detachedFromTarget', (event: Protocol.Target.DetachedFromTargetEvent) => {
        if (event.sessionId === session.id()) resolve('left');
      });
      onDisconnected(connection, () => resolve('unknown'));
    });
    await session.send('Page.enable');
    return { ended };
  } catch {
    return undefined;
  }
}
