import assert from 'node:assert/strict';
import { getEventListeners, once } from 'node:events';
import { WebSocketServer } from 'ws';
import { realClock } from '../../../../src/base/clock';
import { fieldOf } from '../../../../src/base/fields';
import { CarriedSockets } from '../../../../src/bridge/carriedSockets';
import { pausedRequestOf } from '../../../../src/bridge/pausedRequest';
import { carrySockets } from '../../../../src/devtools/inPage/socketCalls';
import { eventually } from '../../../support/eventually';
import { FakePage } from '../../../support/fakePage';

/** A socket, as scripts know it. */
interface Socket extends EventTarget {
  readyState: number;
  protocol: string;
  bufferedAmount: number;
  binaryType: string;
  onopen: (() => void) | null;
  onclose: ((event: { code: number; reason: string; wasClean: boolean }) => void) | null;
  onmessage: ((event: { data: unknown }) => void) | null;
  send(data: unknown): void;
  close(code?: number, reason?: string): void;
}

/** How long what goes over real sockets of this machine may take, in milliseconds. */
const SOON_MS = 5000;

/** The timer of the page, which waits for nothing here. */
const TIMER = ['set', 'Timeout'].join('');

class PageEvent extends Event {
  constructor(type: string, init: object) {
    super(type);
    Object.assign(this, init);
  }
}

describe('a websocket that is carried', () => {
  let server: WebSocketServer;
  let host: string;
  let carried: CarriedSockets;
  let page: FakePage;
  /** The addresses of the sockets that were left to the browser, and what was said by them. */
  let left: string[];
  let asked: string[];
  /** What a server answers in place of the bridge; undefined where the bridge answers. */
  let answerInstead: string | undefined;
  /** Which requests are lost, by their number: on their way to the bridge, or on the way back. */
  let lostOf: (number: number) => 'request' | 'answer' | undefined;
  let requests: number;
  /** Called when an answer has come to the page, before it is read. */
  let onAnswer: () => void;
  /** The clock of the page, in milliseconds: whatever waits goes on at once. */
  let now: number;
  /** The end of the bridge. */
  let end: AbortController;

  beforeEach(async () => {
    server = new WebSocketServer({
      port: 0,
      host: '127.0.0.1',
      handleProtocols: (offered) => [...offered][0] ?? false,
    });
    await once(server, 'listening');
    server.on('connection', (socket) => {
      socket.on('message', (data, isBinary) => {
        if (Buffer.isBuffer(data) && data.toString() === 'end') socket.close(4001, 'as asked');
        else socket.send(data, { binary: isBinary });
      });
    });
    host = `localhost:${String(fieldOf(server.address(), 'port'))}`;
    carried = new CarriedSockets({ clock: realClock, hosts: () => new Set([host]), forward: { host: '127.0.0.1' } });
    left = [];
    asked = [];
    answerInstead = undefined;
    lostOf = (): undefined => undefined;
    requests = 0;
    onAnswer = (): void => undefined;
    now = 0;
    end = new AbortController();
    /** As the bridge answers a page. */
    const fetch = async (url: string, { method, body }: { method: string; body?: Uint8Array }): Promise<object> => {
      const entries = body && { postDataEntries: [{ bytes: Buffer.from(body).toString('base64') }] };
      const request = pausedRequestOf({ requestId: '1', frameId: 'page', request: { url, method, ...entries } });
      assert.ok(request && carried.takes(request));
      asked.push(new URL(url).pathname.split('/').at(-1) ?? '');
      const lost = lostOf((requests += 1));
      if (lost === 'request') throw new TypeError('Failed to fetch');
      const answered = await carried.answer(request, end.signal);
      if (lost === 'answer') throw new TypeError('Failed to fetch');
      const { status } = answered;
      const bytes = answerInstead === undefined ? answered.body : Buffer.from(answerInstead);
      const arrayBuffer = (): Promise<ArrayBuffer> => {
        onAnswer();
        return Promise.resolve(new Uint8Array(bytes).buffer);
      };
      return { ok: status === 200, arrayBuffer };
    };
    const realOnes = new WeakSet();
    class WebSocket extends EventTarget {
      constructor(url: string) {
        super();
        left.push(url);
        realOnes.add(this);
      }

      send(data: string): void {
        assert.ok(realOnes.has(this), 'Illegal invocation');
        left.push(data);
      }

      close(): void {
        assert.ok(realOnes.has(this), 'Illegal invocation');
        left.push('close');
      }
    }
    const types = {
      EventTarget,
      Event,
      MessageEvent: PageEvent,
      CloseEvent: PageEvent,
      DOMException,
      Blob,
      TextDecoder,
      URL,
      TypeError,
      performance: { now: () => now },
      [TIMER]: (act: () => void, ms: number): void => {
        now += ms;
        setImmediate(act);
      },
    };
    page = new FakePage({
      ...types,
      ArrayBuffer,
      Uint8Array,
      DataView,
      WebSocket,
      fetch,
      location: { href: 'https://site.test/' },
      addEventListener: () => undefined,
    });
    page.handle(carrySockets, [host], carried.folder);
  });

  afterEach(async () => {
    carried.close();
    for (const socket of server.clients) socket.terminate();
    await new Promise((resolve) => server.close(resolve));
  });

  const open = (url = `ws://${host}/path`, protocols?: string | string[]): Socket => {
    const made: unknown = Reflect.construct(Reflect.get(page.window as object, 'WebSocket') as new () => object, [
      url,
      protocols,
    ]);
    return made as Socket;
  };
  const opened = async (protocols?: string): Promise<Socket> => {
    const socket = open(undefined, protocols);
    await new Promise<void>((resolve) => (socket.onopen = resolve));
    return socket;
  };
  const ended = (socket: Socket): Promise<unknown> =>
    new Promise((resolve) => {
      socket.onclose = ({ code, reason, wasClean }): void => resolve([code, reason, wasClean]);
    });

  it('opens with its protocol, and is a WebSocket to code that asks', async () => {
    const socket = await opened('chat');
    assert.deepEqual([socket.protocol, socket.readyState], ['chat', 1]);
    assert.ok(socket instanceof (Reflect.get(page.window as object, 'WebSocket') as new () => object));
    assert.deepEqual(left, []);
  });

  it('carries texts and bytes in their order, whole, in few requests', async () => {
    const socket = await opened();
    socket.binaryType = 'arraybuffer';
    const received: unknown[] = [];
    socket.onmessage = ({ data }): void => {
      received.push(typeof data === 'string' ? data : Buffer.from(data as ArrayBuffer).toString('hex'));
    };
    const before = asked.length;
    for (let at = 0; at < 50; at++) socket.send(`${at} äö`);
    socket.send(new Uint8Array([0, 255, 1, 2]).subarray(1, 3));
    socket.send(new Blob(['blob']));
    socket.send(2 ** 40);
    socket.send(null);
    socket.send('last');
    const texts = Array.from({ length: 50 }, (_, at) => `${at} äö`);
    const all = [...texts, 'ff01', Buffer.from('blob').toString('hex'), String(2 ** 40), 'null', 'last'];
    await eventually(
      () => received.length,
      () => received.length === all.length,
      SOON_MS,
    );
    assert.deepEqual(received, all);
    await eventually('all has gone', () => socket.bufferedAmount === 0, SOON_MS);
    assert.ok(asked.slice(before).filter((path) => path === 'send').length < 10);
    assert.ok(getEventListeners(end.signal, 'abort').length <= 1, 'Requests that were answered wait for nothing.');
  });

  it('gives bytes as a Blob by itself', async () => {
    const socket = await opened();
    const received = new Promise((resolve) => (socket.onmessage = ({ data }): void => resolve(data)));
    socket.send(new Uint8Array([7]).buffer);
    const blob = await received;
    assert.ok(blob instanceof Blob);
    assert.deepEqual([...new Uint8Array(await blob.arrayBuffer())], [7]);
  });

  it('ends with the code and the reason of either side', async () => {
    const [first, second] = [await opened(), await opened()];
    const ends = [ended(first), ended(second)];
    first.send('end');
    second.close(4000, 'enough');
    assert.equal(second.readyState, 2);
    assert.deepEqual(await Promise.all(ends), [
      [4001, 'as asked', true],
      [4000, 'enough', true],
    ]);
    await eventually('none is left', () => carried.count === 0, SOON_MS);
  });

  it('closes without an error when it is lost, with its server or its bridge', async () => {
    const [first, second] = [await opened(), await opened()];
    const errors: unknown[] = [];
    for (const socket of [first, second]) socket.addEventListener('error', (event) => errors.push(event));
    const ends = [ended(first), ended(second)];
    for (const socket of server.clients) socket.terminate();
    assert.deepEqual(await ends[0], [1006, '', false]);
    carried.close();
    assert.deepEqual(await ends[1], [1006, '', false]);
    assert.deepEqual(errors, []);
  });

  it('goes on after the line was lost: nothing is missing, and nothing comes twice', async () => {
    const socket = await opened();
    const received: unknown[] = [];
    socket.onmessage = ({ data }): void => void received.push(data);
    // Half of them, in an order without a short period.
    lostOf = (number) =>
      (['request', 'answer', undefined, undefined] as const)[Math.floor(number * 0.7548776662 * 4) % 4];
    const texts = Array.from({ length: 60 }, (_, at) => String(at));
    for (const text of texts) {
      socket.send(text);
      await new Promise((resolve) => setImmediate(resolve));
    }
    await eventually(
      () => received.join(),
      () => received.length >= texts.length,
      SOON_MS,
    );
    assert.deepEqual(received, texts);
    const closed = ended(socket);
    socket.send('end');
    assert.deepEqual(await closed, [4001, 'as asked', true]);
  });

  it('is lost when the line does not come back within ten seconds', async () => {
    const socket = await opened();
    const closed = ended(socket);
    lostOf = () => 'request';
    socket.send('wakes what waits');
    assert.deepEqual(await closed, [1006, '', false]);
    assert.ok(now > 10_000 && now < 25_000, `${now} ms`);
  });

  it('is answered again when the line is lost on which it waits', async () => {
    const socket = await opened();
    const received = new Promise((resolve) => (socket.onmessage = ({ data }): void => resolve(data)));
    await eventually('it waits', () => asked.at(-1) === 'poll', SOON_MS);
    carried.release();
    await eventually('it asks again', () => asked.filter((one) => one === 'poll').length > 1, SOON_MS);
    socket.send('still there');
    assert.equal(await received, 'still there');
  });

  /** The events of a socket with its state in each, which begin after it was closed. */
  const closedBeforeItIsOpen = (socket: Socket): (string | number)[] => {
    socket.close();
    const events: (string | number)[] = [socket.readyState];
    for (const type of ['open', 'error', 'close'])
      socket.addEventListener(type, () => events.push(type, socket.readyState));
    return events;
  };
  const CLOSED = [2, 'error', 3, 'close', 3];

  it('is closed in a later task when it is closed before it is open, and at the server, too', async () => {
    const upgraded = once(server, 'headers');
    const socket = open();
    await upgraded;
    const events = closedBeforeItIsOpen(socket);
    assert.deepEqual(asked, ['open', 'gone'], 'The bridge knows at once.');
    await Promise.resolve();
    assert.deepEqual(events, [2]);
    await eventually(
      () => events.join(),
      () => events.length === CLOSED.length,
      SOON_MS,
    );
    await eventually('the server has none', () => carried.count === 0 && server.clients.size === 0, SOON_MS);
    assert.deepEqual([events, socket.readyState], [CLOSED, 3]);
  });

  it('is closed as well when it is closed while the answer comes that it is open', async () => {
    const socket = open();
    let events: unknown[] = [];
    onAnswer = (): void => {
      onAnswer = (): void => undefined;
      events = closedBeforeItIsOpen(socket);
    };
    await eventually('the bridge hears that the socket is gone', () => asked.includes('gone'), SOON_MS);
    await eventually('the server has none', () => carried.count === 0 && server.clients.size === 0, SOON_MS);
    await eventually('it has ended', () => events.length === CLOSED.length, SOON_MS);
    assert.deepEqual([events, asked], [CLOSED, ['open', 'gone']]);
  });

  it('fails as any other where nothing listens', async () => {
    await new Promise((resolve) => server.close(resolve));
    const socket = open();
    let errors = 0;
    socket.addEventListener('error', () => errors++);
    assert.deepEqual([await ended(socket), errors], [[1006, '', false], 1]);
  });

  it('fails where a server answers in place of the bridge, with a page for all that it is asked', async () => {
    answerInstead = '<!doctype html><title>App</title>';
    assert.deepEqual(await ended(open()), [1006, '', false]);
  });

  it('is left to the browser when it leads elsewhere', () => {
    const others = ['wss://site.test/', `wss://${host}/`, 'ws://localhost:1/', 'ws://'];
    for (const url of others) open(url);
    assert.deepEqual(left, others);
    assert.deepEqual(asked, []);
  });

  it('is left to the browser when it asks for what no websocket may have, which throws', () => {
    open(undefined, ['chat', 'chat']);
    open(undefined, 'a b');
    open(`ws://${host}/#part`);
    assert.equal(left.length, 3);
    assert.deepEqual(asked, []);
  });

  it('takes what a websocket takes, and nothing else', async () => {
    const socket = open();
    assert.throws(() => {
      socket.send('too early');
    }, /CONNECTING/);
    await new Promise<void>((resolve) => (socket.onopen = resolve));
    assert.throws(() => {
      socket.close(1001);
    }, /1000, or between 3000 and 4999/);
    assert.throws(() => {
      socket.close(1000, 'x'.repeat(124));
    }, /123 bytes/);
    socket.close();
    socket.send('too late');
  });

  it('is one of a class that extends WebSocket, whose own methods are called', async () => {
    const WebSocket = Reflect.get(page.window as object, 'WebSocket') as new (url: string) => Socket;
    const said: string[] = [];
    class Chat extends WebSocket {
      id = 'chat';

      override send(data: string): void {
        said.push(data);
        super.send(`${data}!`);
      }

      next(): string {
        return this.id;
      }
    }
    const socket = new Chat(`ws://${host}/`);
    await new Promise<void>((resolve) => (socket.onopen = resolve));
    const received = new Promise((resolve) => (socket.onmessage = ({ data }): void => resolve(data)));
    socket.send('carried');
    assert.equal(await received, 'carried!');
    assert.ok(socket instanceof WebSocket && socket.next() === 'chat');
    const closed = ended(socket);
    socket.close(4000, 'enough');
    assert.deepEqual(await closed, [4000, 'enough', true]);
    const other = new Chat('ws://localhost:1/');
    other.send('real');
    other.close();
    assert.deepEqual(left, ['ws://localhost:1/', 'real!', 'close']);
    assert.deepEqual(said, ['carried', 'real']);
  });

  it('goes on when code gives it names of its own', async () => {
    const socket = await opened();
    Object.assign(socket, { id: 'mine', base: 'mine', received: 7 });
    const received = new Promise((resolve) => (socket.onmessage = ({ data }): void => resolve(data)));
    socket.send('still there');
    assert.equal(await received, 'still there');
  });

  it('is set up once', () => {
    const before = Reflect.get(page.window as object, 'WebSocket') as unknown;
    page.handle(carrySockets, [host], carried.folder);
    assert.equal(Reflect.get(page.window as object, 'WebSocket'), before);
  });

  it('has a secret in its address, and is refused at another', async () => {
    assert.match(carried.folder, /^\/\.sideload\/[\da-f-]{36}$/);
    const of = (path: string) => pausedRequestOf({ requestId: '1', request: { url: `http://${host}${path}` } });
    const guessed = of('/.sideload/guess/poll');
    assert.ok(guessed && !carried.takes(guessed));
    const unknown = of(`${carried.folder}/poll?id=unknown`);
    assert.ok(unknown);
    assert.equal((await carried.answer(unknown, new AbortController().signal)).status, 404);
  });
});
