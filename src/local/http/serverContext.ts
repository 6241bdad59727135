import type { Leases } from '../instance/lease';
import type { Sessions, SessionsContext } from '../sessions/sessions';

/** A request that names something by its id or name. */
export interface ById {
  Params: { id: string };
  Querystring: Record<string, unknown>;
}

/** The environment of the routes. */
export interface ServerContext extends Pick<SessionsContext, 'installer' | 'profiles' | 'extensions' | 'warn'> {
  token: string;
  sessions: Sessions;
  leases: Leases | undefined;
  /** Folder for uploads while they are received. */
  spoolFolder: string;
}
