import { setTimeout as delay } from 'node:timers/promises';
import { succeeds } from '../../base/succeeds';
import { inTime } from '../../base/clock';
import { pageState } from '../inPage/pageCalls';
import { attach } from '../protocol/attach';
import type { CDPSession, Connection, Protocol } from '../protocol/connect';
import { evaluate, peek } from '../protocol/evaluate';
import { extensionOf } from '../protocol/extensionUrl';
import { isHiddenPage } from '../protocol/hiddenPage';
import { callOf } from '../protocol/pageCall';
import type { BrowserLink } from '../connection/link';

/** How long a page may take to report its execution contexts before others go on without it, in milliseconds. */
export const ANSWER_LIMIT_MS = 1000;

/** How often a tab is asked to close, and how long it may take each time, in milliseconds (C-TIME-CLOSE). */
const CLOSE_ATTEMPTS = 4;
const CLOSE_LIMIT_MS = 500;

/** A page that is open in the browser. */
export interface Page {
  targetId: string;
  url: string;
}

/** A page that is attached to, so that it can be reloaded without asking for it first. Release it. */
export class HeldPage {
  private constructor(
    readonly page: Page,
    readonly session: CDPSession,
  ) {}

  /** Rejects when the page was closed meanwhile. */
  static async hold(connection: Connection, page: Page): Promise<HeldPage> {
    const session = await attach(connection, page.targetId);
    if (!session) throw new Error('the page is gone');
    return new HeldPage(page, session);
  }

  /** Does nothing for a page that was closed meanwhile. */
  async reload(): Promise<void> {
    await this.session.send('Page.reload').catch(() => this.reloadFrame());
  }

  /** Reloads a frame of another process, for which there is no command; does nothing for one that is gone. */
  async reloadFrame(): Promise<void> {
    await peek(this.session, 'location.reload()');
  }

  async release(): Promise<void> {
    await this.session.detach().catch(() => undefined);
  }
}

/** A tab that runs content scripts of an extension, or will when its page has loaded. */
export interface ContentScriptTab {
  held: HeldPage;
  isVisible: boolean;
  /** Whether its page loads, so that it has none of the scripts yet. */
  isLoading: boolean;
}

/**
 * Where a page of an extension is shown: in a tab; in a frame of another page; in the extension's popup or side panel; or nowhere, as an
 * offscreen document.
 */
export type PageHolder = 'tab' | 'frame' | 'own' | 'none';

/** An open page of an extension. */
export interface ExtensionPage extends Page {
  holder: PageHolder;
}

/** An open tab of the browser. */
export interface Tab extends Page {
  /** Empty while the page has none. */
  title: string;
}

/**
 * The tabs of the browser, without popups of extensions and hidden pages: in Chromium's order those that were open before the connection, then
 * the others in the order in which they were opened. The order of targets changes with the active tab (C-TAB-ORDER).
 */
export async function listTabs({ connection, targets }: Pick<BrowserLink, 'connection' | 'targets'>): Promise<Tab[]> {
  const [{ targetInfos }, known] = await Promise.all([
    // For the titles, which `targets` does not keep up to date.
    connection.send('Target.getTargets', { filter: [{ type: 'page' }] }),
    targets.list(),
  ]);
  const ids = known.map(({ targetId }) => targetId);
  const placeOf = ({ targetId }: Page): number => {
    const at = ids.indexOf(targetId);
    return at < 0 ? ids.length : at;
  };
  const tabs = await Promise.all(
    targetInfos.map(async ({ targetId, url, title }) =>
      (await isInWindow(connection, targetId)) ? [{ targetId, url, title }] : [],
    ),
  );
  return tabs.flat().sort((a, b) => placeOf(a) - placeOf(b));
}

/** Pages that nobody misses. */
const BLANK_PAGE = /^(?:about:blank|chrome:\/\/(?:newtab|new-tab-page)(?:\/|$))/;

/** Whether a page shows nothing of anybody. */
export function isBlank({ url }: Page): boolean {
  return BLANK_PAGE.test(url);
}

/** Opens an address in a blank tab if there is one, else in a new one, and brings it to the front; resolves to that tab. */
export async function openTab(link: BrowserLink, url: string): Promise<Page> {
  const { connection } = link;
  const blank = (await listTabs(link)).find(isBlank);
  if (!blank) {
    const { debuggers } = link;
    // Chromium does not hold a page for debuggers that is opened with its address (C-ATTACH-OPENED).
    const { targetId } = await connection.send('Target.createTarget', { url: debuggers.isEmpty ? url : 'about:blank' });
    if (debuggers.isEmpty) return { targetId, url };
    await debuggers.untilReady(targetId);
    await navigate(connection, { targetId, url }, url);
    return { targetId, url };
  }
  await navigate(connection, blank, url);
  await showTab(connection, blank);
  return { targetId: blank.targetId, url };
}

/** Brings a tab to the front of its window; rejects when it was closed meanwhile. */
export async function showTab(connection: Connection, { targetId }: Page): Promise<void> {
  await connection.send('Target.activateTarget', { targetId });
}

/** Closes a tab; rejects when it was closed meanwhile. A page that is being loaded may not be closed (C-TAB-CLOSE): then it is asked for again. */
export async function closeTab(connection: Connection, { targetId }: Page): Promise<void> {
  const closed = new AbortController();
  const onDestroyed = (event: Protocol.Target.TargetDestroyedEvent): void => {
    if (event.targetId === targetId) closed.abort();
  };
  connection.on('Target.targetDestroyed', onDestroyed);
  try {
    await connection.send('Target.closeTarget', { targetId });
    for (let attempt = 1; attempt < CLOSE_ATTEMPTS; attempt++) {
      await delay(CLOSE_LIMIT_MS, undefined, { ref: false, signal: closed.signal }).catch(() => undefined);
      if (closed.signal.aborted) return;
      const isThere = await connection.send('Target.closeTarget', { targetId }).catch(() => undefined);
      if (!isThere) return;
    }
  } finally {
    connection.off('Target.targetDestroyed', onDestroyed);
  }
}

/** Types of targets that are not pages. */
const NO_PAGES = ['service_worker', 'shared_worker', 'worker', 'browser_ui'];

/** The open pages of the extension `id`, wherever they are shown, without Sideload's own. */
export async function listExtensionPages(
  { connection, targets, processes }: Pick<BrowserLink, 'connection' | 'targets' | 'processes'>,
  id: string,
): Promise<ExtensionPage[]> {
  const isOurs = ({ type, url }: Protocol.Target.TargetInfo): boolean =>
    !NO_PAGES.includes(type) && extensionOf(url) === id && !isHiddenPage(url);
  const ours = (await targets.list()).filter((info) => isOurs(info) && !processes.holds(info.targetId));
  return await Promise.all(
    ours.map(async ({ targetId, url, type }) => {
      return { targetId, url, holder: await holderOf(connection, { targetId, type }) };
    }),
  );
}

/** Where a page of an extension is shown, by its target. */
export async function holderOf(
  connection: Connection,
  { targetId, type }: Pick<Protocol.Target.TargetInfo, 'targetId' | 'type'>,
): Promise<PageHolder> {
  if (type === 'iframe') return 'frame';
  if (type !== 'page') return 'none';
  return (await isInWindow(connection, targetId)) ? 'tab' : 'own';
}

/** Tabs belong to a window; a popup is a page, too, but belongs to none. */
export async function isInWindow(connection: Connection, targetId: string): Promise<boolean> {
  return await succeeds(connection.send('Browser.getWindowForTarget', { targetId }));
}

/** Where the content scripts of a manifest run. */
export interface ScriptPages {
  /** Whether it names content scripts for a page; the path of its address does not count, which may change without a load. */
  runsAt: (url: string) => boolean;
  /** Whether they run in a page that is loaded at this address, for which `runsAt` holds, too. */
  matches: (url: string) => boolean;
}

/**
 * Attaches to the tabs in which content scripts of the extension `id` run, found by their execution contexts. A script in the main
 * world does not show whose it is, so a tab with no other content script is found by `matches` alone. Tabs with other addresses are left out.
 * Where a page that `runsAt` holds for still loads, its scripts may run in a moment, and it counts, too. `id` is undefined of an extension that is not
 * loaded yet.
 */
export async function holdContentScriptTabs(
  link: Pick<BrowserLink, 'connection' | 'targets' | 'clock'>,
  id: string | undefined,
  where: ScriptPages = { runsAt: () => false, matches: () => false },
): Promise<ContentScriptTab[]> {
  const pages = (await webPages(link)).map((page) => contentScriptTabOf(link, page, id, where).catch(() => undefined));
  return (await Promise.all(pages)).filter((tab) => tab !== undefined);
}

/** The pages that content scripts can run in, in the order of `targets`. */
export async function webPages({ targets }: Pick<BrowserLink, 'targets'>): Promise<Page[]> {
  const pages = (await targets.list()).filter(
    ({ type, url }) => type === 'page' && /^(https?|file|data|about):/.test(url),
  );
  return pages.map(({ targetId, url }) => ({ targetId, url }));
}

/** Attaches to pages; those that were closed meanwhile are left out. */
export async function holdPages<T extends Page>(
  connection: Connection,
  pages: readonly T[],
): Promise<{ page: T; held: HeldPage }[]> {
  const held = await Promise.all(
    pages.map(async (page) => ({ page, held: await HeldPage.hold(connection, page).catch(() => undefined) })),
  );
  return held.flatMap(({ page, held }) => (held ? [{ page, held }] : []));
}

/** Reloads tabs, all at once. Tabs that were closed meanwhile are skipped. */
export async function reloadTabs(connection: Connection, tabs: readonly Page[]): Promise<void> {
  const held = await holdPages(connection, tabs);
  await Promise.all(
    held.map(async ({ held }) => {
      try {
        await held.reload();
      } finally {
        await held.release();
      }
    }),
  );
}

/**
 * Reopens the tabs of `pages` that a reload of their extension has closed, without taking the focus. The last tab of a window was not closed, but
 * shows a blank page (C-RELOAD-CLOSES-TABS). Side panels are reopened by `reopenSidePanels`, popups not at all.
 */
export async function reopenTabs(connection: Connection, pages: readonly ExtensionPage[]): Promise<void> {
  const tabs = pages.filter(({ holder }) => holder === 'tab');
  if (tabs.length === 0) return;
  const { targetInfos } = await connection.send('Target.getTargets', { filter: [{ type: 'page' }] });
  const open = new Map(targetInfos.map((target) => [target.targetId, target]));
  await Promise.all(
    tabs.map(async ({ targetId, url }) => {
      const target = open.get(targetId);
      if (target && !isBlank(target)) return;
      const reopening = target
        ? navigate(connection, target, url)
        : connection.send('Target.createTarget', { url, background: true });
      await reopening.catch(() => undefined);
    }),
  );
}

async function navigate(connection: Connection, page: Page, url: string): Promise<void> {
  const held = await HeldPage.hold(connection, page);
  try {
    await held.session.send('Page.navigate', { url });
  } finally {
    await held.release();
  }
}

/**
 * What a page says of itself: whether it can be seen, and whether content scripts of the extension `id` run in it. Resolves when it answers, which
 * one does not as long as its thread is busy, or a dialog is open. Rejects when it was closed.
 */
export async function untilAnswered(
  { session }: HeldPage,
  id: string,
): Promise<Pick<ContentScriptTab, 'isVisible'> & { isOurs: boolean }> {
  const scripts = followScripts(session, id);
  const asked = evaluate(session, callOf(pageState));
  const [{ isVisible }] = await Promise.all([asked, session.send('Runtime.enable')]);
  return { isVisible, isOurs: scripts.isOurs };
}

/** Notes whether scripts of the extension `id` run in a page: once `Runtime.enable` is answered, which comes after the events of all contexts. */
function followScripts(session: CDPSession, id: string | undefined): { readonly isOurs: boolean } {
  const scripts = { isOurs: false };
  session.on('Runtime.executionContextCreated', ({ context }: Protocol.Runtime.ExecutionContextCreatedEvent) => {
    scripts.isOurs ||= id !== undefined && context.origin === `chrome-extension://${id}`;
  });
  return scripts;
}

async function contentScriptTabOf(
  { connection, clock }: Pick<BrowserLink, 'connection' | 'clock'>,
  page: Page,
  id: string | undefined,
  { runsAt, matches }: ScriptPages,
): Promise<ContentScriptTab | undefined> {
  if (id === undefined && !runsAt(page.url)) return undefined;
  const held = await HeldPage.hold(connection, page);
  try {
    const { session } = held;
    const scripts = followScripts(session, id);
    const asked = peek(session, callOf(pageState), clock);
    // A page of others may never answer, such as one that shows a dialog.
    await inTime(session.send('Runtime.enable'), ANSWER_LIMIT_MS, clock);
    const { isOurs } = scripts;
    const state = isOurs || runsAt(page.url) ? await asked : undefined;
    const isLoading = !isOurs && state !== undefined && state.readyState !== 'complete';
    // One that does not answer is asked again later.
    const isNamed = state !== undefined && matches(page.url);
    if (isOurs || isLoading || isNamed) return { held, isVisible: state?.isVisible === true, isLoading };
  } catch {
    // Closed meanwhile.
  }
  void held.release();
  return undefined;
}
