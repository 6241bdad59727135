/** For tests in the extension host: the service that the suite has started, behind a proxy that records the requests to it. */
import assert from 'node:assert/strict';
import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { SERVICE_ENV } from '../support/serviceEnvironment';

/** Longest time until a request arrives, in milliseconds. */
const ARRIVE_LIMIT_MS = 30_000;

/** Interval at which the requests are read, in milliseconds. */
const LOOK_MS = 50;

/** A request that Sideload made. */
export interface RecordedRequest {
  readonly method: string;
  /** Path with query. */
  readonly path: string;
  readonly body: string;
}

export class RecordingService {
  /** In the order of their arrival. */
  requests: RecordedRequest[] = [];
  readonly #server: Server;
  readonly #target: URL;

  private constructor(target: string) {
    this.#target = new URL(target);
    this.#server = createServer((incoming, response) => {
      this.#pass(incoming, response).catch((error: unknown) =>
        response.destroy(error instanceof Error ? error : undefined),
      );
    });
  }

  static async start(): Promise<RecordingService> {
    const target = process.env[SERVICE_ENV];
    assert.ok(target !== undefined, 'the suite has started no service');
    const service = new RecordingService(target);
    await new Promise<void>((done) => service.#server.listen(0, '127.0.0.1', done));
    return service;
  }

  get baseUrl(): string {
    const address = this.#server.address();
    assert.ok(typeof address === 'object' && address !== null);
    return `http://127.0.0.1:${address.port}`;
  }

  /** Waits until such a request was made, and returns it. */
  async find(method: string, path: RegExp): Promise<RecordedRequest> {
    const end = performance.now() + ARRIVE_LIMIT_MS;
    for (;;) {
      const found = this.requests.find((made) => made.method === method && path.test(made.path));
      if (found) return found;
      assert.ok(performance.now() < end, `no ${method} ${path} among ${JSON.stringify(this.requests)}`);
      await new Promise((settle) => setTimeout(settle, LOOK_MS));
    }
  }

  stop(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  async #pass(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) if (Buffer.isBuffer(chunk)) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    const { method = '', url = '', headers } = incoming;
    this.requests.push({ method, path: url, body: body.toString('latin1') });
    const { hostname, port, host } = this.#target;
    const onward = request({ hostname, port, method, path: url, headers: { ...headers, host } }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.once('error', (error) => response.destroy(error));
    onward.end(body);
  }
}
