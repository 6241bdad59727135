import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** How long new code may take to run, in milliseconds. */
const LIMIT_MS = 30_000;

/** A server on loopback that code under measurement calls with its first statement, and that notes when. */
export class Beacon {
  readonly #seen = new Map<string, number>();
  readonly #waiting = new Map<string, (at: number) => void>();

  private constructor(
    private readonly server: Server,
    readonly origin: string,
  ) {
    server.on('request', (request, response) => {
      const at = performance.now();
      const build = (request.url ?? '/').slice(1);
      // A worker may start more than once; the first time counts.
      if (!this.#seen.has(build)) this.#seen.set(build, at);
      this.#waiting.get(build)?.(at);
      this.#waiting.delete(build);
      response.setHeader('access-control-allow-origin', '*').setHeader('content-type', 'text/html');
      // What a page that comes back by the history of its tab asks for may come from the cache.
      response.setHeader('cache-control', 'no-store');
      // Whatever is asked for is a page with a field and room to scroll, in which content scripts run.
      response.end('<!doctype html><title>beacon</title><body style="height: 9000px"><input>');
    });
  }

  static async start(): Promise<Beacon> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    return new Beacon(server, `http://127.0.0.1:${port}`);
  }

  /** When `build` called for the first time, in the milliseconds of `performance.now()`. Rejects when it does not. */
  async called(build: string): Promise<number> {
    const seen = this.#seen.get(build);
    if (seen !== undefined) return seen;
    let timer: NodeJS.Timeout | undefined;
    try {
      return await new Promise<number>((resolve, reject) => {
        this.#waiting.set(build, resolve);
        timer = setTimeout(() => reject(new Error(`build ${build} did not run within ${LIMIT_MS} ms`)), LIMIT_MS);
      });
    } finally {
      clearTimeout(timer);
    }
  }

  /** As `called`, for the next call of `build`. */
  calledAgain(build: string): Promise<number> {
    this.forget(build);
    return this.called(build);
  }

  /** From now on the first call of `build` is its next one. */
  forget(build: string): void {
    this.#seen.delete(build);
  }

  hasSeen(build: string): boolean {
    return this.#seen.has(build);
  }

  close(): Promise<void> {
    this.server.closeAllConnections();
    return new Promise((resolve) => this.server.close(() => resolve()));
  }
}
