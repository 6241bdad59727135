import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { WebSocketServer } from 'ws';
import { fieldOf } from '../../src/base/fields';
import { ServiceClient } from '../../src/service/client';
import { silentLogger } from '../../src/service/logger';
import type { Browser } from '../../src/service/model';
import { parseBaseUrl } from '../../src/service/serviceAddress';
import { FarBrowser } from '../standins/farBrowser';
import { eventually } from '../support/eventually';
import { freePort } from '../support/freePort';
import { DevTools } from './devtools';
import { TestService } from './service';
import { runProgram } from './shippedPrograms';

const SOON_MS = 20_000;

/** How long a browser without a bridge is watched, in milliseconds: a request that gets through arrives within it. */
const SETTLE_MS = 1500;

describe('a development build in a browser elsewhere', function () {
  this.timeout(120_000);
  let far: FarBrowser;
  let service: TestService;
  let client: ServiceClient;
  let server: Server;
  let sockets: WebSocketServer;
  let port: number;
  let folder: string;
  let browser: Browser;
  const asked: string[] = [];

  before(async () => {
    far = await FarBrowser.make();
    service = await TestService.start(['--browser', far.path]);
    client = new ServiceClient({ baseUrl: parseBaseUrl(service.baseUrl), token: service.token, log: silentLogger });
    server = createServer(({ url = '' }, response) => {
      // The tests of security look for DevTools at each port of this machine.
      if (url !== '/json/version') asked.push(url);
      response.setHeader('content-type', 'text/javascript').end(`globalThis.served = '${url}';`);
    });
    sockets = new WebSocketServer({ server });
    sockets.on('connection', (socket) => {
      socket.send('hello');
    });
    await new Promise<void>((resolve) => {
      server.listen(0, 'localhost', resolve);
    });
    port = Number(fieldOf(server.address(), 'port'));
  });

  beforeEach(async () => {
    asked.length = 0;
    browser = await client.createBrowser({ headless: true, timeoutSeconds: 300 });
    folder = await mkdtemp(join(tmpdir(), 'sideload-dev-'));
    const origin = `http://localhost:${port}`;
    const manifest = {
      manifest_version: 3,
      name: 'Dev Build',
      version: '1.0',
      background: { service_worker: 'worker.js', type: 'module' },
      host_permissions: [`${origin}/*`],
      content_security_policy: { extension_pages: `script-src 'self' ${origin}; object-src 'self'` },
    };
    await writeFile(join(folder, 'manifest.json'), JSON.stringify(manifest));
    await writeFile(
      join(folder, 'worker.js'),
      `import '${origin}/worker-code.js';\nglobalThis.starts = (globalThis.starts ?? 0) + 1;\n` +
        `const socket = new WebSocket('ws://localhost:${port}/');\nsocket.onmessage = ({ data }) => (globalThis.heard = data);\n`,
    );
  });

  afterEach(async () => {
    await client.deleteBrowser(browser.id).catch(() => undefined);
    await rm(folder, { recursive: true, force: true });
  });

  after(async () => {
    for (const socket of sockets.clients) socket.terminate();
    sockets.close();
    server.closeAllConnections();
    server.close();
    await client.close();
    await service.stop();
    await far.end();
  });

  const args = (command: string, ...more: string[]): string[] => {
    const { baseUrl } = service;
    return [command, folder, '--service', baseUrl, '--browser', browser.id, ...more];
  };
  const env = (): NodeJS.ProcessEnv => ({ SIDELOAD_TOKEN: service.token });
  const inWorker = async (expression: string): Promise<unknown> => {
    const devtools = await DevTools.connect((await client.getBrowser(browser.id)).devToolsUrl);
    try {
      return await devtools.askWorker(expression, SOON_MS);
    } finally {
      devtools.close();
    }
  };

  it('runs from the first statement of its worker, with its sockets, as long as the program runs', async () => {
    let state: unknown;
    const { code, stdout, stderr } = await runProgram('cli', args('run', '--localhost', String(port)), {
      env: env(),
      onLine: (line, stop) => {
        if (!line.startsWith('It stays open')) return;
        void (async () => {
          await eventually('a message of the socket', async () => (await inWorker('heard')) === 'hello', SOON_MS);
          state = await inWorker('({ served, starts })');
        })().finally(stop);
      },
    });
    assert.equal(code, 0, stdout + stderr);
    assert.deepEqual(state, { served: '/worker-code.js', starts: 1 });
    assert.deepEqual(asked, ['/worker-code.js']);
  });

  it('cannot start without, nor with leave for another port', async () => {
    const { code, stdout } = await runProgram('cli', args('push'), { env: env() });
    assert.equal(code, 2, stdout);
    const other = await runProgram('cli', args('push', '--localhost', '1'), { env: env() });
    assert.equal(other.code, 2, other.stdout);
    await delay(SETTLE_MS);
    assert.deepEqual(asked, []);
  });

  it('is said to have no server, once, where only a socket asks for it and nothing listens', async () => {
    const silent = await freePort();
    const asks = `const ask = () => { new WebSocket('ws://localhost:${silent}/').onerror = () => { throw new Error('unheard'); }; };`;
    await writeFile(join(folder, 'worker.js'), `${asks}\nask();\nsetTimeout(ask, 300);\n`);
    const { stdout, stderr } = await runProgram('cli', args('run', '--localhost', String(silent)), {
      env: env(),
      onLine: (line, stop) => {
        if (line.includes('unheard')) stop();
      },
    });
    assert.match(stdout, /unheard/);
    const warnings = stderr.split('\n').filter((line) => line.includes(`Nothing listens at localhost:${silent}`));
    assert.equal(warnings.length, 1, stderr);
  });

  it('does not take a port that is none', async () => {
    for (const ports of ['0', '65536', 'http://localhost', '5173;8080', '']) {
      const { code, stderr } = await runProgram('cli', args('push', '--localhost', ports), { env: env() });
      assert.equal(code, 64, ports);
      assert.match(stderr, /--localhost takes ports, such as 5173,8080/);
    }
  });

  it('keeps working in the next push, and after its worker was restarted', async () => {
    await mkdir(folder, { recursive: true });
    const first = await runProgram('cli', args('run', '--localhost', `${port},1`, '--once'), { env: env() });
    assert.equal(first.code, 0, first.stdout + first.stderr);
    await writeFile(join(folder, 'more.js'), '1;');
    const second = await runProgram('cli', args('push', '--localhost', String(port)), { env: env() });
    assert.equal(second.code, 0, second.stdout + second.stderr);
    assert.deepEqual(asked, ['/worker-code.js', '/worker-code.js']);
  });
});
