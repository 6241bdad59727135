// Covers: test/fixtures/sample
import assert from 'node:assert/strict';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { connectDevTools, DevToolsError } from '../../src/devtools/protocol/connect';
import { TestEngine } from '../support/testEngine';
import { ServiceClient } from '../../src/service/client';
import { ServiceError } from '../../src/service/serviceErrors';
import { silentLogger } from '../../src/service/logger';
import { USUAL_ORDER } from '../support/usualOrder';
import { addressOf } from '../support/devToolsAddress';

const MEBIBYTE = 1024 * 1024;

/** What a connection and its streams buffer beyond what the client has read, in bytes. */
const BUFFERED_BYTES = 16 * MEBIBYTE;

/** Far longer than any test: the other limits are meant. */
const LIMITS = { shortMs: 30_000, longMs: 30_000 };

/** For the tests of the limits of time. */
const SHORT_LIMITS = { shortMs: 1000, longMs: 1500 };

describe('hostile service', () => {
  let server: Server;
  let client: ServiceClient;
  let answer: (response: ServerResponse, url: URL) => void;
  let requests = 0;

  beforeEach((done) => {
    requests = 0;
    server = createServer((request, response) => {
      requests += 1;
      answer(response, new URL(request.url ?? '/', 'http://service.test'));
    });
    server.listen(0, '127.0.0.1', () => {
      client = newClient(LIMITS);
      done();
    });
  });

  function newClient(limits: typeof LIMITS): ServiceClient {
    const { port } = server.address() as AddressInfo;
    return new ServiceClient({
      baseUrl: new URL(`http://127.0.0.1:${port}`),
      token: 'token',
      log: silentLogger,
      retry: { attempts: 3, firstDelayMs: 1, longestDelayMs: 2 },
      limits,
    });
  }

  afterEach(async () => {
    await client.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  /** Gives operations the short limits of time. */
  async function shorten(): Promise<void> {
    await client.close();
    client = newClient(SHORT_LIMITS);
  }

  /** Writes without end until the connection is closed; the result says how much, and that it was closed. */
  function writeWithoutEnd(response: ServerResponse, chunk: Buffer): { bytes: number; isClosed: boolean } {
    const written = { bytes: 0, isClosed: false };
    const write = (): void => {
      while (!written.isClosed && response.write(chunk)) written.bytes += chunk.length;
    };
    response.on('drain', () => setImmediate(write));
    response.on('close', () => {
      written.isClosed = true;
    });
    write();
    return written;
  }

  async function failure(promise: Promise<unknown>): Promise<ServiceError> {
    const error = await promise.then(
      () => undefined,
      (reason: unknown) => reason,
    );
    assert.ok(error instanceof ServiceError, String(error));
    return error;
  }

  async function readAll(items: AsyncIterable<unknown>): Promise<void> {
    for await (const item of items) assert.ok(item);
  }

  it('cannot fill the memory with an answer without end: the connection is closed at the limit of the operation', async () => {
    const operations: [() => Promise<unknown>, number][] = [
      [() => client.getProfile('p'), 1],
      [() => client.getBrowser('b'), 16],
      [() => client.deleteBrowser('b'), 1],
      [() => client.listFiles('b', '/'), 16],
      [() => readAll(client.listBrowsers()), 16],
      [() => client.readFile('b', '/f', undefined, MEBIBYTE), 1],
    ];
    for (const [run, mebibytes] of operations) {
      requests = 0;
      let written = { bytes: 0, isClosed: false };
      answer = (response) => {
        written = writeWithoutEnd(response.writeHead(200), Buffer.alloc(64 * 1024, '['));
      };
      const error = await failure(run());
      assert.equal(error.kind, 'invalidAnswer');
      assert.match(error.message, /has more than .* MB, so it was not read/);
      assert.equal(requests, 1);
      while (!written.isClosed) await delay(5);
      assert.ok(written.bytes <= mebibytes * MEBIBYTE + BUFFERED_BYTES, `${written.bytes} bytes`);
    }
  }).timeout(20_000);

  it('has an announced length beyond the limit refused before any of it is read', async () => {
    let isClosed = false;
    answer = (response) => {
      response.writeHead(200, { 'content-length': String(10 * 1024 * MEBIBYTE) }).write('[');
      response.on('close', () => {
        isClosed = true;
      });
    };
    assert.equal((await failure(client.getProfile('p'))).kind, 'invalidAnswer');
    while (!isClosed) await delay(5);
  });

  it('has the first megabyte of an error read, and its status is kept', async () => {
    let written = { bytes: 0, isClosed: false };
    answer = (response) => {
      written = writeWithoutEnd(response.writeHead(403), Buffer.from('no entry '.repeat(8000)));
    };
    const error = await failure(client.getProfile('p'));
    assert.equal(error.kind, 'forbidden');
    assert.match(error.message, /begins with "no entry/);
    while (!written.isClosed) await delay(5);
    assert.ok(written.bytes <= MEBIBYTE + BUFFERED_BYTES, `${written.bytes} bytes`);
  });

  it('cannot hold up an operation beyond its one limit, by silence or by a byte now and then', async () => {
    await shorten();
    const silence = (): void => undefined;
    const drip = (response: ServerResponse): void => {
      response.writeHead(200);
      const timer = setInterval(() => response.write(' '), 20);
      response.on('close', () => clearInterval(timer));
    };
    for (const how of [silence, drip]) {
      answer = how;
      const started = performance.now();
      const error = await failure(client.getProfile('p'));
      assert.equal(error.kind, 'timeout');
      assert.ok(performance.now() - started < 2.5 * SHORT_LIMITS.shortMs);
    }
  }).timeout(10_000);

  it('cannot fill the memory with a list of long pages', async () => {
    let bytes = 0;
    answer = (response, url) => {
      const offset = Number(url.searchParams.get('offset'));
      const record = { id: `p${offset}`, created_at: '2026-05-01T12:00:00Z', name: 'x'.repeat(12 * MEBIBYTE) };
      const body = JSON.stringify([record]);
      bytes += body.length;
      response.writeHead(200, { 'x-has-more': 'true', 'x-next-offset': String(offset + 1) }).end(body);
    };
    const error = await failure(readAll(client.listProfiles()));
    assert.equal(error.kind, 'invalidAnswer');
    assert.match(error.message, /did not end after 7\d\.\d MB/);
    assert.ok(bytes < 80 * MEBIBYTE, `${bytes} bytes`);
  }).timeout(60_000);

  it('cannot hold up a list beyond its one limit, however many pages it has', async () => {
    await shorten();
    answer = (response, url) => {
      const offset = Number(url.searchParams.get('offset'));
      const record = { id: `p${offset}`, created_at: '2026-05-01T12:00:00Z' };
      setTimeout(() => {
        response.writeHead(200, { 'x-has-more': 'true', 'x-next-offset': String(offset + 1) });
        response.end(JSON.stringify([record]));
      }, SHORT_LIMITS.shortMs / 4);
    };
    const error = await failure(readAll(client.listProfiles()));
    assert.equal(error.kind, 'timeout');
    assert.match(error.message, /within 1\.5 s/);
    // Six answers fit into the limit, and a seventh page may be under way at its end.
    assert.ok(requests > 1 && requests <= 7, `${requests} pages`);
  }).timeout(10_000);

  describe('that names a DevTools address of its choice', () => {
    let trap: Server;
    let visits = 0;
    let redirect: string | undefined;

    beforeEach((done) => {
      visits = 0;
      redirect = undefined;
      trap = createServer();
      trap.on('connection', () => {
        visits += 1;
      });
      trap.on('upgrade', (_request, socket) => {
        socket.end(`HTTP/1.1 ${redirect === undefined ? 403 : 302} x\r\nlocation: ${redirect ?? ''}\r\n\r\n`);
      });
      trap.listen(0, '127.0.0.1', done);
    });
    afterEach((done) => {
      trap.close(done);
    });

    const portOf = (listening: Server): number => (listening.address() as AddressInfo).port;

    it('does not make the editor connect to this machine, and the error does not repeat the address', async () => {
      const cloud = new ServiceClient({ baseUrl: new URL('https://service.test'), log: silentLogger });
      const engine = new TestEngine({ log: silentLogger, idleMs: () => 0 });
      for (const address of [`ws://127.0.0.1:${portOf(trap)}/s3cret`, `wss://localhost:${portOf(trap)}/s3cret`]) {
        const [browserOutcome] = await engine.push({
          ...USUAL_ORDER,
          service: cloud,
          browsers: [
            {
              id: 'b1',
              createdAt: '2026-05-01T12:00:00Z',
              devToolsUrl: address,
              webDriverUrl: '',
              headless: true,
              stealth: false,
              timeoutSeconds: 60,
            },
          ],
          folder: join(__dirname, '..', 'fixtures', 'sample'),
          tabs: 'none',
          isLocal: false,
        });
        assert.ok(
          browserOutcome?.outcome.kind === 'failed' && browserOutcome.outcome.error instanceof ServiceError,
          browserOutcome?.outcome.kind,
        );
        assert.match(browserOutcome.outcome.error.message, /does not connect to the address/);
        assert.doesNotMatch(browserOutcome.outcome.error.message, /s3cret|127\.0\.0\.1|localhost/);
      }
      engine.dispose();
      await cloud.close();
      assert.equal(visits, 0);
    });

    it('cannot lead the connection elsewhere by a redirect', async () => {
      answer = (response) => response.end();
      redirect = `ws://127.0.0.1:${portOf(server)}/`;
      await assert.rejects(
        connectDevTools(addressOf({ devToolsUrl: `ws://127.0.0.1:${portOf(trap)}/` })),
        DevToolsError,
      );
      assert.deepEqual([visits, requests], [1, 0]);
    });
  });
});
