import assert from 'node:assert/strict';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';

/** A request as it came over the wire. */
export interface Recorded {
  method: string;
  /** Path and query as sent. */
  url: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** An answer; without a status it is 200, and an object as body goes out as JSON. */
export interface Reply {
  status?: number;
  headers?: Record<string, string>;
  body?: unknown;
}

/** Decides the answer to a request; undefined when it has dealt with the response itself. */
export type Responder = (request: Recorded, response: ServerResponse) => Reply | undefined;

/** A server on loopback that writes down every request of a client. */
export interface Recorder {
  baseUrl: URL;
  requests: Recorded[];
  responder: Responder;
  close(): Promise<void>;
}

/** Starts a recorder that answers everything with `responder`, which may be replaced. */
export async function startRecorder(responder: Responder = () => ({})): Promise<Recorder> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      const recorded = { method, url, headers, body: Buffer.concat(chunks) };
      // The tests of security, which may run beside, look for DevTools at each port of this machine.
      if (url !== '/json/version') recorder.requests.push(recorded);
      const reply = recorder.responder(recorded, response);
      if (reply) send(response, reply);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  assert(typeof address === 'object' && address !== null);
  const recorder: Recorder = {
    baseUrl: new URL(`http://127.0.0.1:${address.port}`),
    requests: [],
    responder,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return recorder;
}

function send(response: ServerResponse, { status = 200, headers = {}, body }: Reply): void {
  const isRaw = typeof body === 'string' || body instanceof Uint8Array;
  response.writeHead(
    status,
    isRaw || body === undefined ? headers : { 'content-type': 'application/json', ...headers },
  );
  response.end(isRaw || body === undefined ? body : JSON.stringify(body));
}
