import type { Agent } from 'node:http';
import { WebSocket } from 'ws';
import type { DevToolsAddress } from '../../service/devToolsAddress';

/** The longest message of a browser, in bytes: as in puppeteer. */
const MAX_MESSAGE_BYTES = 256 * 1024 * 1024;

/** Decides about a message of the browser before it is parsed: calls `pass` with it at once, later, or never. */
export type MessageFilter = (message: string, pass: (message: string) => void) => void;

export interface SocketOptions {
  /** Whether both ends may compress, where the other one can: for much text, since it costs time and memory for each message. */
  isCompressed?: boolean;
}

/** What carries the messages of a connection, in the shape that puppeteer's `Connection` takes. */
export interface MessageTransport {
  onmessage?: (message: string) => void;
  /** Called when the other end, or the network, has closed it. */
  onclose?: () => void;
  send(message: string): void;
  /** Asks the other end for a sign of life, so that no proxy in between closes a connection without traffic. */
  ping(): void;
  close(): void;
}

let socketAgent: Agent | undefined;

/** Has all websockets of this process opened by an agent, as through a proxy. In the editor, VS Code has its own, which is used only where there is no other. */
export function openSocketsBy(agent: Agent): void {
  socketAgent = agent;
}

/**
 * The websocket of a connection. Unlike puppeteer's own, it follows no redirect, so that
 * no host is contacted but the one of the address.
 */
export class WebSocketTransport implements MessageTransport {
  onmessage?: (message: string) => void;
  onclose?: () => void;
  readonly #socket: WebSocket;

  private constructor(socket: WebSocket, filter: MessageFilter) {
    this.#socket = socket;
    const pass = (message: string): void => {
      const handled: unknown = this.onmessage?.(message);
      // puppeteer's function is asynchronous.
      if (handled instanceof Promise) handled.catch(leaveOut);
    };
    socket.addEventListener('message', ({ data }) => {
      try {
        // Browsers send text only, which `ws` gives as a string.
        if (typeof data === 'string') filter(data, pass);
      } catch {
        leaveOut();
      }
    });
    socket.addEventListener('close', () => this.onclose?.());
  }

  /** Resolves when the handshake is done; rejects with the event of its error, or with a SyntaxError for an address that is none. */
  static open(
    address: DevToolsAddress,
    filter: MessageFilter = (message, pass) => pass(message),
    { isCompressed = false }: SocketOptions = {},
  ): Promise<WebSocketTransport> {
    return new Promise((resolve, reject) => {
      const socket = new WebSocket(address, {
        ...(socketAgent && { agent: socketAgent }),
        followRedirects: false,
        perMessageDeflate: isCompressed,
        allowSynchronousEvents: false,
        maxPayload: MAX_MESSAGE_BYTES,
      });
      socket.addEventListener('open', () => resolve(new WebSocketTransport(socket, filter)));
      // An error after the handshake is followed by `close`, which is all that a connection needs to know.
      socket.addEventListener('error', reject);
    });
  }

  send(message: string): void {
    this.#socket.send(message);
  }

  ping(): void {
    if (this.#socket.readyState === WebSocket.OPEN) this.#socket.ping();
  }

  close(): void {
    this.#socket.close();
  }
}

/** A message that cannot be read is nobody's: it must not end a process that has other browsers. */
function leaveOut(): undefined {
  return undefined;
}
