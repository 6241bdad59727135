import type { ApiManifest, ExtensionApi } from './chromeApi';

declare const chrome: ExtensionApi;
declare const self: { chrome?: Partial<ExtensionApi> };

/** What the window in front offers of an extension. */
export interface Offered {
  /** -1 when no window has a toolbar; else the same number as in DevTools. */
  windowId: number;
  /** -1 when no window has a toolbar. */
  tabId: number;
  hasAction: boolean;
  /** The addresses of the pages; empty where there is none. */
  popup: string;
  options: string;
  sidePanel: string;
  isActionEnabled: boolean;
  hasSidePanel: boolean;
  /** Whether the side panel is one of the tab in front alone. */
  isPanelOfTab: boolean;
}

/**
 * In a page of the extension: what the window in front offers. Of the windows only those with a toolbar count. Popups have addresses, and side panels
 * have paths (C-SURFACE-PATHS).
 */
export async function offeredSurfaces(): Promise<Offered> {
  const { action, sidePanel, windows, tabs, runtime } = chrome;
  const manifest = runtime.getManifest();
  const found = await windows.getLastFocused({ windowTypes: ['normal'] }).catch(() => undefined);
  const window = found?.type === 'normal' ? found : (await windows.getAll({ windowTypes: ['normal'] }))[0];
  const [tab] = window ? await tabs.query({ active: true, windowId: window.id }) : [];
  const where = tab?.id === undefined ? {} : { tabId: tab.id };
  const panel = await sidePanel?.getOptions(where);
  const own = {
    url(path: string | undefined): string {
      return path ? runtime.getURL(path) : '';
    },
  };
  return {
    windowId: window?.id ?? -1,
    hasAction: action !== undefined,
    popup: (await action?.getPopup(where)) ?? '',
    isActionEnabled: (await action?.isEnabled(tab?.id)) ?? false,
    options: own.url(manifest.options_ui?.page ?? manifest.options_page),
    hasSidePanel: sidePanel !== undefined,
    sidePanel: panel?.enabled === false ? '' : own.url(panel?.path),
    isPanelOfTab: panel?.tabId !== undefined,
    tabId: tab?.id ?? -1,
  };
}

/** In a page of the extension: its manifest as it runs. */
export function manifestOf(): ApiManifest {
  return chrome.runtime.getManifest();
}

/** In a page of the extension: whether its manifest names a service worker. */
export function namesWorker(): boolean {
  return chrome.runtime.getManifest().background?.service_worker !== undefined;
}

/** In a page of the extension, as if the user had clicked there: opens the options page; resolves to true. */
export async function openOptionsPage(): Promise<true> {
  await chrome.runtime.openOptionsPage();
  return true;
}

/** In a page of an extension: whether it is the popup. What is in no window and no popup is the side panel. */
export function isPopup(): boolean {
  const views: readonly unknown[] | undefined = self.chrome?.extension?.getViews({ type: 'popup' });
  return views?.includes(self) === true;
}
