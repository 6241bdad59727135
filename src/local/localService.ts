import type { FastifyInstance } from 'fastify';
import path from 'node:path';
import { serveDevTools } from './devtools/cdpProxy';
import { buildServer } from './http/server';
import type { ServerContext } from './http/serverContext';
import { removeAbandonedFiles, removeAbandonedTransfers } from './abandoned';
import type { Leases } from './instance/lease';
import type { Options } from './commandLine';
import { type Installer, wholeInstaller } from './sessions/installation';
import { removeLeftovers } from './sessions/sessionFolder';
import { Sessions } from './sessions/sessions';
import { ExtensionStore } from './store/extensionStore';
import { ProfileStore } from './store/profileStore';

/** What another local service has beyond this one, or in place of it. */
export interface ServiceVariant {
  installer?: Installer;
  /** Adds hooks and routes before those of the interface; what it returns is called when the service closes. */
  extend?: (app: FastifyInstance, context: ServerContext) => () => void;
}

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
  { installer = wholeInstaller, extend }: ServiceVariant = {},
): Promise<RunningService> {
  const { dataFolder } = options;
  const sessionsFolder = path.join(dataFolder, 'sessions');
  const spoolFolder = path.join(dataFolder, 'spool');
  await removeAbandonedTransfers(spoolFolder);

  const profiles = new ProfileStore(path.join(dataFolder, 'profiles'));
  const extensions = new ExtensionStore(path.join(dataFolder, 'extensions'));
  await removeLeftovers(sessionsFolder, warn, (id, userDataFolder) => profiles.saveLeft(id, userDataFolder));
  for (const { records } of [profiles, extensions]) await removeAbandonedFiles(records.folder);
  let socketBase = '';
  const sessions = new Sessions({
    folder: sessionsFolder,
    profiles,
    extensions,
    installer,
    loadOverDevTools: options.loadOverDevTools,
    user: options.user,
    socketBase: () => socketBase,
    warn,
    ...(options.browser === undefined ? {} : { browser: options.browser }),
  });
  let endVariant: (() => void) | undefined;
  const context = { token: options.token, installer, sessions, profiles, extensions, leases, spoolFolder, warn };
  const app = await buildServer(context, (server) => {
    endVariant = extend?.(server, context);
  });
  const closeSockets = serveDevTools(app.server, sessions);
  const baseUrl = await app.listen({ host: HOST, port: options.port });
  socketBase = baseUrl.replace(/^http/, 'ws');
  return {
    baseUrl,
    close: async () => {
      closeSockets();
      endVariant?.();
      await sessions.close();
      await app.close();
    },
  };
}
