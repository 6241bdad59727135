import type { PushBase } from './pusherWiring';
import type { Pusher } from './pusher';

/** What features that push use. */
export interface PushParts extends PushBase {
  pusher: Pusher;
}
