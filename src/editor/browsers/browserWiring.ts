import type { ServiceWiring } from '../service/connection';
import type { LocalhostHost } from '../localhost/localhostHost';
import type { DevToolsHost } from './devToolsHost';
import type { EngineHost } from './engineHost';
import type { OwnBrowsers } from './ownBrowsers';
import type { PushPins } from '../targets/pins';
import type { PushRecords } from '../../push/known/pushRecords';
import type { ServiceLists } from './serviceLists';
import type { PushTarget } from '../targets/target';

/** The browsers of the service in use, and those of them that pushes go to. */
export interface BrowserWiring extends ServiceWiring {
  target: PushTarget;
  pins: PushPins;
  lists: ServiceLists;
  devTools: DevToolsHost;
  engines: EngineHost;
  records: PushRecords;
  ownBrowsers: OwnBrowsers;
  localhost: LocalhostHost;
}
