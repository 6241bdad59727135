import type { ExtensionStore } from './extensionStore';
import type { Faults } from './faults';
import type { Leases } from './lease';
import type { Behaviour } from './options';
import type { Pools } from './pools';
import type { ProfileStore } from './profileStore';
import type { Sessions } from './sessions';

/** What the routes work with. */
export interface ServerContext {
  token: string;
  behaviour: Behaviour;
  sessions: Sessions;
  pools: Pools;
  profiles: ProfileStore;
  extensions: ExtensionStore;
  faults: Faults;
  leases: Leases | undefined;
  /** Folder for uploads on their way. */
  spoolFolder: string;
  /** A line for whoever runs the service; holds no secret. */
  warn: (message: string) => void;
}
