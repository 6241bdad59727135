import type { Connection, Protocol } from './connect';
import { evaluate } from './link';

/** A page that is open in the browser. */
export interface Page {
  targetId: string;
  url: string;
}

/** A tab that runs content scripts of an extension. */
export interface ContentScriptTab extends Page {
  isVisible: boolean;
}

/**
 * What shows a page of an extension: a tab; a frame in somebody else's page; or something of the extension's own, such as its
 * popup, side panel or offscreen document.
 */
export type PageHolder = 'tab' | 'frame' | 'own';

/** A page of an extension that is open. */
export interface ExtensionPage extends Page {
  holder: PageHolder;
}

/** Kinds of targets that are no pages; a `tab` stands for the page in it, which is a target, too. */
const NO_PAGES = ['tab', 'service_worker', 'shared_worker', 'worker', 'browser', 'browser_ui'];

/** The open pages of the extension `id`, wherever they are shown. */
export async function listExtensionPages(connection: Connection, id: string): Promise<ExtensionPage[]> {
  const filter = [...NO_PAGES.map((type) => ({ type, exclude: true })), {}];
  const { targetInfos } = await connection.send('Target.getTargets', { filter });
  const ours = targetInfos.filter(({ url }) => url.startsWith(`chrome-extension://${id}/`));
  return await Promise.all(
    ours.map(async ({ targetId, url, type }) => {
      if (type === 'iframe') return { targetId, url, holder: 'frame' };
      return { targetId, url, holder: type === 'page' && (await isInWindow(connection, targetId)) ? 'tab' : 'own' };
    }),
  );
}

/** Tabs are part of a window; a popup is a page as well, but of none. */
async function isInWindow(connection: Connection, targetId: string): Promise<boolean> {
  return await connection.send('Browser.getWindowForTarget', { targetId }).then(
    () => true,
    () => false,
  );
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

/** Loads tabs again, all at once. One that has gone meanwhile is passed over. */
export async function reloadTabs(connection: Connection, tabs: readonly Page[]): Promise<void> {
  await Promise.all(
    tabs.map((tab) => withSession(connection, tab, (session) => session.send('Page.reload')).catch(() => undefined)),
  );
}

/** Loads pages of an extension again, all at once. One that has gone meanwhile is passed over. */
export async function reloadExtensionPages(connection: Connection, pages: readonly ExtensionPage[]): Promise<void> {
  const frames = pages.filter(({ holder }) => holder === 'frame');
  await Promise.all([
    reloadTabs(
      connection,
      pages.filter(({ holder }) => holder !== 'frame'),
    ),
    // A frame has no command of its own for it.
    ...frames.map((frame) =>
      withSession(connection, frame, (session) => evaluate(session, 'location.reload()')).catch(() => undefined),
    ),
  ]);
}

/**
 * Opens the tabs of `pages` again that a reload of their extension has closed, without taking the focus. What the extension
 * shows in places of its own is for its code or its user to open.
 */
export async function reopenTabs(connection: Connection, pages: readonly ExtensionPage[]): Promise<void> {
  const open = new Set((await listPages(connection)).map(({ targetId }) => targetId));
  const closed = pages.filter(({ targetId, holder }) => holder === 'tab' && !open.has(targetId));
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
