import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';

/** The address of the live view of each session, with characters that an encoding would change. */
export const LIVE_VIEW = 'https://live.example.test/view?jwt=secret.a-b_c%2Bd%3D&readOnly=true';

/** A session as the fake service lists it. */
export interface FakeSession {
  session_id: string;
  name: string;
}

/** What the fake service answers to every request instead of a list. */
export interface FakeFault {
  status: number;
  headers?: Record<string, string>;
  /** What it says about it. */
  message?: string;
}

/**
 * A service with nothing but lists, for what no local service can be brought to: many thousand sessions, rate limits, failures. Counts
 * the requests that it gets.
 */
export class FakeService {
  readonly #server: Server;
  sessions: readonly FakeSession[] = [];
  fault: FakeFault | undefined;
  /** How long each list takes, in milliseconds. */
  listMs = 0;
  /** The most browsers at the same time; undefined where the service tells none. */
  limit: number | undefined;
  /** The bodies of requests for a new browser, which it refuses. */
  creations: string[] = [];
  /** The paths with queries of all requests with any token, in their order: the security tests ask every port of the machine without one. */
  requests: string[] = [];
  /** Called with the path of each of them, with its query. */
  onRequest: (path: string) => void = () => undefined;

  private constructor(readonly token: string) {
    this.#server = createServer((request, response) => {
      this.#answer(request, response);
    });
  }

  /** Starts one that accepts `token`, on a free port of this machine. */
  static async start(token: string): Promise<FakeService> {
    const service = new FakeService(token);
    await new Promise<void>((done) => service.#server.listen(0, '127.0.0.1', done));
    return service;
  }

  get baseUrl(): string {
    const address = this.#server.address();
    if (typeof address !== 'object' || !address) throw new Error('The fake service does not listen.');
    return `http://127.0.0.1:${address.port}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((done) => this.#server.close(done));
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const url = new URL(request.url ?? '/', this.baseUrl);
    if (request.headers.authorization !== undefined) {
      this.requests.push(`${url.pathname}${url.search}`);
      this.onRequest(`${url.pathname}${url.search}`);
    }
    if (this.fault) {
      const { status, headers, message = 'not now' } = this.fault;
      send(response, status, { code: 'fault', message }, headers);
      return;
    }
    if (request.headers.authorization !== `Bearer ${this.token}`) {
      send(response, 401, { code: 'unauthorized', message: 'wrong token' });
      return;
    }
    if (url.pathname === '/browsers') {
      if (request.method === 'POST') this.#refuseCreation(request, response);
      else this.#list(url, response);
      return;
    }
    if (url.pathname === '/org/limits' && this.limit !== undefined) {
      send(response, 200, { max_concurrent_sessions: this.limit });
      return;
    }
    const found = this.sessions.find(({ session_id }) => url.pathname === `/browsers/${session_id}`);
    if (found) send(response, 200, record(found));
    else if (url.pathname.startsWith('/browsers/'))
      send(response, 404, { code: 'not_found', message: 'no such browser' });
    else send(response, 200, []);
  }

  #refuseCreation(request: IncomingMessage, response: ServerResponse): void {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => (body += text));
    request.on('end', () => {
      this.creations.push(body);
      send(response, 403, { code: 'insufficient_plan', message: 'too many browsers' });
    });
  }

  #list(url: URL, response: ServerResponse): void {
    const query = url.searchParams.get('query') ?? '';
    const found = this.sessions.filter(({ name }) => name.includes(query));
    const offset = Number(url.searchParams.get('offset'));
    const end = Math.min(offset + Number(url.searchParams.get('limit')), found.length);
    const hasMore = end < found.length;
    const headers = { 'x-has-more': String(hasMore), 'x-next-offset': String(hasMore ? end : 0) };
    setTimeout(send, this.listMs, response, 200, found.slice(offset, end).map(record), headers);
  }
}

function record({ session_id, name }: FakeSession): Record<string, unknown> {
  return {
    session_id,
    name,
    created_at: '2026-05-01T12:00:00Z',
    cdp_ws_url: 'ws://127.0.0.1:9/cdp',
    webdriver_ws_url: '',
    browser_live_view_url: LIVE_VIEW,
    headless: false,
    stealth: false,
    timeout_seconds: 600,
  };
}

function send(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}
