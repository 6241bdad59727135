import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect, promisify } from 'node:util';
import { WebSocketServer } from 'ws';
import { ServiceClient } from '../../src/service/client';
import { ServiceError } from '../../src/service/serviceErrors';
import { silentLogger } from '../../src/service/logger';
import type { ProxySettings } from '../../src/service/wire/proxy';
import { selfSigned } from './client.certificate';
import { PROXIED_HOST, startForwardProxy, type ForwardProxy } from './client.forwardProxy';
import { startRecorder } from './client.recorder';

const CHILD_LIMIT_MS = 20_000;
const TOKEN = 'token-of-the-test';
const RETRY = { attempts: 1, firstDelayMs: 1, longestDelayMs: 1 };
const PROFILE = { id: 'p1', created_at: '2026-05-01T12:00:00Z' };

const run = promisify(execFile);

describe('a proxy', function () {
  this.timeout(2 * CHILD_LIMIT_MS);
  const { key, cert } = selfSigned(PROXIED_HOST);
  let service: Server;
  let servicePort: number;
  let proxy: ForwardProxy;
  let folder: string;
  /** Authorization and body length of each request that reached the service. */
  let arrived: [string | undefined, number][];
  const open: ServiceClient[] = [];

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sideload-proxy-'));
    service = createServer({ key, cert }, (request, response) => {
      let bytes = 0;
      request.on('data', (chunk: Buffer) => (bytes += chunk.length));
      request.on('end', () => {
        arrived.push([request.headers.authorization, bytes]);
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(PROFILE));
      });
    });
    new WebSocketServer({ server: service }).on('connection', (socket) => {
      socket.on('message', () => socket.send('heard'));
    });
    await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
    const address = service.address();
    assert(typeof address === 'object' && address !== null);
    servicePort = address.port;
  });
  after(async () => {
    service.closeAllConnections();
    await new Promise((resolve) => service.close(resolve));
    await rm(folder, { recursive: true, force: true });
  });
  beforeEach(async () => {
    arrived = [];
    proxy = await startForwardProxy();
  });
  afterEach(async () => {
    await Promise.all(open.splice(0).map((client) => client.close()));
    await proxy.close();
  });

  function clientWith(settings: ProxySettings, baseUrl = `https://${PROXIED_HOST}:${servicePort}`): ServiceClient {
    const client = new ServiceClient({
      baseUrl: new URL(baseUrl),
      token: TOKEN,
      log: silentLogger,
      retry: RETRY,
      proxy: settings,
    });
    open.push(client);
    return client;
  }

  async function failureOf(client: ServiceClient): Promise<ServiceError> {
    const error: unknown = await client.getProfile('p1').catch((reason: unknown) => reason);
    assert(error instanceof ServiceError, inspect(error));
    return error;
  }

  async function inChild(
    env: NodeJS.ProcessEnv,
    program = 'client.proxy.child.ts',
    baseUrl = `https://${PROXIED_HOST}:${servicePort}`,
  ): Promise<string> {
    const child = join(__dirname, program);
    const { stdout } = await run(process.execPath, ['--import', 'tsx', child, baseUrl], {
      timeout: CHILD_LIMIT_MS,
      killSignal: 'SIGKILL',
      env: { PATH: process.env['PATH'], ...env },
    });
    return stdout.trim();
  }

  it('of the settings is used, and never sees the token', async () => {
    const client = clientWith({ proxy: `http://127.0.0.1:${proxy.port}`, strictSsl: false });
    assert.equal((await client.getProfile('p1')).id, 'p1');
    assert.deepEqual(proxy.targets, [`${PROXIED_HOST}:${servicePort}`]);
    assert.deepEqual(arrived, [[`Bearer ${TOKEN}`, 0]]);
    assert.doesNotMatch(JSON.stringify(proxy.heads), new RegExp(TOKEN));
  });

  it('carries an upload with its progress', async () => {
    const client = clientWith({ proxy: `http://127.0.0.1:${proxy.port}`, strictSsl: false });
    let last = [0, 0];
    const bytes = new Uint8Array(3_000_000);
    await client.uploadZip('b', bytes, '/tmp', undefined, (...progress) => (last = progress));
    assert.deepEqual(last, [arrived[0]?.[1], arrived[0]?.[1]]);
  });

  it('gets name and password, which no error repeats', async () => {
    proxy.credentials = 'me:p@ss word';
    const url = (password: string): string => `http://me:${password}@127.0.0.1:${proxy.port}`;
    await clientWith({ proxy: url('p%40ss%20word'), strictSsl: false }).getProfile('p1');
    const error = await failureOf(clientWith({ proxy: url('wr0ng-one'), strictSsl: false }));
    assert.match(error.message, /^The service at service\.test:\d+ could not be reached: the proxy wants a name and/);
    assert.doesNotMatch(inspect(error, { depth: null, showHidden: true }), /wr0ng-one/);
    assert.equal(error.mayHaveHappened, false);
  });

  it('that refuses or cannot be reached is distinguished from a service that cannot be reached', async () => {
    proxy.refuseWith = 403;
    const refused = await failureOf(clientWith({ proxy: `http://127.0.0.1:${proxy.port}` }));
    assert.match(refused.message, /the proxy refused to connect to it \(403\)/);
    const gone = await failureOf(clientWith({ proxy: 'http://127.0.0.1:1' }));
    assert.match(gone.message, /nothing answers at that address \(ECONNREFUSED 127\.0\.0\.1:1\)/);
    assert.deepEqual([gone.kind, gone.mayHaveHappened], ['unreachable', false]);
  });

  it('is bypassed for the hosts of noProxy', async () => {
    for (const host of [PROXIED_HOST, '.test', `${PROXIED_HOST}:${servicePort}`, '*']) {
      const settings = { proxy: `http://127.0.0.1:${proxy.port}`, noProxy: ['other.example', host], strictSsl: false };
      // Only the proxy knows the name, so a request that goes past it cannot arrive.
      assert.equal((await failureOf(clientWith(settings))).kind, 'unreachable');
    }
    assert.deepEqual(proxy.targets, []);
    const settings = { proxy: `http://127.0.0.1:${proxy.port}`, noProxy: ['other.example'], strictSsl: false };
    await clientWith(settings).getProfile('p1');
    assert.equal(proxy.targets.length, 1);
  });

  it('is bypassed for a service on this machine', async () => {
    const local = await startRecorder(() => ({ body: PROFILE }));
    await clientWith({ proxy: `http://127.0.0.1:${proxy.port}` }, local.baseUrl.href).getProfile('p1');
    await local.close();
    assert.deepEqual(proxy.targets, []);
  });

  it('does not make an untrusted certificate trusted', async () => {
    const error = await failureOf(clientWith({ proxy: `http://127.0.0.1:${proxy.port}` }));
    assert.match(error.message, /certificate is not trusted \(.*SELF_SIGNED.*\).*NODE_EXTRA_CA_CERTS/);
    assert.deepEqual(arrived, []);
  });

  it('need not be there for the setting that accepts any certificate, also that of a service on this machine', async () => {
    const address = `https://localhost:${servicePort}`;
    assert.match((await failureOf(clientWith({}, address))).message, /certificate is not trusted/);
    assert.equal((await clientWith({ strictSsl: false }, address).getProfile('p1')).id, 'p1');
  });

  it('of the environment is used, with the extra certificates of NODE_EXTRA_CA_CERTS', async () => {
    const file = join(folder, 'authority.pem');
    await writeFile(file, cert);
    const https_proxy = `http://127.0.0.1:${proxy.port}`;
    assert.equal(await inChild({ https_proxy, NODE_EXTRA_CA_CERTS: file }), 'p1');
    assert.deepEqual(proxy.targets, [`${PROXIED_HOST}:${servicePort}`]);
    assert.match(await inChild({ HTTPS_PROXY: https_proxy }), /certificate is not trusted/);
    assert.equal(proxy.targets.length, 2);
    assert.match(await inChild({ https_proxy, NO_PROXY: PROXIED_HOST }), /could not be reached/);
    assert.equal(proxy.targets.length, 2);
  });

  it('of the environment is used by the websockets of programs, too', async () => {
    const file = join(folder, 'authority.pem');
    await writeFile(file, cert);
    const trusted = { NODE_EXTRA_CA_CERTS: file };
    const socketIn = async (env: NodeJS.ProcessEnv): Promise<string> =>
      await inChild({ ...trusted, ...env }, 'client.proxy.socket.ts');
    const HTTPS_PROXY = `http://me:p%40ss@127.0.0.1:${proxy.port}`;
    assert.match(await socketIn({}), /^the connection was refused/);
    assert.deepEqual(proxy.targets, []);
    proxy.credentials = 'me:p@ss';
    assert.equal(await socketIn({ HTTPS_PROXY }), 'heard');
    assert.equal(await socketIn({ http_proxy: HTTPS_PROXY }), 'heard');
    assert.deepEqual(proxy.targets, [`${PROXIED_HOST}:${servicePort}`, `${PROXIED_HOST}:${servicePort}`]);
    assert.match(await socketIn({ HTTPS_PROXY, NO_PROXY: '.test' }), /^the connection was refused/);
    assert.match(await inChild({ HTTPS_PROXY }, 'client.proxy.socket.ts'), /^the connection was refused/);
    proxy.credentials = 'me:other';
    const refused = await socketIn({ HTTPS_PROXY });
    assert.match(refused, /^the connection was refused/);
    assert.doesNotMatch(refused, /p%40ss|p@ss/);
    const asked = proxy.targets.length;
    const here = new WebSocketServer({ host: '127.0.0.1', port: 0 });
    await once(here, 'listening');
    here.on('connection', (socket) => socket.on('message', () => socket.send('heard here')));
    const address = here.address();
    assert(typeof address === 'object' && address !== null);
    const base = `http://127.0.0.1:${address.port}`;
    assert.equal(await inChild({ HTTPS_PROXY }, 'client.proxy.socket.ts', base), 'heard here');
    here.close();
    assert.equal(proxy.targets.length, asked, 'what is on this machine is reached without it');
  });
});
