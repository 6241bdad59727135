import type { BrowserService } from '../../service/browserService';
import type { Identified, ListPage } from '../../service/operations/pagedRequest';
import type { Log } from '../channelLog';
import type { ServiceConnection } from '../service/connection';
import type { Node } from './nodes';
import type { RequestHold } from './requestHold';
import type { ChildrenOf } from './rowChildren';

/** How the last attempt to load a list ended. `failed`: the service has answered, but not with the list. */
export type Reach = 'reached' | 'needsToken' | 'tokenRefused' | 'rateLimited' | 'unreachable' | 'failed' | 'unlisted';

export interface ListViewOptions<T extends Identified> {
  id: string;
  connection: ServiceConnection;
  log: Log;
  hold: RequestHold;
  /** Reads the page that begins at `offset`, of the items that match `query` if there is one. */
  load: (
    client: BrowserService,
    query: string | undefined,
    offset: number,
    signal: AbortSignal,
  ) => Promise<ListPage<T>>;
  /** What is shown of a service that does not have the list, and says so in `unlistedText`. */
  entered: () => Promise<readonly T[]>;
  unlistedText: () => string;
  /** `isEntered`: the item comes from `entered`. */
  node: (item: T, isEntered: boolean) => Node<T>;
  /** Absent where rows cannot be expanded. */
  childrenOf?: ChildrenOf;
  /** Called with a row that is not expanded any more. */
  onCollapsed?: (row: Node<unknown>) => void;
  /** Text beside the title of the view. */
  description?: () => string;
  /** Whether the welcome text of an empty list says why it could not be loaded; else the line above the rows does. */
  welcomeSaysWhy?: boolean;
  /** Called after each attempt. */
  onReached?: (reach: Reach) => void;
}
