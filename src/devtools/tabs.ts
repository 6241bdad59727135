import type { Connection, Protocol } from './connect';
import { evaluate } from './link';

/** A page of the browser: a tab, or an extension page in one. */
export interface Page {
  targetId: string;
  url: string;
}

/** A tab that runs content scripts of an extension. */
export interface ContentScriptTab extends Page {
  isVisible: boolean;
}

/** The open pages of the extension `id` (options, dashboards and the like in tabs). */
export async function listExtensionPages(connection: Connection, id: string): Promise<Page[]> {
  return (await listPages(connection)).filter(({ url }) => url.startsWith(`chrome-extension://${id}/`));
}

/**
 * The tabs in which content scripts of the extension `id` run, found by their execution contexts. Scripts in the page's own
 * world leave no trace of whose they are, so a tab with nothing else is not found.
 */
export async function listContentScriptTabs(connection: Connection, id: string): Promise<ContentScriptTab[]> {
  const pages = (await listPages(connection)).filter(({ url }) => /^(https?|file|data|about):/.test(url));
  const looked = await Promise.all(pages.map((page) => lookAt(connection, page, id).catch(() => undefined)));
  return looked.filter((tab) => tab !== undefined);
}

/** Loads pages again, all at once. One that has gone meanwhile is passed over. */
export async function reloadPages(connection: Connection, pages: readonly Page[]): Promise<void> {
  await Promise.all(
    pages.map((page) => withSession(connection, page, (session) => session.send('Page.reload')).catch(() => undefined)),
  );
}

/** Opens those of `pages` again that a reload of their extension has closed, without taking the focus. */
export async function reopenPages(connection: Connection, pages: readonly Page[]): Promise<void> {
  const open = new Set((await listPages(connection)).map(({ targetId }) => targetId));
  const closed = pages.filter(({ targetId }) => !open.has(targetId));
  await Promise.all(
    closed.map(({ url }) => connection.send('Target.createTarget', { url, background: true }).catch(() => undefined)),
  );
}

async function listPages(connection: Connection): Promise<Page[]> {
  const { targetInfos } = await connection.send('Target.getTargets', { filter: [{ type: 'page' }] });
  return targetInfos.map(({ targetId, url }) => ({ targetId, url }));
}

async function lookAt(connection: Connection, page: Page, id: string): Promise<ContentScriptTab | undefined> {
  return await withSession(connection, page, async (session) => {
    let isOurs = false;
    session.on('Runtime.executionContextCreated', ({ context }: Protocol.Runtime.ExecutionContextCreatedEvent) => {
      isOurs ||= context.origin === `chrome-extension://${id}`;
    });
    // Every context that exists is told before this is answered.
    await session.send('Runtime.enable');
    if (!isOurs) return undefined;
    return { ...page, isVisible: (await evaluate(session, 'document.visibilityState')) === 'visible' };
  });
}

async function withSession<T>(
  connection: Connection,
  { targetId }: Page,
  act: (session: NonNullable<ReturnType<Connection['session']>>) => Promise<T>,
): Promise<T> {
  const { sessionId } = await connection.send('Target.attachToTarget', { targetId, flatten: true });
  const session = connection.session(sessionId);
  if (!session) throw new Error('the page is gone');
  try {
    return await act(session);
  } finally {
    await connection.send('Target.detachFromTarget', { sessionId }).catch(() => undefined);
  }
}
