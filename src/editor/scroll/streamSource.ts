import { window } from 'vscode';
import type { RemoteScreen } from '../../devtools/remoteScreen';
import type { ServiceConnection } from '../service/connection';
import type { StreamOptions } from './screenStream';

/** This window, and the browsers of the service in use, as a live picture needs them. */
export function streamSource(
  connection: ServiceConnection,
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
    find: async (sessionId) => await (await connection.client()).findBrowser(sessionId),
    open: async ({ cdp_ws_url }, events) => {
      const [screens, { checkDevToolsAddress }, client] = await Promise.all([
        import('../../devtools/remoteScreen'),
        import('../../service/devToolsAddress'),
        connection.client(),
      ]);
      checkDevToolsAddress(cdp_ws_url, client.baseUrl);
      return await screens.RemoteScreen.open(cdp_ws_url, events);
    },
  };
}
