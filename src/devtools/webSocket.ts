import { WebSocket } from 'ws';

/** The longest message of a browser, in bytes: as in puppeteer. */
const MAX_MESSAGE_BYTES = 256 * 1024 * 1024;

/**
 * The websocket of a connection, in the shape that puppeteer's `Connection` takes. Unlike puppeteer's own, it follows no redirect, so that
 * no host is contacted but the one of the address.
 */
export class WebSocketTransport {
  onmessage?: (message: string) => void;
  onclose?: () => void;
  readonly #socket: WebSocket;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.addEventListener('message', ({ data }) => {
      // Browsers send text only, which `ws` gives as a string.
      if (typeof data === 'string') this.onmessage?.(data);
    });
    socket.addEventListener('close', () => {
      this.onclose?.();
    });
  }

  /** Resolves when the handshake is done; rejects with the event of its error, or with a SyntaxError for an address that is none. */
  static open(url: string): Promise<WebSocketTransport> {
    return new Promise((resolve, reject) => {
      const socket = new WebSocket(url, {
        followRedirects: false,
        perMessageDeflate: false,
        allowSynchronousEvents: false,
        maxPayload: MAX_MESSAGE_BYTES,
      });
      socket.addEventListener('open', () => {
        resolve(new WebSocketTransport(socket));
      });
      // An error after the handshake is followed by `close`, which is all that a connection needs to know.
      socket.addEventListener('error', reject);
    });
  }

  send(message: string): void {
    this.#socket.send(message);
  }

  close(): void {
    this.#socket.close();
  }
}
