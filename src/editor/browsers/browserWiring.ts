import type { EngineHost } from './engineHost';
import type { OwnBrowsers } from './ownBrowsers';
import type { PushPins } from '../targets/pins';
import type { ContentWiring } from './readContents';
import type { ServiceLists } from './serviceLists';
import type { PushTarget } from '../targets/target';

/** The browsers of the service in use, and those of them that pushes go to. */
export interface BrowserWiring extends ContentWiring {
  target: PushTarget;
  pins: PushPins;
  lists: ServiceLists;
  engines: EngineHost;
  ownBrowsers: OwnBrowsers;
}
