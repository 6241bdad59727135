import type { Leases } from '../instance/lease';
import type { Behaviour } from '../commandLine';
import type { Pools } from '../pools/pools';
import type { Sessions } from '../sessions/sessions';
import type { ExtensionStore } from '../store/extensionStore';
import type { ProfileStore } from '../store/profileStore';
import type { Faults } from './faults';

/** The environment of the routes. */
export interface ServerContext {
  token: string;
  behaviour: Behaviour;
  sessions: Sessions;
  pools: Pools;
  profiles: ProfileStore;
  extensions: ExtensionStore;
  faults: Faults;
  leases: Leases | undefined;
  /** Folder for uploads while they are received. */
  spoolFolder: string;
  /** Logs a message, without secrets. */
  warn: (message: string) => void;
}
