import { window } from 'vscode';
import type { RemoteScreen, ScreenEvents } from '../../devtools/screen/remoteScreen';
import type { BrowserService } from '../../service/browserService';
import type { DevToolsAddress } from '../../service/devToolsAddress';
import type { Browser } from '../../service/model';
import type { BrowserWiring } from '../browsers/browserWiring';
import type { StreamOptions } from './screenStream';

/** This window, and the browsers of the service that `service` connects to, as a live picture needs them. */
export function streamSource(
  wiring: BrowserWiring,
  service: () => Promise<BrowserService>,
): Pick<StreamOptions<RemoteScreen>, 'window' | 'isLocal' | 'find' | 'open'> {
  return {
    window: {
      get isActive() {
        return window.state.focused && window.state.active;
      },
      onChange: (listener) =>
        window.onDidChangeWindowState(({ focused, active }) => listener({ isFocused: focused, isActive: active })),
    },
    isLocal: () => wiring.connection.isLocal,
    find: async (browserId) => await (await service()).findBrowser(browserId),
    open: (browser, events) => openScreen(wiring, browser, events, service),
  };
}

/** Connects to a browser for its screen. Rejects where there is no DevTools address, or one that must not be used. */
export async function openScreen(
  { devTools }: BrowserWiring,
  browser: Browser,
  events: ScreenEvents,
  service: () => Promise<BrowserService>,
): Promise<RemoteScreen> {
  const [{ RemoteScreen }, address, browsers] = await Promise.all([
    import('../../devtools/screen/remoteScreen'),
    screenAddress(browser, service),
    devTools.ofService(),
  ]);
  return await RemoteScreen.open(address, events, undefined, undefined, browsers.hiddenOf(browser));
}

/** Rejects where there is no DevTools address, or one that must not be used. */
export async function screenAddress(
  browser: Browser,
  service: () => Promise<BrowserService>,
): Promise<DevToolsAddress> {
  const [{ devToolsAddress }, client] = await Promise.all([import('../../service/devToolsAddress'), service()]);
  return devToolsAddress(browser.devToolsUrl, client.baseUrl);
}
