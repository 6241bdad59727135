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
 * Where a page of an extension is shown: in a tab; in a frame of another page; or in a surface of the extension, such as its popup,
 * side panel or offscreen document.
 */
export type PageHolder = 'tab' | 'frame' | 'own';

/** An open page of an extension. */
export interface ExtensionPage extends Page {
  holder: PageHolder;
}

/** An open tab of the browser. */
export interface Tab extends Page {
  /** Empty while the page has none. */
  title: string;
}

/** The tabs of the browser, without popups of extensions and hidden pages. */
export async function listTabs(connection: Connection): Promise<Tab[]> {
  const { targetInfos } = await connection.send('Target.getTargets', { filter: [{ type: 'page' }] });
  const tabs = await Promise.all(
    targetInfos.map(async ({ targetId, url, title }) =>
      (await isInWindow(connection, targetId)) ? [{ targetId, url, title }] : [],
    ),
  );
  return tabs.flat();
}

/** Pages that nobody misses. */
const BLANK_PAGE = /^(?:about:blank|chrome:\/\/(?:newtab|new-tab-page)(?:\/|$))/;

/** Whether a page shows nothing of anybody. */
export function isBlank({ url }: Page): boolean {
  return BLANK_PAGE.test(url);
}

/** Opens an address in a blank tab if there is one, else in a new one, and brings it to the front. */
export async function openTab(connection: Connection, url: string): Promise<void> {
  const blank = (await listTabs(connection)).find(isBlank);
  if (!blank) {
    await connection.send('Target.createTarget', { url });
    return;
  }
  await withSession(connection, blank, (session) => session.send('Page.navigate', { url }));
  await showTab(connection, blank);
}

/** Brings a tab to the front of its window; rejects when it was closed meanwhile. */
export async function showTab(connection: Connection, { targetId }: Page): Promise<void> {
  await connection.send('Target.activateTarget', { targetId });
}

/** Closes a tab; rejects when it was closed meanwhile. */
export async function closeTab(connection: Connection, { targetId }: Page): Promise<void> {
  await connection.send('Target.closeTarget', { targetId });
}

/** Types of targets that are not pages; the page in a `tab` is a target of its own. */
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

/** Tabs belong to a window; a popup is a page, too, but belongs to none. */
async function isInWindow(connection: Connection, targetId: string): Promise<boolean> {
  return await connection.send('Browser.getWindowForTarget', { targetId }).then(
    () => true,
    () => false,
  );
}

/**
 * The tabs in which content scripts of the extension `id` run, found by their execution contexts. A script in the main world
 * does not show whose it is, so a tab with no other content script is not found.
 */
export async function listContentScriptTabs(connection: Connection, id: string): Promise<ContentScriptTab[]> {
  const pages = (await listPages(connection)).filter(({ url }) => /^(https?|file|data|about):/.test(url));
  const looked = await Promise.all(pages.map((page) => lookAt(connection, page, id).catch(() => undefined)));
  return looked.filter((tab) => tab !== undefined);
}

/** Reloads tabs, all at once. Tabs that were closed meanwhile are skipped. */
export async function reloadTabs(connection: Connection, tabs: readonly Page[]): Promise<void> {
  await Promise.all(
    tabs.map((tab) => withSession(connection, tab, (session) => session.send('Page.reload')).catch(() => undefined)),
  );
}

/** Reloads pages of an extension, all at once. Pages that were closed meanwhile are skipped. */
export async function reloadExtensionPages(connection: Connection, pages: readonly ExtensionPage[]): Promise<void> {
  const frames = pages.filter(({ holder }) => holder === 'frame');
  await Promise.all([
    reloadTabs(
      connection,
      pages.filter(({ holder }) => holder !== 'frame'),
    ),
    // There is no command that reloads a single frame.
    ...frames.map((frame) =>
      withSession(connection, frame, (session) => evaluate(session, 'location.reload()')).catch(() => undefined),
    ),
  ]);
}

/**
 * Reopens the tabs of `pages` that a reload of their extension has closed, without taking the focus. Surfaces of the extension,
 * such as its popup, are for its code or its user to open.
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
    // The events of all existing contexts come before the answer.
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
