import assert from 'node:assert/strict';
import { createServer, type RequestListener, type Server } from 'node:http';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { fieldOf } from '../../../src/base/fields';
import { forward, ForwardError, type ForwardOptions } from '../../../src/bridge/forward';
import { fulfilmentOf } from '../../../src/bridge/fulfilment';
import { type PausedRequest, pausedRequestOf } from '../../../src/bridge/pausedRequest';

describe('a request that is forwarded to a server of this machine', () => {
  let server: Server | undefined;
  let port = 0;

  const serve = async (listener: RequestListener): Promise<void> => {
    const started = createServer(listener);
    server = started;
    await new Promise<void>((resolve) => started.listen(0, '127.0.0.1', resolve));
    port = Number(fieldOf(started.address(), 'port'));
  };

  afterEach(() => {
    server?.closeAllConnections();
    server?.close();
  });

  const request = (fields: Partial<PausedRequest> = {}): PausedRequest => ({
    requestId: '1',
    method: 'GET',
    url: new URL(`http://localhost:${port}/path?query=1`),
    headers: new Map([
      ['accept-encoding', 'gzip'],
      ['connection', 'keep-alive'],
      ['x-mine', 'yes'],
    ]),
    frameId: 'page',
    resourceType: 'XHR',
    body: undefined,
    hasFile: false,
    ...fields,
  });
  const send = (fields?: Partial<PausedRequest>, options?: ForwardOptions): ReturnType<typeof forward> =>
    forward(request(fields), new AbortController().signal, options);
  const faultOf = async (sending: Promise<unknown>): Promise<string> =>
    sending.then(
      () => 'none',
      (error: unknown) => (error instanceof ForwardError ? error.fault : String(error)),
    );

  it('has its method, path, headers and body, and asks for no compression', async () => {
    const seen: unknown[] = [];
    await serve((asked, response) => {
      const { method, url, headers } = asked;
      asked.on('data', (bytes) => seen.push(String(bytes)));
      asked.on('end', () => {
        seen.push(method, url, headers.host, headers['x-mine'], headers['accept-encoding'], headers['content-length']);
        response.end();
      });
    });
    await send({ method: 'POST', body: Buffer.from('body') });
    assert.deepEqual(seen, ['body', 'POST', '/path?query=1', `localhost:${port}`, 'yes', 'identity', '4']);
  });

  it('gets status, headers, several of one name, and the body of the answer, but nothing of the connection', async () => {
    await serve((_asked, response) => {
      response.writeHead(
        201,
        'Made',
        [
          ['Set-Cookie', 'a=1'],
          ['Set-Cookie', 'b=2'],
          ['X-Its', 'header'],
        ].flat(),
      );
      response.end('answer');
    });
    const { status, statusText, headers, body } = await send();
    assert.deepEqual([status, statusText, String(body)], [201, 'Made', 'answer']);
    const named = headers.filter(({ name }) => name !== 'Date').map(({ name, value }) => `${name}: ${value}`);
    assert.deepEqual(named, ['Set-Cookie: a=1', 'Set-Cookie: b=2', 'X-Its: header']);
  });

  it('has the bytes of its headers, as the answer has, so that a cookie comes back as it was set', async () => {
    const cookie = 'name=Zoë €';
    const bytes = Buffer.from(cookie).toString('latin1');
    let seen: string | undefined;
    await serve((asked, response) => {
      seen = asked.headers.cookie;
      response.writeHead(200, { 'set-cookie': bytes, 'x-latin1': 'Zo\xeb' }).end();
    });
    const { url } = request();
    const paused = pausedRequestOf({ requestId: '1', request: { url: url.href, method: 'GET', headers: { cookie } } });
    assert.ok(paused);
    const answer = await send(paused);
    assert.equal(seen, bytes);
    const { binaryResponseHeaders = '' } = fulfilmentOf('1', answer);
    const lines = Buffer.from(binaryResponseHeaders, 'base64').toString('latin1').split('\0');
    assert.ok(lines.includes(`set-cookie: ${bytes}`) && lines.includes('x-latin1: Zo\xeb'), lines.join());
  });

  it('gets the status text as the server has sent it, also none', async () => {
    const phrases = ['', Buffer.from('Schön €').toString('latin1'), 'Made'];
    await serve((asked, response) => response.writeHead(299, phrases[Number(asked.url?.slice(1))]).end());
    const texts: unknown[] = [];
    for (const at of phrases.keys()) {
      const answer = await send({ url: new URL(`http://localhost:${port}/${at}`) });
      texts.push([answer.statusText, fulfilmentOf('1', answer).responsePhrase]);
    }
    assert.deepEqual(texts, [
      ['', ' '],
      [phrases[1], 'Schön €'],
      ['Made', 'Made'],
    ]);
  });

  it('gets the length that the server names, as long as it is that of the body', async () => {
    const bytes = gzipSync('answer');
    await serve(({ url }, response) => {
      if (url === '/compressed') response.setHeader('content-encoding', 'gzip');
      if (url === '/parts') response.flushHeaders();
      else response.setHeader('content-length', bytes.length);
      response.end(bytes);
    });
    const lengthOf = async (path: string, method = 'GET'): Promise<string | undefined> => {
      const { headers } = await send({ method, url: new URL(path, `http://localhost:${port}`) });
      return headers.find(({ name }) => name.toLowerCase() === 'content-length')?.value;
    };
    const length = String(bytes.length);
    const lengths = [await lengthOf('/whole'), await lengthOf('/whole', 'HEAD'), await lengthOf('/compressed')];
    assert.deepEqual([...lengths, await lengthOf('/parts')], [length, length, undefined, undefined]);
  });

  it('gets a redirect as an answer', async () => {
    await serve((_asked, response) => response.writeHead(302, { location: 'https://elsewhere.test/' }).end());
    const { status, headers } = await send();
    assert.deepEqual(
      [status, headers.find(({ name }) => name === 'location')?.value],
      [302, 'https://elsewhere.test/'],
    );
  });

  it('gets what was compressed although nobody asked for that, up to the limit, but for parts and what is broken', async () => {
    const text = 'answer'.repeat(100);
    const bodies = { gzip: gzipSync(text), deflate: deflateSync(text), br: brotliCompressSync(text) };
    let [status, length] = [200, Infinity];
    await serve(({ method, url = '' }, response) => {
      const encoding = url.slice(1) as keyof typeof bodies;
      response.writeHead(status, { 'content-encoding': encoding });
      response.end(method === 'HEAD' ? undefined : bodies[encoding].subarray(0, length));
    });
    for (const [name, bytes] of Object.entries(bodies)) {
      const url = new URL(`http://localhost:${port}/${name}`);
      status = 200;
      assert.equal(String((await send({ url })).body), text);
      assert.equal((await send({ url, method: 'HEAD' })).body.length, 0);
      assert.equal(await faultOf(send({ url }, { maxBytes: text.length - 1 })), 'tooLarge');
      length = bytes.length - 1;
      assert.equal(await faultOf(send({ url })), 'broken');
      status = 206;
      assert.deepEqual((await send({ url })).body, bytes.subarray(0, length));
      length = Infinity;
    }
  });

  it('has no answer where nothing listens', async () => {
    await serve(() => undefined);
    server?.close();
    assert.equal(await faultOf(send()), 'refused');
  });

  it('has no answer when the server ends the connection, before its answer or in it', async () => {
    await serve((asked) => asked.socket.destroy());
    assert.equal(await faultOf(send()), 'broken');
    server?.close();
    await serve((_asked, response) =>
      response.writeHead(200, { 'content-length': '9' }).write('part', () => response.destroy()),
    );
    assert.equal(await faultOf(send()), 'broken');
  });

  it('has no answer that is too large, or comes too late', async () => {
    await serve((_asked, response) => response.end(Buffer.alloc(11)));
    assert.equal(await faultOf(send({}, { maxBytes: 10 })), 'tooLarge');
    assert.equal(await faultOf(send({}, { maxBytes: 11 })), 'none');
    server?.close();
    await serve(() => undefined);
    assert.equal(await faultOf(send({}, { answerLimitMs: 5 })), 'timeout');
  });

  it('goes over the connection of another one, unless it changes something', async () => {
    const seen: unknown[] = [];
    await serve(({ socket, method }, response) => {
      seen.push([method, socket.remotePort]);
      response.end();
    });
    for (const method of ['GET', 'GET', 'POST', 'GET']) await send({ method });
    const [first, other] = [seen[0], seen[2]].map((one) => (Array.isArray(one) ? Number(one[1]) : undefined));
    assert.deepEqual(seen, [
      ['GET', first],
      ['GET', first],
      ['POST', other],
      ['GET', first],
    ]);
    assert.notEqual(first, other);
  });

  it('is sent once more when the connection of another one has ended meanwhile', async () => {
    const known = new Set<unknown>();
    const asked: unknown[] = [];
    await serve(({ socket, url }, response) => {
      asked.push(url);
      if (known.has(socket)) socket.destroy();
      else response.end('answer');
      known.add(socket);
    });
    for (let time = 0; time < 2; time++) assert.equal(String((await send()).body), 'answer');
    assert.equal(asked.length, 3);
  });

  it('is not sent with a file of which the browser tells no bytes', async () => {
    assert.equal(await faultOf(send({ hasFile: true })), 'fileUpload');
  });

  it('ends with who has asked', async () => {
    await serve(() => undefined);
    const end = new AbortController();
    const sending = forward(request(), end.signal);
    end.abort(new Error('closed'));
    await assert.rejects(sending, /closed/);
  });
});
