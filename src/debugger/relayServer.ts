import type { WebSocket } from 'ws';
import { SecretSocket } from '../base/secretSocket';

/** The longest message of the debugger, in bytes: its commands are short, the longest have an expression of the user. */
const MAX_MESSAGE_BYTES = 16 * 1024 * 1024;

/** Where debuggers ask for the address of the websocket. */
const VERSION_PATH = '/json/version';

/** What a server does with its one client. */
export interface RelayClientEvents {
  onMessage: (text: string) => void;
  /** The client is gone. */
  onEnd: () => void;
}

/** Where the debugger connects to. */
export interface RelayPort {
  /** The port; 0 once it no longer listens. */
  readonly port: number;
  /** Where the websocket is, a credential: whoever knows it can use the browser. */
  readonly address: string;
  /** Sends a message to the client; does nothing without one. */
  send: (text: string) => void;
  /** Stops listening and closes the connection of the client, which gets no more messages. */
  close: () => void;
}

/**
 * Begins to look like the DevTools port of a browser to one client on this machine, of which only our own debug configuration has the address.
 * It stops listening when its client has come.
 */
export async function listenForDebugger(events: RelayClientEvents): Promise<RelayPort> {
  let client: WebSocket | undefined;
  const socket = await SecretSocket.listen({
    maxPayload: MAX_MESSAGE_BYTES,
    isOpen: () => client === undefined,
    onClient: (joined) => {
      client = joined;
      socket.stopListening();
      joined.on('close', () => {
        client = undefined;
        events.onEnd();
      });
      return events.onMessage;
    },
    // js-debug asks for an address before it uses the one of its configuration. This one leads nowhere.
    answerAt: (path, port) =>
      path === VERSION_PATH
        ? { Browser: 'Sideload', 'Protocol-Version': '1.3', webSocketDebuggerUrl: `ws://127.0.0.1:${port}/` }
        : undefined,
  });
  return {
    get port() {
      return socket.port;
    },
    get address() {
      return socket.address;
    },
    send: (text) => client?.send(text),
    close: () => {
      const last = client;
      client = undefined;
      last?.close();
      socket.stopListening();
    },
  };
}
