import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { fieldOf } from '../../../src/base/fields';
import { CarriedSockets } from '../../../src/bridge/carriedSockets';
import type { Answer } from '../../../src/bridge/forward';
import { type PausedRequest, pausedRequestOf } from '../../../src/bridge/pausedRequest';
import { KIND, messagesIn } from '../../../src/bridge/socketMessages';
import { eventually } from '../../support/eventually';
import { TestClock } from '../../support/testClock';

/** How long what goes over real sockets of this machine may take, in milliseconds. */
const SOON_MS = 5000;

/** The most that one answer has, in bytes. */
const MAX_BYTES = 1000;

describe('channels that are carried', () => {
  let server: Server;
  let host: string;
  /** The streams of events that are open. */
  let streams: ServerResponse[];
  let carried: CarriedSockets;
  let clock: TestClock;
  let isDebugged: boolean;
  /** What was said of servers. */
  let heard: [port: number, isListening: boolean][];
  /** The cookies of the websockets that were asked for. */
  let cookies: (string | undefined)[];
  /** Opens the gate for those who wait at it. */
  let gates: (() => void)[];

  beforeEach(async () => {
    streams = [];
    cookies = [];
    gates = [];
    server = createServer(({ url }, response) => {
      if (url === '/moved') {
        response.writeHead(302, { location: Buffer.from('/zu-ö?€').toString('latin1') }).end();
        return;
      }
      response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
      streams.push(response);
    });
    server.on('upgrade', ({ headers }, socket) => {
      cookies.push(headers.cookie);
      socket.destroy();
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    host = `localhost:${String(fieldOf(server.address(), 'port'))}`;
    heard = [];
    clock = new TestClock();
    isDebugged = false;
    carried = new CarriedSockets({
      clock,
      isDebugged: () => isDebugged,
      hosts: () => new Set([host]),
      beforeMessage: () => new Promise((resolve) => gates.push(resolve)),
      forward: { host: '127.0.0.1', maxBytes: MAX_BYTES },
      onServer: (port, isListening) => heard.push([port, isListening]),
    });
  });

  afterEach(() => {
    carried.close();
    server.closeAllConnections();
    server.close();
  });

  const requestFor = (path: string, headers: Record<string, string> = {}): PausedRequest => {
    const request = pausedRequestOf({
      requestId: '1',
      frameId: 'page',
      request: { url: `http://${host}${path}`, method: 'GET', headers },
    });
    return request ?? assert.fail('it is a request');
  };
  const ask = (path: string, headers?: Record<string, string>): Promise<Answer> =>
    carried.answer(requestFor(`${carried.folder}/${path}`, headers), new AbortController().signal);
  /** The data of the events in an answer; of other messages, their kinds. */
  const saidIn = ({ body }: Answer): unknown[] =>
    messagesIn(body).map(({ kind, content }) =>
      kind === KIND.event ? fieldOf(JSON.parse(String(content)), 'data') : kind,
    );
  /** Opens a stream of events; resolves to the id of its channel. */
  const listen = async (): Promise<string> => {
    const { body } = await ask(`events?url=${encodeURIComponent(`http://${host}/events`)}`);
    return String(messagesIn(body)[0]?.content).trim();
  };
  /** What the browser is answered whose own event source asks. */
  const answerSource = async (source: PausedRequest): Promise<Answer> => {
    let answered: Answer | undefined;
    await carried.answerSource(source, new AbortController().signal, (answer) => Promise.resolve((answered = answer)));
    return answered ?? assert.fail('it is answered');
  };
  const textsIn = ({ body }: Answer): unknown => String(body).match(/(?<=data: ).*/g);
  const stream = (): ServerResponse => streams[0] ?? assert.fail('there is a stream');
  const say = (text: string): boolean => stream().write(`data: ${text}\n\n`);
  const waitsAtGate = (count: number): Promise<void> =>
    eventually('it waits at the gate', () => gates.length === count, SOON_MS);
  const openGates = (): void => {
    for (const open of gates) open();
  };

  it('hand over what had come when the gate was asked, and what comes meanwhile after a wait of its own', async () => {
    const id = await listen();
    const first = ask(`poll?id=${id}&after=0`);
    say('first build');
    await waitsAtGate(1);
    say('second build');
    const both = async (): Promise<boolean> => {
      const again = ask(`poll?id=${id}&after=0`);
      gates.at(-1)?.();
      return saidIn(await again).length === 2;
    };
    await eventually('the second message has come', both, SOON_MS);
    openGates();
    assert.deepEqual(saidIn(await first), ['first build']);
    const waits = gates.length;
    const second = ask(`poll?id=${id}&after=1`);
    assert.equal(gates.length, waits + 1);
    openGates();
    assert.deepEqual(saidIn(await second), ['second build']);
  });

  it('end when their page asks for nothing for long, and not while its code may stand at a breakpoint', async () => {
    const id = await listen();
    isDebugged = true;
    await clock.advance(60_000);
    const poll = ask(`poll?id=${id}&after=0`);
    say('after the pause');
    await waitsAtGate(1);
    openGates();
    const answer = await poll;
    assert.deepEqual([answer.status, saidIn(answer)], [200, ['after the pause']]);
    isDebugged = false;
    await clock.advance(60_000);
    assert.equal((await ask(`poll?id=${id}&after=1`)).status, 404);
  });

  it('hand over no more at once than one answer carries', async () => {
    const id = await listen();
    for (const letter of ['a', 'b']) say(letter.repeat(MAX_BYTES / 2));
    say('c');
    stream().end();
    await eventually('all have come', () => carried.count === 0, SOON_MS);
    const handed: unknown[][] = [];
    for (let after = 0; after < 4; after += handed.at(-1)?.length ?? 0) {
      const answer = ask(`poll?id=${id}&after=${after}`);
      openGates();
      handed.push(saidIn(await answer).map((said) => (typeof said === 'string' ? said.charAt(0) : said)));
    }
    assert.deepEqual(handed, [['a'], ['b', 'c', KIND.end]]);
  });

  it('lose nothing that comes with their end while the gate is awaited', async () => {
    const id = await listen();
    const source = requestFor('/events');
    const [first, ofBrowser] = [ask(`poll?id=${id}&after=0`), answerSource(source)];
    await eventually('both are open', () => streams.length === 2, SOON_MS);
    for (const each of streams) each.write('data: first\n\n');
    await waitsAtGate(2);
    for (const each of streams) each.end('data: last\n\n');
    await eventually('they have ended', () => carried.count === 0, SOON_MS);
    openGates();
    assert.deepEqual(saidIn(await first), ['first']);
    const second = ask(`poll?id=${id}&after=1`);
    assert.deepEqual(textsIn(await ofBrowser), ['first']);
    const secondOfBrowser = answerSource(source);
    await waitsAtGate(4);
    openGates();
    assert.deepEqual(saidIn(await second), ['last', KIND.end]);
    assert.deepEqual(textsIn(await secondOfBrowser), ['last']);
  });

  it('have their last message wait at the gate, and their end alone not', async () => {
    const [id, other] = [await listen(), await listen()];
    streams[0]?.end('data: last build\n\n');
    streams[1]?.end();
    await eventually('both have ended', () => carried.count === 0, SOON_MS);
    const last = ask(`poll?id=${id}&after=0`);
    assert.deepEqual(saidIn(await ask(`poll?id=${other}&after=0`)), [KIND.end]);
    assert.equal(gates.length, 1);
    openGates();
    assert.deepEqual(saidIn(await last), ['last build', KIND.end]);
  });

  it('have their end in the answer that waits at the gate when all are closed', async () => {
    const id = await listen();
    const first = ask(`poll?id=${id}&after=0`);
    say('first');
    await waitsAtGate(1);
    carried.close();
    openGates();
    assert.deepEqual(saidIn(await first), ['first', KIND.end]);
  });

  it('have the cookies of their page in the bytes that the server has set', async () => {
    await ask(`open?url=ws://${host}/`, { cookie: 'name=Zoë €' });
    assert.deepEqual(cookies, [Buffer.from('name=Zoë €').toString('latin1')]);
  });

  it('end at once when nothing can be asked for them, and take no place', async () => {
    const answer = await ask(`open?url=ws://${host}/&protocol=no%20token`);
    assert.deepEqual(saidIn(answer), [KIND.end]);
    assert.equal(carried.count, 0);
    assert.deepEqual(cookies, []);
  });

  it('say whether anything listens where they lead, of websockets and of streams alike', async () => {
    await listen();
    const { port } = new URL(`http://${host}`);
    assert.deepEqual(heard, [[Number(port), true]]);
    carried.close();
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
    for (const path of [`events?url=http://${host}/events`, `open?url=ws://${host}/`]) {
      heard.length = 0;
      assert.deepEqual(saidIn(await ask(path)), [KIND.end]);
      assert.deepEqual(heard, [[Number(port), false]], path);
    }
  });

  it('of the browser itself go on after the event whose id it has, also one beyond ASCII', async () => {
    const request = requestFor('/events', { 'last-event-id': 'Zoë €' });
    const answered = answerSource(request);
    await eventually('it is open', () => streams.length === 1, SOON_MS);
    say('next');
    await waitsAtGate(1);
    openGates();
    assert.equal(stream().req.headers['last-event-id'], Buffer.from('Zoë €').toString('latin1'));
    assert.match(String((await answered).body), /id: Zoë €\n/);
  });

  it('of the browser itself lose nothing with an answer that cannot be sent', async () => {
    const source = requestFor('/events');
    const lost = assert.rejects(
      carried.answerSource(source, new AbortController().signal, () => Promise.reject(new Error('lost'))),
      /lost/,
    );
    await eventually('it is open', () => streams.length === 1, SOON_MS);
    say('one');
    await waitsAtGate(1);
    say('two');
    openGates();
    await lost;
    const again = answerSource(source);
    await waitsAtGate(2);
    openGates();
    assert.match(String((await again).body), /data: one\n/);
    assert.equal(streams.length, 1);
  });

  it('of the browser itself come again after the pause of the server, also one that an earlier answer had', async () => {
    const source = requestFor('/events');
    const first = answerSource(source);
    await eventually('it is open', () => streams.length === 1, SOON_MS);
    stream().write('retry: 50\n\ndata: one\n\n');
    await waitsAtGate(1);
    openGates();
    assert.match(String((await first).body), /^retry: 1\n/);
    stream().end();
    await eventually('it has ended', () => carried.count === 0, SOON_MS);
    assert.match(String((await answerSource(source)).body), /^retry: 50\n/);
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
    assert.match(String((await answerSource(source)).body), /^retry: 50\n/, 'The server has not started again yet.');
    carried.closeSourcesOf('page');
    assert.match(String((await answerSource(source)).body), /^retry: 3000\n/, 'The page is another one.');
  });

  it('follow a redirect to an address beyond ASCII, as the browser does', async () => {
    await ask(`events?url=${encodeURIComponent(`http://${host}/moved`)}`);
    assert.equal(stream().req.url, '/zu-%C3%B6?%E2%82%AC');
  });
});
