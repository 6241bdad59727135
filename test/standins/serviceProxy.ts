import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';

/** What is asked of a service. */
export interface ServiceRequest {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly body: Buffer;
}

/** What a service answers. */
export interface ServiceReply {
  status?: number;
  type: string;
  body: Buffer | string;
}

/** A service in front of a real one, which it changes for clients. */
export class ServiceProxy {
  /** All that was asked, oldest first. */
  readonly requests: ServiceRequest[] = [];
  /** Changes the JSON of the real service's answers. */
  changeJson: (json: string) => string = (json) => json;
  /** Answers instead of the real service; undefined lets that answer. */
  answer: (request: ServiceRequest) => Promise<ServiceReply> | undefined = () => undefined;
  readonly #server: Server;

  private constructor(private readonly target: string) {
    this.#server = createServer((incoming, response) => {
      this.#pass(incoming, response).catch(() => response.destroy());
    });
  }

  /** Starts one in front of the service at an address. */
  static async start(target: string): Promise<ServiceProxy> {
    const proxy = new ServiceProxy(target);
    await new Promise<void>((done) => proxy.#server.listen(0, '127.0.0.1', done));
    return proxy;
  }

  get baseUrl(): string {
    const address = this.#server.address();
    assert.ok(typeof address === 'object' && address !== null);
    return `http://127.0.0.1:${address.port}`;
  }

  /** The bodies of the requests to an operation of a browser's screen. */
  bodiesOf(operation: string): string[] {
    const asked = this.requests.filter(({ path }) => path.endsWith(`/computer/${operation}`));
    return asked.map(({ body }) => body.toString());
  }

  stop(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  async #pass(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url: path = '', headers } = incoming;
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) if (Buffer.isBuffer(chunk)) chunks.push(chunk);
    const request = { method, path, body: Buffer.concat(chunks) };
    this.requests.push(request);
    const own = this.answer(request);
    const { status = 200, type, body } = await (own ?? this.#ask(request, headers));
    response.writeHead(status, { 'content-type': type }).end(body);
  }

  async #ask(request: ServiceRequest, headers: IncomingMessage['headers']): Promise<ServiceReply> {
    const { method, path, body } = request;
    const { authorization = '', 'content-type': sent = '' } = headers;
    const answer = await fetch(new URL(path, this.target), {
      method,
      headers: { authorization, ...(sent === '' ? {} : { 'content-type': sent }) },
      ...(body.length > 0 && { body }),
    });
    const type = answer.headers.get('content-type') ?? 'text/plain';
    const got = Buffer.from(await answer.arrayBuffer());
    return { status: answer.status, type, body: type.includes('json') ? this.changeJson(got.toString()) : got };
  }
}
