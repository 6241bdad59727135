import assert from 'node:assert/strict';
import { connect, createServer, type Socket } from 'node:net';
import type { Chance } from './client.random';

/**
 * What happens to one request on its way. `cutBefore`: nothing of it arrives. `cutUpload`: only a part arrives.
 * `cutAfter`: all of it arrives and the connection is gone at once. `cutAnswer`: nothing of the answer comes back.
 * `truncate`: a part of the answer comes back. `delay`: both ways are slow. `swallow`: the answer never comes and the
 * connection stays.
 */
export type Fate = 'none' | 'cutBefore' | 'cutUpload' | 'cutAfter' | 'cutAnswer' | 'truncate' | 'delay' | 'swallow';

/** Longest delay of each way, in milliseconds. */
const LONGEST_DELAY_MS = 60;

const REQUEST_LINE = /^(GET|POST|PUT|PATCH|DELETE) (\S+) HTTP\/1\.1\r\n/;

/** A proxy on loopback that carries bytes to a local service, and spoils requests as `nextFate` says. */
export interface FaultyProxy {
  port: number;
  /** Decides the fate of the next request. */
  nextFate: () => Fate;
  /** Each request that was begun, as `method path`. */
  begun: string[];
  close(): Promise<void>;
}

export async function startFaultyProxy(target: URL, chance: Chance): Promise<FaultyProxy> {
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.once('close', () => {
        sockets.delete(socket);
        cut();
      });
    }
    const cut = (): void => {
      client.destroy();
      upstream.destroy();
    };
    let fate: Fate = 'none';
    /** The same for all of a request, so that its bytes stay in order. */
    let delayMs = 0;
    /** Bytes that still may pass, up and down, before the connection is cut. */
    let upLeft = Infinity;
    let downLeft = Infinity;

    client.on('data', (chunk: Buffer) => {
      const head = REQUEST_LINE.exec(chunk.toString('latin1'));
      if (head) {
        proxy.begun.push(`${head[1]} ${head[2]}`);
        fate = proxy.nextFate();
        delayMs = chance.below(LONGEST_DELAY_MS);
        const bytes = withHost(chunk, `127.0.0.1:${proxy.port}`, target.host);
        const whole = lengthOf(bytes);
        upLeft =
          fate === 'cutBefore'
            ? 0
            : fate === 'cutUpload'
              ? chance.below(whole)
              : fate === 'cutAfter'
                ? whole
                : Infinity;
        downLeft = fate === 'truncate' ? 1 + chance.below(200) : fate === 'cutAnswer' ? 0 : Infinity;
        send(bytes);
      } else {
        send(chunk);
      }
    });
    const send = (chunk: Buffer): void => {
      const passing = chunk.subarray(0, Math.min(upLeft, chunk.length));
      upLeft -= chunk.length;
      if (fate === 'delay') {
        setTimeout(() => upstream.write(passing), delayMs);
      } else if (upLeft <= 0) {
        // What was let through arrives before the end does.
        upstream.end(passing, cut);
      } else if (!upstream.write(passing)) {
        client.pause();
        upstream.once('drain', () => client.resume());
      }
    };
    upstream.on('data', (chunk: Buffer) => {
      if (fate === 'swallow') return;
      const passing = chunk.subarray(0, Math.min(downLeft, chunk.length));
      downLeft -= chunk.length;
      if (downLeft <= 0) client.end(passing, cut);
      else if (fate === 'delay') setTimeout(() => client.write(passing), delayMs);
      else client.write(passing);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  assert(typeof address === 'object' && address !== null);
  const proxy: FaultyProxy = {
    port: address.port,
    nextFate: () => 'none',
    begun: [],
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return proxy;
}

/** The service knows its own name only, to keep web pages out; so the proxy puts it in. */
function withHost(chunk: Buffer, from: string, to: string): Buffer {
  const at = chunk.indexOf(`host: ${from}`);
  assert(at >= 0, 'a request names its host in its first bytes');
  return Buffer.concat([
    chunk.subarray(0, at),
    Buffer.from(`host: ${to}`),
    chunk.subarray(at + `host: ${from}`.length),
  ]);
}

/** Bytes of the whole request whose first ones are `chunk`. */
function lengthOf(chunk: Buffer): number {
  const end = chunk.indexOf('\r\n\r\n');
  assert(end >= 0, 'the head of a request comes in one piece');
  const length = /\r\ncontent-length: (\d+)/i.exec(chunk.subarray(0, end).toString('latin1'))?.[1] ?? '0';
  return end + 4 + Number(length);
}
