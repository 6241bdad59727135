import type { BrowserParts } from '../browsers/browserParts';
import type { ProblemParts } from '../problems/problemParts';
import type { Pusher } from './pusher';
import type { StatusBar } from './statusBar';

/** What features that push use. */
export interface PushParts extends BrowserParts, ProblemParts {
  statusBar: StatusBar;
  pusher: Pusher;
}
