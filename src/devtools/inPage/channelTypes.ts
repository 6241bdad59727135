/** What events of channels have beside their type. */
export interface ChannelEventInit {
  data?: string | ArrayBuffer | Blob;
  origin?: string;
  lastEventId?: string;
  code?: number;
  reason?: string;
  wasClean?: boolean;
}

/** An answer to a request of `fetch`, as far as it is read. */
interface Fetched {
  ok: boolean;
  arrayBuffer(): Promise<ArrayBuffer>;
}

/** What a request of `fetch` has. */
interface FetchOptions {
  method: string;
  cache: 'no-store';
  credentials: 'same-origin' | 'include';
  keepalive: boolean;
  body?: Uint8Array;
}

/** Takes a message; false when it is the last that is wanted. */
export type Receive = (kind: number, content: Uint8Array) => boolean;

/** `WebSocket`, or `EventSource`. */
export type ChannelClass = new (url: string | URL, options?: unknown) => object;

/** The global names of a page or worker that channels go by. */
export type ChannelGlobals = EventTarget & {
  WebSocket: ChannelClass;
  EventSource: ChannelClass | undefined;
  fetch(this: void, address: string, options: FetchOptions): Promise<Fetched>;
};
