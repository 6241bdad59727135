import type { BrowserParts } from '../browsers/browserWiring';
import type { Presence } from './presence';
import type { ProblemParts } from '../problems/problemWiring';
import type { PushHistory } from './pushHistory';
import type { StatusBar } from './statusBar';

/** What a push uses. */
export interface PushBase extends BrowserParts, ProblemParts {
  presence: Presence;
  statusBar: StatusBar;
  history: PushHistory;
}
