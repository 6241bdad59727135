import type { SocketMessage } from './socketMessages';

/** What a page or worker asks a server for, besides single answers: one end of a websocket, or of an event source. */
export interface Channel {
  /** Takes what the page says. */
  receive(message: SocketMessage): void;
  /** Ends the connection to the server at once. */
  terminate(): void;
}

/** Where a channel brings what comes from its server, as messages in bytes: first `begin`, `refuse` or `end`, and nothing after `end`. */
export interface ChannelEnd {
  /** The connection is there; `protocol` is that of a websocket. */
  begin(protocol: string): void;
  /** Nothing listens there; the end follows. */
  refuse(): void;
  hand(message: Buffer): void;
  end(message: Buffer): void;
}
