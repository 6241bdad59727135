import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type WebSocket } from 'ws';

/** The longest message of the debugger, in bytes. */
const MAX_MESSAGE_BYTES = 256 * 1024 * 1024;

/** Bytes of the random path. */
const PATH_BYTES = 24;

/** Where the address of the websocket is asked for. */
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
  /** Sends a message to the client; does nothing without one. */
  send: (text: string) => void;
  /** Stops listening and closes the connection of the client, which gets no more messages. */
  close: () => void;
}

/**
 * Looks like the DevTools port of a browser to one client on this machine. It listens on the loopback interface alone, with a random path,
 * refuses web pages, which send an `Origin`, and stops listening when its client has come.
 */
export class RelayServer implements RelayPort {
  readonly #path = `/${randomBytes(PATH_BYTES).toString('hex')}`;
  readonly #http: Server;
  readonly #sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false, maxPayload: MAX_MESSAGE_BYTES });
  #client: WebSocket | undefined;

  private constructor(private readonly events: RelayClientEvents) {
    this.#http = createServer((request, response) => {
      this.#answer(request, response);
    });
    this.#http.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      this.#accept(request, socket, head);
    });
  }

  /** Begins to listen. */
  static async listen(events: RelayClientEvents): Promise<RelayServer> {
    const server = new RelayServer(events);
    await new Promise<void>((resolve, reject) => {
      server.#http.once('error', reject);
      server.#http.listen(0, '127.0.0.1', resolve);
    });
    return server;
  }

  /** The port; 0 once it no longer listens. */
  get port(): number {
    const address: AddressInfo | string | null = this.#http.address();
    return typeof address === 'object' && address ? address.port : 0;
  }

  /** Sends a message to the client; does nothing without one. */
  send(text: string): void {
    this.#client?.send(text);
  }

  /** Stops listening and closes the connection of the client, which gets no more messages. */
  close(): void {
    const client = this.#client;
    this.#client = undefined;
    client?.close();
    this.#http.close();
    this.#http.closeAllConnections();
  }

  #answer({ method, url, headers }: IncomingMessage, response: ServerResponse): void {
    if (headers.origin !== undefined || method !== 'GET' || url !== VERSION_PATH) {
      response.writeHead(headers.origin === undefined ? 404 : 403).end();
      return;
    }
    const body = { Browser: 'Sideload', 'Protocol-Version': '1.3', webSocketDebuggerUrl: this.#address() };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  }

  #address(): string {
    return `ws://127.0.0.1:${this.port}${this.#path}`;
  }

  #accept(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    socket.on('error', () => socket.destroy());
    const isRefused = request.headers.origin !== undefined || request.url !== this.#path || this.#client !== undefined;
    if (isRefused) {
      socket.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n');
      return;
    }
    this.#sockets.handleUpgrade(request, socket, head, (client) => {
      this.#client = client;
      this.#http.close();
      client.on('message', (data) => {
        if (Buffer.isBuffer(data)) this.events.onMessage(data.toString('utf8'));
      });
      // An error is followed by the end.
      client.on('error', () => undefined);
      client.on('close', () => {
        this.#client = undefined;
        this.events.onEnd();
      });
    });
  }
}
