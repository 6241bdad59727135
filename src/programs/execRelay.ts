import { randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type WebSocket } from 'ws';
import { WebSocketTransport } from '../devtools/protocol/webSocket';
import type { DevToolsAddress } from '../service/devToolsAddress';

/** Bytes of the random path. */
const PATH_BYTES = 24;

/** The longest message of a client, in bytes: a command may have a file in it. */
const MAX_MESSAGE_BYTES = 64 * 1024 * 1024;

/** What a client of this machine names in `Host`. */
const OWN_HOST = /^(?:127\.0\.0\.1|localhost)(?::\d{1,5})?$/;

/**
 * An address of the DevTools of a browser for one run of a command, with a secret of its own, so that the command does not get that of the
 * service. It listens on the loopback interface alone, refuses web pages, which send an `Origin` or a foreign `Host`, and ends with `close`.
 */
export class ExecRelay {
  readonly #path = `/${randomBytes(PATH_BYTES).toString('hex')}`;
  readonly #sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false, maxPayload: MAX_MESSAGE_BYTES });
  readonly #http: Server;

  private constructor(private readonly browser: DevToolsAddress) {
    this.#http = createServer((request, response) => {
      response.writeHead(isForeign(request) ? 403 : 404).end();
    });
    this.#http.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      socket.on('error', () => socket.destroy());
      if (isForeign(request) || !isSame(request.url ?? '', this.#path)) {
        socket.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n');
        return;
      }
      this.#sockets.handleUpgrade(request, socket, head, (client) => this.#join(client));
    });
  }

  /** Begins to listen for clients of the browser at this address. */
  static async listen(browser: DevToolsAddress): Promise<ExecRelay> {
    const relay = new ExecRelay(browser);
    await new Promise<void>((resolve, reject) => {
      relay.#http.once('error', reject);
      relay.#http.listen(0, '127.0.0.1', resolve);
    });
    return relay;
  }

  /** A credential: whoever knows it can use the browser. */
  get address(): string {
    const at = this.#http.address();
    return `ws://127.0.0.1:${typeof at === 'object' && at ? at.port : 0}${this.#path}`;
  }

  /** Stops listening and ends all clients. */
  close(): void {
    this.#http.close();
    for (const client of this.#sockets.clients) client.terminate();
    this.#http.closeAllConnections();
  }

  /** Gives a client a connection to the browser, whose other end it becomes. */
  #join(client: WebSocket): void {
    // What comes before the browser's connection is there.
    const early: string[] = [];
    let send = (text: string): void => void early.push(text);
    client.on('message', (data) => {
      if (Buffer.isBuffer(data)) send(data.toString('utf8'));
    });
    // An error is followed by the end.
    client.on('error', () => undefined);
    WebSocketTransport.open(this.browser, (message) => client.send(message)).then(
      (upstream) => {
        upstream.onclose = () => client.close();
        client.on('close', () => upstream.close());
        if (client.readyState !== client.OPEN) upstream.close();
        send = (text) => upstream.send(text);
        for (const text of early.splice(0)) send(text);
      },
      () => client.close(),
    );
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
