import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildServer } from '../../src/local/http/server';
import { wholeInstaller } from '../../src/local/sessions/installation';
import { Sessions } from '../../src/local/sessions/sessions';
import { ExtensionStore } from '../../src/local/store/extensionStore';
import { ProfileStore } from '../../src/local/store/profileStore';

/** Never made: the server does not listen. */
const FOLDER = join(tmpdir(), 'sideload-routes');

/** The operations that the local service has, as `GET /browsers/:id`, in their order. */
export async function serviceRoutes(): Promise<string[]> {
  const routes: string[] = [];
  const profiles = new ProfileStore(FOLDER);
  const extensions = new ExtensionStore(FOLDER);
  const warn = (): void => undefined;
  const sessions = new Sessions({
    folder: FOLDER,
    profiles,
    extensions,
    installer: wholeInstaller,
    loadOverDevTools: false,
    user: undefined,
    socketBase: () => '',
    warn,
  });
  const context = {
    token: '',
    installer: wholeInstaller,
    sessions,
    profiles,
    extensions,
    leases: undefined,
    spoolFolder: FOLDER,
    warn,
  };
  const app = await buildServer(context, (server) => {
    server.addHook('onRoute', ({ method, url }) => {
      // One that is read can also be asked for its head alone.
      for (const one of [method].flat()) if (one !== 'HEAD') routes.push(`${one} ${url}`);
    });
  });
  await app.ready();
  await sessions.close();
  await app.close();
  return routes;
}
