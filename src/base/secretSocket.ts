import { randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type WebSocket } from 'ws';

/** Bytes of the random path. */
const PATH_BYTES = 24;

/** What a client of this machine names in `Host`; some leave the port out. */
const OWN_HOST = /^(?:127\.0\.0\.1|localhost)(?::\d{1,5})?$/;

export interface SecretSocketOptions {
  /** The longest message of a client, in bytes. */
  maxPayload: number;
  /** Called with a client that knows the address; returns what takes its messages. */
  onClient: (client: WebSocket) => (text: string) => void;
  /** Whether another client may come; it always may without this. */
  isOpen?: () => boolean;
  /** What programs get as JSON that ask at a path without knowing the address; undefined for nothing, as without this. */
  answerAt?: (path: string, port: number) => object | undefined;
}

/**
 * A websocket for programs of this machine that know its address. It listens on the loopback interface alone, where every user of the machine
 * can ask: its path is random and is in no answer. It refuses web pages, which send an `Origin` or a foreign `Host`.
 */
export class SecretSocket {
  readonly #path = `/${randomBytes(PATH_BYTES).toString('hex')}`;
  readonly #http: Server;
  readonly #sockets: WebSocketServer;

  private constructor(private readonly options: SecretSocketOptions) {
    const { maxPayload } = options;
    this.#sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false, maxPayload });
    this.#http = createServer((request, response) => this.#answer(request, response));
    this.#http.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      this.#accept(request, socket, head);
    });
  }

  /** Begins to listen. */
  static async listen(options: SecretSocketOptions): Promise<SecretSocket> {
    const socket = new SecretSocket(options);
    await new Promise<void>((resolve, reject) => {
      socket.#http.once('error', reject);
      socket.#http.listen(0, '127.0.0.1', resolve);
    });
    return socket;
  }

  /** The port; 0 once it no longer listens. */
  get port(): number {
    const address = this.#http.address();
    return typeof address === 'object' && address ? address.port : 0;
  }

  /** A credential: whoever knows it can use what is behind it. */
  get address(): string {
    return `ws://127.0.0.1:${this.port}${this.#path}`;
  }

  /** Takes no more clients; those that are there stay. */
  stopListening(): void {
    this.#http.close();
    this.#http.closeAllConnections();
  }

  /** Stops listening and ends all clients. */
  close(): void {
    this.stopListening();
    for (const client of this.#sockets.clients) client.terminate();
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const { method, url = '' } = request;
    const isRefused = isForeign(request);
    const body = isRefused || method !== 'GET' ? undefined : this.options.answerAt?.(url, this.port);
    if (body) response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    else response.writeHead(isRefused ? 403 : 404).end();
  }

  #accept(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const { onClient, isOpen } = this.options;
    socket.on('error', () => socket.destroy());
    if (isForeign(request) || !isSame(request.url ?? '', this.#path) || isOpen?.() === false) {
      socket.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n');
      return;
    }
    this.#sockets.handleUpgrade(request, socket, head, (client) => {
      const onMessage = onClient(client);
      client.on('message', (data) => {
        if (Buffer.isBuffer(data)) onMessage(data.toString('utf8'));
      });
      // An error is followed by the end.
      client.on('error', () => undefined);
    });
  }
}

/** Whether a request comes from a web page: from its origin, or by a name that leads to this machine. */
function isForeign({ headers }: IncomingMessage): boolean {
  return headers.origin !== undefined || !OWN_HOST.test(headers.host ?? '');
}

/** Compares in a time that does not depend on where two texts of one length differ. */
function isSame(one: string, other: string): boolean {
  const [first, second] = [Buffer.from(one), Buffer.from(other)];
  return first.length === second.length && timingSafeEqual(first, second);
}
