import type { ExtensionApi, ExtensionView, PanelOptions } from './chromeApi';

declare const chrome: ExtensionApi;
declare const document: { visibilityState: string; hasFocus(): boolean };
declare const location: { href: string };

/** What opens a side panel again, in JSON. */
export interface HowToOpen {
  url: string;
  windowId: number;
  options: PanelOptions;
  /** Whether the options are those of the manifest. */
  isOfManifest: boolean;
  hadFocus: boolean;
}

/**
 * In a page of the extension: what opens it again, as {@link HowToOpen} in JSON, when it is a side panel that a window shows. One that belongs to
 * a tab behind the tab in front is not shown. In a window that is covered, all its pages are hidden.
 */
export async function howToOpen(): Promise<string | undefined> {
  const { runtime, sidePanel, tabs } = chrome;
  const url = location.href;
  if (!sidePanel?.open) return undefined;
  const panels = await runtime.getContexts({ contextTypes: ['SIDE_PANEL'], documentUrls: [url] });
  if (panels.length === 0) return undefined;
  const found = await tabs.query({ currentWindow: true });
  const ofTabs = await Promise.all(
    found.map(async (tab) => ({ tab, options: await sidePanel.getOptions({ tabId: tab.id }) })),
  );
  const isOfOtherTab = ofTabs.some(({ tab, options }) => !tab.active && options.tabId !== undefined);
  if (document.visibilityState !== 'visible' && isOfOtherTab) return undefined;
  const front = ofTabs.find(({ tab }) => tab.active);
  if (!front) return undefined;
  const { tab, options } = front;
  const isOfManifest = options.tabId === undefined && options.path === runtime.getManifest().side_panel?.default_path;
  const how: HowToOpen = { url, windowId: tab.windowId, options, isOfManifest, hadFocus: document.hasFocus() };
  return JSON.stringify(how);
}

/** In a page of the extension: the side panel of it that a window shows. */
export function shownPanel(windowId: number): ExtensionView | undefined {
  const { extension } = chrome;
  const others = [...extension.getViews({ type: 'tab' }), ...extension.getViews({ type: 'popup' })];
  return extension.getViews({ windowId }).find((view) => !others.includes(view));
}

/** In a page of the extension: waits until a window shows a side panel of it, and resolves to that, if it comes within `limitMs` milliseconds. */
export async function panelInTime(
  shown: typeof shownPanel,
  windowId: number,
  limitMs: number,
): Promise<ExtensionView | undefined> {
  let view = shown(windowId);
  for (const end = performance.now() + limitMs; !view && performance.now() < end; view = shown(windowId)) {
    await new Promise((resolve) => {
      setTimeout(resolve, 5);
    });
  }
  return view;
}

/** In a page of the extension, as if the user had clicked there: opens a side panel; resolves to whether it has come within `limitMs` milliseconds. */
export async function openPanel(
  inTime: typeof panelInTime,
  shown: typeof shownPanel,
  { windowId, tabId }: { windowId: number; tabId: number | undefined },
  limitMs: number,
): Promise<boolean> {
  const { sidePanel } = chrome;
  if (!sidePanel?.open) throw new TypeError('chrome.sidePanel.open is not a function');
  await sidePanel.open(tabId === undefined ? { windowId } : { tabId });
  return (await inTime(shown, windowId, limitMs)) !== undefined;
}

/** What {@link reopenPanels} reports: the reasons why panels are not open, and whether an opened one took the focus. */
export interface Reopened {
  refusals: string[];
  tookFocus: boolean;
}

/**
 * In a page of the extension, as if the user had clicked there: opens side panels again, each as {@link HowToOpen} in JSON. Options that were set
 * at run time end with a reload: those that the new worker has not set again are set here. Of the address, the hash alone comes back, for which the
 * panel is not loaded a second time (C-PANEL-FRONT).
 */
export async function reopenPanels(
  inTime: typeof panelInTime,
  shown: typeof shownPanel,
  limits: { answerMs: number; focusMs: number },
  panels: readonly string[],
  isPageFocused: boolean,
): Promise<Reopened> {
  const { sidePanel, runtime } = chrome;
  const own = {
    async takesFocus(view: ExtensionView): Promise<boolean> {
      for (const end = performance.now() + limits.focusMs; performance.now() < end;) {
        if (view.document.hasFocus()) return true;
        await new Promise((resolve) => {
          setTimeout(resolve, 5);
        });
      }
      return false;
    },
  };
  const defaultPath = runtime.getManifest().side_panel?.default_path;
  const refusals: string[] = [];
  let tookFocus = false;
  for (const panel of panels) {
    try {
      const { url, windowId, options, isOfManifest, hadFocus } = JSON.parse(panel) as HowToOpen;
      // The extension or the user was faster.
      if (shown(windowId)) continue;
      if (!sidePanel?.open) throw new Error('there are no side panels');
      const { tabId } = options;
      const now = await sidePanel.getOptions({ tabId });
      const isUnset = tabId === undefined ? now.path === defaultPath && now.enabled !== false : now.tabId === undefined;
      if (isUnset && !isOfManifest) await sidePanel.setOptions(options);
      await sidePanel.open(tabId === undefined ? { windowId } : { tabId });
      const view = await inTime(shown, windowId, limits.answerMs);
      if (!view) throw new Error('it did not appear');
      if (isPageFocused && !hadFocus) tookFocus ||= await own.takesFocus(view);
      const [page, hash] = url.split('#');
      if (hash !== undefined && view.location.href === page) view.location.replace(url);
    } catch (error) {
      refusals.push((error as Error).message);
    }
  }
  return { refusals, tookFocus };
}

/** Whether the user types in the page. */
export function hasFocus(): boolean {
  return document.hasFocus();
}
