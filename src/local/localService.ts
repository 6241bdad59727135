import path from 'node:path';
import { serveDevTools } from './devtools/cdpProxy';
import { Faults } from './http/faults';
import { buildServer } from './http/server';
import { removeAbandoned } from './http/spool';
import type { Leases } from './instance/lease';
import type { Options } from './commandLine';
import { Pools } from './pools/pools';
import { removeLeftovers } from './sessions/sessionFolder';
import { Sessions } from './sessions/sessions';
import { ExtensionStore } from './store/extensionStore';
import { ProfileStore } from './store/profileStore';

/** A running service. */
export interface RunningService {
  baseUrl: string;
  /** Ends all browsers, then stops listening. */
  close: () => Promise<void>;
}

const HOST = '127.0.0.1';

/**
 * Starts the local service on loopback, in a folder from `ownDataFolder`. Rejects when the port is taken.
 * @param warn logs a message, without secrets.
 */
export async function startService(
  options: Options,
  leases: Leases | undefined,
  warn: (message: string) => void,
): Promise<RunningService> {
  const { dataFolder } = options;
  const sessionsFolder = path.join(dataFolder, 'sessions');
  const spoolFolder = path.join(dataFolder, 'spool');
  await removeLeftovers(sessionsFolder, warn);
  await removeAbandoned(spoolFolder);

  const profiles = new ProfileStore(path.join(dataFolder, 'profiles'));
  const extensions = new ExtensionStore(path.join(dataFolder, 'extensions'));
  let socketBase = '';
  const sessions = new Sessions({
    folder: sessionsFolder,
    profiles,
    extensions,
    behaviour: options.behaviour,
    loadOverDevTools: options.loadOverDevTools,
    user: options.user,
    socketBase: () => socketBase,
    warn,
    ...(options.browser === undefined ? {} : { browser: options.browser }),
  });
  const pools = new Pools({ sessions, profiles, extensions, warn });
  const app = await buildServer({
    token: options.token,
    behaviour: options.behaviour,
    sessions,
    pools,
    profiles,
    extensions,
    faults: new Faults(options.faults, warn),
    leases,
    spoolFolder,
    warn,
  });
  const closeSockets = serveDevTools(app.server, sessions);
  const baseUrl = await app.listen({ host: HOST, port: options.port });
  socketBase = baseUrl.replace(/^http/, 'ws');
  return {
    baseUrl,
    close: async () => {
      closeSockets();
      pools.close();
      await sessions.close();
      await app.close();
    },
  };
}
