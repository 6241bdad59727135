import type { BrowserWiring } from '../browsers/browserWiring';
import type { Presence } from './presence';
import type { ProblemWiring } from '../problems/problemWiring';
import type { PushHistory } from './pushHistory';
import type { StatusBar } from './statusBar';

/** What a push uses. */
export interface PusherWiring extends BrowserWiring, ProblemWiring {
  presence: Presence;
  statusBar: StatusBar;
  history: PushHistory;
}
