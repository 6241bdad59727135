import assert from 'node:assert/strict';
import { createServer, request, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';

/** A host name that only the proxy can resolve. */
export const PROXIED_HOST = 'service.test';

/** A forwarding proxy on loopback, as companies have them: CONNECT tunnels, and plain requests in absolute form. */
export interface ForwardProxy {
  port: number;
  /** What it was asked to reach, as `host:port`, in order. */
  targets: string[];
  /** Heads of the requests made to the proxy itself. */
  heads: IncomingMessage['headers'][];
  /** Name and password it wants, as `name:password`. */
  credentials: string | undefined;
  /** When set, it answers every request with this status instead. */
  refuseWith: number | undefined;
  close(): Promise<void>;
}

export async function startForwardProxy(): Promise<ForwardProxy> {
  const sockets = new Set<Socket>();
  const server = createServer((incoming, response) => {
    const refusal = admit(incoming, incoming.headers.host ?? '');
    if (refusal !== undefined) {
      response.writeHead(refusal).end();
      return;
    }
    const url = new URL(incoming.url ?? '');
    const { method, headers } = incoming;
    const outgoing = request({ host: '127.0.0.1', port: url.port, path: url.pathname + url.search, method, headers });
    outgoing.once('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    outgoing.once('error', () => response.destroy());
    incoming.pipe(outgoing);
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  server.on('connect', (incoming, client: Socket, head) => {
    const refusal = admit(incoming, incoming.url ?? '');
    if (refusal !== undefined) {
      client.end(`HTTP/1.1 ${refusal} Refused\r\ncontent-length: 0\r\n\r\n`);
      return;
    }
    // The proxy's own resolution: the one name that it knows is this machine.
    const [host = '', port = ''] = (incoming.url ?? '').split(':');
    const upstream = connect(Number(port), host === PROXIED_HOST ? '127.0.0.1' : host, () => {
      client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      upstream.write(head);
      client.pipe(upstream).pipe(client);
    });
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      one.once('error', () => other.destroy());
      one.once('close', () => other.destroy());
    }
  });
  const admit = (incoming: IncomingMessage, target: string): number | undefined => {
    proxy.heads.push(incoming.headers);
    proxy.targets.push(target);
    if (proxy.refuseWith !== undefined) return proxy.refuseWith;
    const wanted = proxy.credentials && `Basic ${Buffer.from(proxy.credentials).toString('base64')}`;
    return wanted !== undefined && incoming.headers['proxy-authorization'] !== wanted ? 407 : undefined;
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  assert(typeof address === 'object' && address !== null);
  const proxy: ForwardProxy = {
    port: address.port,
    targets: [],
    heads: [],
    credentials: undefined,
    refuseWith: undefined,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return proxy;
}
