import { window } from 'vscode';
import type { HiddenTargets } from '../../devtools/protocol/hiddenTargets';
import type { RemoteScreen } from '../../devtools/screen/remoteScreen';
import type { BrowserService } from '../../service/browserService';
import type { Browser } from '../../service/model';
import type { ServiceConnection } from '../service/connection';
import type { StreamOptions } from './screenStream';

/** This window, and the browsers of the service that `service` connects to, as a live picture needs them. `hidden`: their hidden pages. */
export function streamSource(
  connection: ServiceConnection,
  service: () => Promise<BrowserService>,
  hidden: (browser: Browser) => Promise<HiddenTargets>,
): Pick<StreamOptions<RemoteScreen>, 'window' | 'isLocal' | 'find' | 'open'> {
  return {
    window: {
      get isActive() {
        return window.state.focused && window.state.active;
      },
      onChange: (listener) =>
        window.onDidChangeWindowState(({ focused, active }) => listener({ isFocused: focused, isActive: active })),
    },
    isLocal: () => connection.isLocal,
    find: async (browserId) => await (await service()).findBrowser(browserId),
    open: async (browser, events) => {
      const [screens, { devToolsAddress }, client, targets] = await Promise.all([
        import('../../devtools/screen/remoteScreen'),
        import('../../service/devToolsAddress'),
        service(),
        hidden(browser),
      ]);
      const address = devToolsAddress(browser.devToolsUrl, client.baseUrl);
      return await screens.RemoteScreen.open(address, events, undefined, undefined, targets);
    },
  };
}
