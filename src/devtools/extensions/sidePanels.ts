import { type Clock, inTime } from '../../base/clock';
import type { CDPSession } from '../protocol/connect';
import { evaluate } from '../protocol/evaluate';
import { callWithGesture, withExtensionPage } from '../protocol/extensionPage';
import type { BrowserLink } from '../connection/link';
import { type ExtensionPage, type HeldPage, holdPages } from '../pages/tabs';

/** How long a page may take to answer, in milliseconds (measured: 10 to 60). */
const ANSWER_LIMIT_MS = 1000;

/** How long after its opening a panel may take the focus, in milliseconds (measured: at once; on a busy machine a little later). */
const FOCUS_LIMIT_MS = 300;

/**
 * Runs in a page of the extension: what opens it again, in JSON, when it is a side panel that a window shows. One that belongs to a tab
 * behind the tab in front is not shown. In a window that is covered, all its pages are hidden.
 */
const HOW_TO_OPEN = `(async () => {
  const url = location.href;
  if (!chrome.sidePanel?.open) return undefined;
  const panels = await chrome.runtime.getContexts({ contextTypes: ['SIDE_PANEL'], documentUrls: [url] });
  if (panels.length === 0) return undefined;
  const tabs = await chrome.tabs.query({ currentWindow: true });
  const options = await Promise.all(tabs.map(({ id }) => chrome.sidePanel.getOptions({ tabId: id })));
  const isOfOtherTab = ({ active }, at) => !active && options[at].tabId !== undefined;
  if (document.visibilityState !== 'visible' && tabs.some(isOfOtherTab)) return undefined;
  const front = tabs.findIndex(({ active }) => active);
  const { windowId } = tabs[front];
  const { tabId, path } = options[front];
  const isOfManifest = tabId === undefined && path === chrome.runtime.getManifest().side_panel?.default_path;
  return JSON.stringify({ url, windowId, options: options[front], isOfManifest, hadFocus: document.hasFocus() });
})()`;

/** In a page of the extension: finds the side panel of it that a window shows. */
const SHOWN_IN = `(windowId) => {
  const { extension } = chrome;
  const others = [...extension.getViews({ type: 'tab' }), ...extension.getViews({ type: 'popup' })];
  return extension.getViews({ windowId }).find((view) => !others.includes(view));
}`;

/** In a page of the extension: waits until a window shows a side panel of it, and resolves to that, if it comes in time. */
export const PANEL_SHOWN_IN = `async (windowId) => {
  const shownIn = ${SHOWN_IN};
  let view = shownIn(windowId);
  for (const end = performance.now() + ${ANSWER_LIMIT_MS}; !view && performance.now() < end; view = shownIn(windowId)) {
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  return view;
}`;

/**
 * Runs in a page of the extension, as if the user had clicked there; resolves to the reasons why panels are not open, and whether an
 * opened one took the focus. Options that were set at run time end with a reload: those that the new worker has not set again are set here.
 * Of the address, the hash alone comes back, for which the panel is not loaded a second time: when a panel closes that was, Chromium brings
 * its window to the front.
 */
const OPEN = `async (panels, isPageFocused) => {
  const { sidePanel, runtime } = chrome;
  const takesFocus = async ({ document }) => {
    for (const end = performance.now() + ${FOCUS_LIMIT_MS}; performance.now() < end; ) {
      if (document.hasFocus()) return true;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    return false;
  };
  const shownIn = ${SHOWN_IN};
  const { default_path } = runtime.getManifest().side_panel ?? {};
  const refusals = [];
  let tookFocus = false;
  for (const panel of panels) {
    try {
      const { url, windowId, options, isOfManifest, hadFocus } = JSON.parse(panel);
      // The extension or the user was faster.
      if (shownIn(windowId)) continue;
      const { tabId } = options;
      const now = await sidePanel.getOptions({ tabId });
      const isUnset = tabId === undefined ? now.path === default_path && now.enabled !== false : now.tabId === undefined;
      if (isUnset && !isOfManifest) await sidePanel.setOptions(options);
      await sidePanel.open(tabId === undefined ? { windowId } : { tabId });
      const view = await (${PANEL_SHOWN_IN})(windowId);
      if (!view) throw new Error('it did not appear');
      if (isPageFocused && !hadFocus) tookFocus ||= await takesFocus(view);
      const [page, hash] = url.split('#');
      if (hash !== undefined && view.location.href === page) view.location.replace(url);
    } catch (error) {
      refusals.push(error.message);
    }
  }
  return { refusals, tookFocus };
}`;

/** A side panel of an extension, shown in a window. */
export interface SidePanel {
  targetId: string;
  /** What opens it again, in JSON. */
  howToOpen: string;
}

/** The side panels among the open pages of an extension, as far as windows show them. */
export async function shownSidePanels(
  { connection, clock }: BrowserLink,
  pages: readonly ExtensionPage[],
): Promise<SidePanel[]> {
  const held = await holdPages(
    connection,
    pages.filter(({ holder }) => holder === 'own'),
  );
  const panels = await Promise.all(
    held.map(async ({ page: { targetId }, held }) => {
      const howToOpen = await answerOf(evaluate(held.session, HOW_TO_OPEN), clock);
      void held.release();
      return typeof howToOpen === 'string' ? [{ targetId, howToOpen }] : [];
    }),
  );
  return panels.flat();
}

/** Those of `panels` that are still open. */
export async function stillOpen({ targets }: BrowserLink, panels: readonly SidePanel[]): Promise<SidePanel[]> {
  if (panels.length === 0) return [];
  const open = new Set((await targets.list()).map(({ targetId }) => targetId));
  return panels.filter(({ targetId }) => open.has(targetId));
}

/**
 * Opens side panels of the extension `id` again, which a reload has closed, without taking the focus. Chromium allows that to a page of the
 * extension, which is a hidden one here. Resolves to the reasons why some are not open; rejects when there is no such page.
 */
export async function reopenSidePanels(
  link: BrowserLink,
  id: string,
  panels: readonly SidePanel[],
): Promise<readonly string[]> {
  if (panels.length === 0) return [];
  const { connection, clock } = link;
  const focusing = focusedPage(link);
  try {
    const open = async (page: CDPSession): Promise<readonly string[]> => {
      const list = JSON.stringify(panels.map(({ howToOpen }) => howToOpen));
      const focused = await focusing;
      const answer = await callWithGesture(page, `(${OPEN})(${list}, ${focused !== undefined})`, clock);
      if (typeof answer !== 'object' || answer === null) return ['it takes too long'];
      // The window is in front, so this raises no other.
      if ('tookFocus' in answer && answer.tookFocus === true) await focused?.session.send('Page.bringToFront');
      const refusals: unknown = 'refusals' in answer ? answer.refusals : [];
      return Array.isArray(refusals) ? refusals.map(String) : [];
    };
    return await withExtensionPage(connection, id, open, undefined, clock);
  } finally {
    await focusing.then(
      (focused) => focused?.release(),
      () => undefined,
    );
  }
}

/** The page in which the user types, in a tab of the window in front. Release it. */
async function focusedPage({ connection, targets, clock }: BrowserLink): Promise<HeldPage | undefined> {
  const pages = (await targets.list()).filter(({ type }) => type === 'page');
  const held = (await holdPages(connection, pages)).map(({ held }) => held);
  const focus = await Promise.all(held.map((page) => answerOf(hasFocus(page), clock)));
  const focused = held.find((_page, at) => focus[at] === true);
  for (const page of held) if (page !== focused) void page.release();
  return focused;
}

/** Asks in a world of its own: scripts of a page may pretend that it has the focus. */
async function hasFocus({ page, session }: HeldPage): Promise<unknown> {
  const { executionContextId } = await session.send('Page.createIsolatedWorld', { frameId: page.targetId });
  return await evaluate(session, 'document.hasFocus()', { contextId: executionContextId });
}

/** The answer of a page; undefined when there is none in time. */
async function answerOf(answer: Promise<unknown>, clock: Clock): Promise<unknown> {
  return await inTime(
    answer.catch(() => undefined),
    ANSWER_LIMIT_MS,
    clock,
  );
}
