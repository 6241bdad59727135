import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { type WebSocket, WebSocketServer } from 'ws';
import { fieldOf } from '../../src/base/fields';

/**
 * Where development servers of tests listen: a loopback address that nobody means by `localhost`, so that no browser reaches them there without
 * a bridge.
 */
export const DEV_SERVER_HOST = '127.0.0.2';

/** A request that has reached a server. */
export interface ReceivedRequest {
  method: string;
  /** With the query. */
  path: string;
  headers: IncomingMessage['headers'];
  body: Buffer;
}

/** What answers a request; one without an answer of its own gets a script, or a page. */
export type Answering = (request: ReceivedRequest, response: ServerResponse) => boolean;

/** A development server that a test looks into. */
export class DevServer {
  readonly received: ReceivedRequest[] = [];
  port = 0;
  readonly #server = createServer((request, response) => void this.#answer(request, response));

  /** The websockets that are open. */
  readonly sockets = new Set<WebSocket>();
  readonly #socketServer = new WebSocketServer({
    server: this.#server,
    handleProtocols: (offered) => [...offered][0] ?? false,
  });

  private constructor(private readonly answering: Answering) {
    // Each socket echoes its messages; "close" ends it with a code of its own.
    this.#socketServer.on('connection', (socket) => {
      this.sockets.add(socket);
      socket.on('close', () => this.sockets.delete(socket));
      socket.on('message', (data, isBinary) => {
        if (!isBinary && Buffer.isBuffer(data) && data.toString() === 'close') socket.close(4001, 'as asked');
        else socket.send(data, { binary: isBinary });
      });
    });
  }

  static async start(answering: Answering = (): boolean => false): Promise<DevServer> {
    const server = new DevServer(answering);
    await server.listen();
    return server;
  }

  /** Its address as a browser means it. */
  get origin(): string {
    return `http://localhost:${this.port}`;
  }

  /** The paths that were asked for, without queries. */
  get paths(): string[] {
    return this.received.map(({ path }) => path.split('?', 1)[0] ?? path);
  }

  /** Listens, after `close` at the port of before. */
  async listen(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#server.listen(this.port, DEV_SERVER_HOST, resolve);
    });
    this.port = Number(fieldOf(this.#server.address(), 'port'));
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.terminate();
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '', headers } = request;
    const received = { method, path: url, headers, body: await buffer(request) };
    this.received.push(received);
    // As development servers do for the pages of extensions.
    response.setHeader('access-control-allow-origin', '*');
    if (this.answering(received, response)) return;
    const isScript = /\.js(?:\?|$)/.test(url);
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html');
    const name = JSON.stringify(url.split('?', 1)[0]);
    response.end(isScript ? `globalThis.ran = [...(globalThis.ran ?? []), ${name}];` : `<title>${url}</title>`);
  }
}
