import type { Leases } from '../instance/lease';
import type { Installer } from '../sessions/installation';
import type { Sessions } from '../sessions/sessions';
import type { ExtensionStore } from '../store/extensionStore';
import type { ProfileStore } from '../store/profileStore';

/** A request that names something by its id or name. */
export interface ById {
  Params: { id: string };
  Querystring: Record<string, unknown>;
}

/** The environment of the routes. */
export interface ServerContext {
  token: string;
  installer: Installer;
  sessions: Sessions;
  profiles: ProfileStore;
  extensions: ExtensionStore;
  leases: Leases | undefined;
  /** Folder for uploads while they are received. */
  spoolFolder: string;
  /** Logs a message, without secrets. */
  warn: (message: string) => void;
}
