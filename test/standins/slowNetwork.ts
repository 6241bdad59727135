import assert from 'node:assert/strict';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { AddressSwap } from './addressSwap';
import { Bandwidth, DelayLine } from './delayLine';

/** `up`: from the client to the service. */
export type Direction = 'up' | 'down';

/** A network between a client and a service. */
export interface NetworkOptions {
  /** How long bytes are under way, in milliseconds: 0 by default. */
  upMs?: number;
  downMs?: number;
  /** Up to so many milliseconds are added by chance to each direction's time; order is kept all the same. 0 by default. */
  jitterMs?: number;
  /** What all connections together may send in one direction; infinite by default. */
  upBytesPerSecond?: number;
  downBytesPerSecond?: number;
  /** Round trips until a new connection carries its first bytes: 1 by default, as TCP has it; with TLS 1.2 it would be 3. */
  setUpRoundTrips?: number;
  /** Gives a number from 0 to below 1. */
  random?: () => number;
  /** Called with bytes at the client: when it sends them, and when they arrive there. Connections are numbered from 1 on. */
  onBytes?: (direction: Direction, connection: number, bytes: Buffer) => void;
}

/** What has passed the network so far. */
export interface Traffic {
  connections: number;
  up: number;
  down: number;
}

const POLL_MS = 5;

/**
 * A proxy on loopback that carries bytes between clients and one service on 127.0.0.1 as a distant network would: HTTP and websockets
 * alike. The addresses that the service gives out lead through the proxy, and the service is called by its own name.
 */
export class SlowNetwork {
  readonly port: number;
  readonly #pairs = new Set<readonly Socket[]>();
  readonly #traffic: Traffic = { connections: 0, up: 0, down: 0 };
  #lastMoved = 0;
  readonly #bandwidth: Readonly<Record<Direction, Bandwidth>>;

  private constructor(
    private readonly server: Server,
    private readonly service: number,
    private readonly options: NetworkOptions,
  ) {
    this.port = portOf(server);
    const { upBytesPerSecond = Infinity, downBytesPerSecond = Infinity } = options;
    this.#bandwidth = { up: new Bandwidth(upBytesPerSecond), down: new Bandwidth(downBytesPerSecond) };
    server.on('connection', (socket) => this.#connect(socket));
  }

  /** Starts one in front of the service at `address`. */
  static async start(address: string, options: NetworkOptions = {}): Promise<SlowNetwork> {
    const { hostname, port } = new URL(address);
    assert.equal(hostname, '127.0.0.1');
    return new SlowNetwork(await listen(port.length), Number(port), options);
  }

  /** The address of the service for clients. */
  get baseUrl(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Connections and bytes since the start, as the client sees them: bytes upwards when they were sent, downwards when they arrived. */
  get traffic(): Traffic {
    return { ...this.#traffic };
  }

  /** Resolves when nothing has moved for so many milliseconds; rejects when that does not come about within `limitMs`. */
  async quiet(ms: number, limitMs: number): Promise<void> {
    const limit = performance.now() + limitMs;
    while (performance.now() - this.#lastMoved < ms) {
      if (performance.now() > limit) {
        throw new Error(`the network was never quiet for ${ms} ms within ${limitMs / 1000} s`);
      }
      await delay(POLL_MS);
    }
  }

  /** Ends all connections at once; new ones are carried. */
  cut(): void {
    for (const pair of this.#pairs) for (const socket of pair) socket.destroy();
  }

  /** Ends all connections at once, and carries no more. */
  async close(): Promise<void> {
    this.cut();
    await new Promise((resolve) => this.server.close(resolve));
  }

  #connect(client: Socket): void {
    const { upMs = 0, downMs = 0, setUpRoundTrips = 1, onBytes } = this.options;
    const service = connect({ port: this.service, host: '127.0.0.1', allowHalfOpen: true });
    const number = (this.#traffic.connections += 1);
    const count = (direction: Direction, bytes: Buffer): void => {
      this.#traffic[direction] += bytes.length;
      this.#lastMoved = performance.now();
      onBytes?.(direction, number, bytes);
    };
    const opensAt = performance.now() + setUpRoundTrips * (upMs + downMs);
    const up = this.#line('up', client, service, upMs, opensAt, () => undefined);
    const down = this.#line('down', service, client, downMs, 0, (bytes) => count('down', bytes));
    const pair = [client, service];
    this.#pairs.add(pair);
    carry(client, up, new AddressSwap(this.port, this.service), (bytes) => count('up', bytes));
    carry(service, down, new AddressSwap(this.service, this.port), () => undefined);
    client.once('close', () => down.drop());
    service.once('close', () => up.drop());
    for (const socket of pair) {
      socket.setNoDelay(true);
      socket.once('close', () => {
        if (pair.every(({ closed }) => closed)) this.#pairs.delete(pair);
      });
    }
  }

  #line(
    direction: Direction,
    source: Socket,
    target: Socket,
    ms: number,
    opensAt: number,
    onArrival: (bytes: Buffer) => void,
  ): DelayLine {
    const { jitterMs = 0, random = Math.random } = this.options;
    const delayMs = (): number => ms + random() * jitterMs;
    return new DelayLine(source, target, { bandwidth: this.#bandwidth[direction], delayMs, opensAt, onArrival });
  }
}

/** Sends what comes from a socket over a line. */
function carry(source: Socket, line: DelayLine, swap: AddressSwap, onSent: (bytes: Buffer) => void): void {
  const send = (bytes: Buffer): void => {
    if (bytes.length > 0) line.send(bytes);
  };
  source.on('data', (bytes: Buffer) => {
    onSent(bytes);
    send(swap.next(bytes));
  });
  source.once('end', () => {
    send(swap.rest());
    line.send('end');
  });
  // An error is followed by `close`.
  source.on('error', () => undefined);
  source.once('close', () => line.send('cut'));
}

/** A server on a port of so many digits: lengths in HTTP stay right when one port takes the place of the other. */
async function listen(digits: number): Promise<Server> {
  for (;;) {
    const server = createServer({ allowHalfOpen: true });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    if (String(portOf(server)).length === digits) return server;
    server.close();
  }
}

function portOf(server: Server): number {
  const address = server.address();
  assert(typeof address === 'object' && address !== null);
  return address.port;
}
