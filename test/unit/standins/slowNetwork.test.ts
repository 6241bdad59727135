import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { WebSocket, WebSocketServer } from 'ws';
import { SlowNetwork, type NetworkOptions } from '../../standins/slowNetwork';
import { eventually } from '../../support/eventually';

/** How long what is sent on this machine may take, in milliseconds. */
const LIMIT_MS = 5000;

/** Timers count whole milliseconds from a moment that may lie up to one before. */
const CLOCK_MS = 1;

describe('SlowNetwork', () => {
  const ends: (() => unknown)[] = [];

  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end();
  });

  it('keeps the order of bytes in both directions under jitter', async () => {
    const network = await inFrontOf(await echo(), { upMs: 2, downMs: 2, jitterMs: 8 });
    const socket = await open(network);
    const received = collect(socket);
    const sent = Array.from({ length: 200 }, (_, index) => `${index},`);
    for (const part of sent) {
      socket.write(part);
      await new Promise(setImmediate);
    }
    socket.end();
    assert.equal(await received, sent.join(''));
  });

  it('delays each direction and the first bytes of a connection', async () => {
    const network = await inFrontOf(await echo(), { upMs: 20, downMs: 30, setUpRoundTrips: 2 });
    const started = performance.now();
    const socket = await open(network);
    assert((await timeOfEcho(socket, started)) >= 150 - CLOCK_MS, 'two round trips of set-up, and one');
    assert((await timeOfEcho(socket)) >= 50 - CLOCK_MS, 'one round trip');
  });

  it('does not let the set-up of one connection hold another', async () => {
    const arrived: string[] = [];
    const service = await serve((socket) => void socket.on('data', (bytes) => arrived.push(String(bytes))));
    const network = await inFrontOf(service, { upMs: 25, setUpRoundTrips: 4 });
    const first = await open(network);
    first.write('a');
    await eventually('the first arrives', () => arrived.length === 1, LIMIT_MS);
    const second = await open(network);
    second.write('b');
    first.write('c');
    await eventually('all arrive', () => arrived.length === 3, LIMIT_MS);
    assert.deepEqual(arrived, ['a', 'c', 'b']);
  });

  it('limits what all connections send in one direction together', async () => {
    const network = await inFrontOf(await echo(), { upBytesPerSecond: 100_000 });
    const started = performance.now();
    const echoes = await Promise.all(
      ['a', 'b'].map(async (letter) => {
        const socket = await open(network);
        const received = collect(socket);
        socket.end(letter.repeat(5000));
        return received;
      }),
    );
    assert(performance.now() - started >= 100 - CLOCK_MS);
    assert.deepEqual(echoes, ['a'.repeat(5000), 'b'.repeat(5000)]);
  });

  it('carries more than its window', async () => {
    const network = await inFrontOf(await echo(), { upMs: 5, downMs: 5 });
    const socket = await open(network);
    const received = collect(socket);
    const text = 'abcdefgh'.repeat(700_000);
    socket.end(text);
    assert((await received) === text);
  });

  it('counts connections and bytes, and shows the bytes at the client', async () => {
    const seen = { up: '', down: '' };
    const network = await inFrontOf(await serve((socket) => void socket.on('data', () => socket.write('reply'))), {
      onBytes: (direction, connection, bytes) => (seen[direction] += `${connection}:${String(bytes)} `),
    });
    for (const word of ['one', 'three']) {
      const socket = await open(network);
      socket.write(word);
      await once(socket, 'data');
    }
    assert.deepEqual(network.traffic, { connections: 2, up: 8, down: 10 });
    assert.deepEqual(seen, { up: '1:one 2:three ', down: '1:reply 2:reply ' });
  });

  it('carries the end of a connection, and its loss', async () => {
    const network = await inFrontOf(
      await serve((socket) =>
        socket.once('data', (word) => (String(word) === 'end' ? socket.end() : socket.resetAndDestroy())),
      ),
      { upMs: 5, downMs: 5 },
    );
    for (const word of ['end', 'reset']) {
      const socket = await open(network);
      socket.resume();
      socket.write(word);
      await once(socket, 'close');
    }
  });

  it('ends all connections when it is closed', async () => {
    const accepted: Socket[] = [];
    const network = await inFrontOf(await serve((socket) => void accepted.push(socket)), { upMs: 1000, downMs: 1000 });
    const socket = await open(network);
    await eventually('the connection is accepted', () => accepted.length === 1, LIMIT_MS);
    const [other] = accepted;
    assert(other);
    const closed = [socket, other].map((one) => new Promise((resolve) => one.resume().once('close', resolve)));
    await network.close();
    await Promise.all(closed);
    await assert.rejects(once(connect(network.port, '127.0.0.1'), 'connect'));
  });

  it('gives the service its own name, and the client addresses that lead through the proxy', async () => {
    const server = createHttpServer((request, response) => {
      // In two parts, because the proxy would replace a whole address.
      const host = request.headers.host?.split(':');
      response.end(JSON.stringify({ host, cdp: `ws://127.0.0.1:${portOf(server)}/cdp` }));
    });
    const sockets = new WebSocketServer({ server });
    sockets.on('connection', (socket, request) => socket.send(String(request.headers.host)));
    await listen(server);
    ends.push(() => sockets.close());
    const network = await inFrontOf(portOf(server));
    const answer: unknown = await (await fetch(network.baseUrl)).json();
    assert.deepEqual(answer, {
      host: ['127.0.0.1', String(portOf(server))],
      cdp: `ws://127.0.0.1:${network.port}/cdp`,
    });
    const socket = new WebSocket(`ws://127.0.0.1:${network.port}/cdp`);
    const received: unknown[] = await once(socket, 'message');
    assert.equal(String(received[0]), `127.0.0.1:${network.port}`);
    socket.terminate();
  });

  async function inFrontOf(port: number, options?: NetworkOptions): Promise<SlowNetwork> {
    const network = await SlowNetwork.start(`http://127.0.0.1:${port}`, options);
    ends.push(() => network.close());
    return network;
  }

  async function serve(onConnection: (socket: Socket) => void): Promise<number> {
    const server = createServer((socket) => {
      socket.on('error', () => undefined);
      ends.push(() => socket.destroy());
      onConnection(socket);
    });
    await listen(server);
    return portOf(server);
  }

  function echo(): Promise<number> {
    return serve((socket) => void socket.pipe(socket));
  }

  async function listen(server: Server): Promise<void> {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    ends.push(() => server.close());
  }

  async function open(network: SlowNetwork): Promise<Socket> {
    const socket = connect(network.port, '127.0.0.1');
    socket.on('error', () => undefined);
    ends.push(() => socket.destroy());
    await once(socket, 'connect');
    return socket;
  }
});

function portOf(server: Server): number {
  const address = server.address();
  assert(typeof address === 'object' && address !== null);
  return address.port;
}

/** All that a socket receives until its end. */
async function collect(socket: Socket): Promise<string> {
  let text = '';
  socket.setEncoding('utf8').on('data', (part: string) => (text += part));
  await once(socket, 'end');
  return text;
}

/** Milliseconds until a word has come back. */
async function timeOfEcho(socket: Socket, started = performance.now()): Promise<number> {
  socket.write('word');
  await once(socket, 'data');
  return performance.now() - started;
}
