import { window } from 'vscode';
import type { RemoteScreen } from '../../devtools/screen/remoteScreen';
import type { ServiceClient } from '../../service/client';
import type { ServiceConnection } from '../service/connection';
import type { StreamOptions } from './screenStream';

/** This window, and the browsers of the service that `service` connects to, as a live picture needs them. */
export function streamSource(
  connection: ServiceConnection,
  service: () => Promise<ServiceClient>,
): Pick<StreamOptions<RemoteScreen>, 'window' | 'isLocal' | 'find' | 'open'> {
  return {
    window: {
      get isActive() {
        return window.state.focused && window.state.active;
      },
      onChange: (listener) =>
        window.onDidChangeWindowState(({ focused, active }) => {
          listener({ isFocused: focused, isActive: active });
        }),
    },
    isLocal: () => connection.isLocal,
    find: async (sessionId) => await (await service()).findBrowser(sessionId),
    open: async ({ devToolsUrl }, events) => {
      const [screens, { devToolsAddress }, client] = await Promise.all([
        import('../../devtools/screen/remoteScreen'),
        import('../../service/devToolsAddress'),
        service(),
      ]);
      return await screens.RemoteScreen.open(devToolsAddress(devToolsUrl, client.baseUrl), events);
    },
  };
}
