import { randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type WebSocket } from 'ws';

/** The longest message of the debugger, in bytes: its commands are short, the longest have an expression of the user. */
const MAX_MESSAGE_BYTES = 16 * 1024 * 1024;

/** Bytes of the random path. */
const PATH_BYTES = 24;

/** Where debuggers ask for the address of the websocket. */
const VERSION_PATH = '/json/version';

/** What a client of this machine names in `Host`; js-debug leaves the port out. */
const OWN_HOST = /^(?:127\.0\.0\.1|localhost)(?::\d{1,5})?$/;

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
 * Looks like the DevTools port of a browser to one client on this machine. It listens on the loopback interface alone, where every user of the
 * machine can ask: its path is random, is in no answer, and only our own debug configuration has it. It refuses web pages, which send an
 * `Origin` or a foreign `Host`, and stops listening when its client has come.
 */
export class RelayServer implements RelayPort {
  readonly #path = `/${randomBytes(PATH_BYTES).toString('hex')}`;
  readonly #http: Server;
  readonly #sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false, maxPayload: MAX_MESSAGE_BYTES });
  #client: WebSocket | undefined;

  private constructor(private readonly events: RelayClientEvents) {
    this.#http = createServer((request, response) => this.#answer(request, response));
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

  get address(): string {
    return `ws://127.0.0.1:${this.port}${this.#path}`;
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

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const { method, url } = request;
    if (isForeign(request) || method !== 'GET' || url !== VERSION_PATH) {
      response.writeHead(isForeign(request) ? 403 : 404).end();
      return;
    }
    // js-debug asks for an address before it uses the one of its configuration. This one leads nowhere.
    const nowhere = `ws://127.0.0.1:${this.port}/`;
    const body = { Browser: 'Sideload', 'Protocol-Version': '1.3', webSocketDebuggerUrl: nowhere };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  }

  #accept(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    socket.on('error', () => socket.destroy());
    if (isForeign(request) || !sameText(request.url ?? '', this.#path) || this.#client !== undefined) {
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

/** Whether a request comes from a web page: from its origin, or by a name that leads to this machine. */
function isForeign({ headers }: IncomingMessage): boolean {
  return headers.origin !== undefined || !OWN_HOST.test(headers.host ?? '');
}

/** Compares in a time that does not depend on where two texts of one length differ. */
function sameText(one: string, other: string): boolean {
  const [first, second] = [Buffer.from(one), Buffer.from(other)];
  return first.length === second.length && timingSafeEqual(first, second);
}
