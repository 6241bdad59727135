import type { Pusher, PusherWiring } from './pusher';

/** What features that push use. */
export interface PushWiring extends PusherWiring {
  pusher: Pusher;
}
