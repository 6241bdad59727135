import type { PusherWiring } from './pusherWiring';
import type { Pusher } from './pusher';

/** What features that push use. */
export interface PushWiring extends PusherWiring {
  pusher: Pusher;
}
