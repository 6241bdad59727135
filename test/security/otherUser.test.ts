import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { chmod, mkdtemp, readFile, readdir, readlink, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { DevTools } from '../contract/devtools';
import { processesWith } from '../contract/processes';
import { TestService } from '../contract/service';
import { asStranger, canBeStranger, NOBODY } from './strangers';

/** Longest time until a browser that answers has started all its processes, in milliseconds. */
const PROCESSES_LIMIT_MS = 20_000;

describe('a hostile local program or page', function () {
  this.timeout(90_000);
  let service: TestService;
  let folder: string;
  let id: string;
  let url: string;

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'sideload-other-user-'));
    // Others may look for the data folder; what is in it is not for them.
    await chmod(folder, 0o755);
    service = await TestService.start(['--shared'], path.join(folder, 'data'));
    const session = await service.client.browsers.create();
    id = session.session_id;
    url = session.cdp_ws_url;
  });
  after(async () => {
    await service.stop();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  /** Ids of the service's process and of its browser's processes, once the browser has all that it starts with. */
  async function processes(): Promise<number[]> {
    const end = performance.now() + PROCESSES_LIMIT_MS;
    for (; ; await setTimeout(50)) {
      const browser = await processesWith(path.join(service.dataFolder, 'sessions'));
      // The browser itself, its zygotes and its services: on a busy machine they come one by one.
      if (browser.length > 3) return [service.pid, ...browser];
      assert.ok(performance.now() < end, `the browser has ${browser.length} processes`);
    }
  }

  it('finds no port of the browser: only the service listens', async function () {
    if (process.platform !== 'linux') this.skip();
    const [own, ...browser] = await processes();
    assert(own !== undefined);
    assert.equal((await listening([own])).length, 1);
    assert.deepEqual(await listening(browser), []);
  });

  it('of another user finds no Chromium, no readable file and no secret, and gets no answer but 401', async function () {
    if (!canBeStranger) this.skip();
    const args = [service.baseUrl, service.dataFolder, ...(await processes()).map(String)];
    const { seen, stdout } = await asStranger(args);
    assert.equal(seen.uid, NOBODY);
    assert.deepEqual(
      seen.devTools.filter(({ statuses }) => statuses.includes(101)),
      [],
    );
    for (const { refused } of [...seen.files, ...seen.memory]) assert.equal(refused, 'EACCES');
    assert.deepEqual(
      seen.requests.map((request) => request?.status),
      [401, 401, 401],
    );
    const secrets = [service.token, new URL(url).searchParams.get('token') ?? ''];
    assert.equal(secrets.filter((secret) => secret !== '' && stdout.includes(secret)).length, 0);
  });

  it('as a web page in the browser itself gets no answer that it can read, and no DevTools', async () => {
    // From this machine: Chromium itself keeps pages of the internet away from it.
    const server = createServer((_request, response) => response.end('<title>hostile</title>')).listen(0, '127.0.0.1');
    await once(server, 'listening');
    try {
      const devtools = await DevTools.connect(url);
      const page = await devtools.attachToPage();
      await page.show(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
      const attempt = (code: string): string =>
        `(async () => { try { return ${code} } catch (error) { return 'refused' } })()`;
      const asked = `await (await fetch('${service.baseUrl}/browsers', { headers: { authorization: 'Bearer x' } })).text()`;
      const simple = `await (await fetch('${service.baseUrl}/browsers')).text()`;
      for (const code of [asked, simple]) assert.equal(await page.evaluate(attempt(code)), 'refused');
      // Also with the secrets, which a page cannot know: the service looks at the origin of the page.
      const open = `await new Promise((resolve) => {
        const socket = new WebSocket('${url}');
        socket.onopen = () => resolve('open');
        socket.onerror = () => resolve('refused');
      })`;
      assert.equal(await page.evaluate(attempt(open)), 'refused');
      devtools.close();
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });

  it('cannot use the DevTools address of a browser that has ended, nor of another one', async () => {
    const other = await service.client.browsers.create();
    assert.equal(await handshake(other.cdp_ws_url.replace(other.session_id, id)), 401);
    await service.client.browsers.deleteByID(other.session_id);
    assert.equal(await handshake(other.cdp_ws_url), 404);
    assert.equal(await handshake(url.replace('/cdp', '/%E0%A4%A/cdp')), 404);
    assert.equal(await handshake(url.replace(id, '%E0%A4%A')), 404);
  });
});

/** The status with which a websocket handshake is refused. */
async function handshake(address: string): Promise<number | undefined> {
  const socket = new WebSocket(address);
  socket.on('error', () => undefined);
  const [, response] = (await once(socket, 'unexpected-response')) as [unknown, import('node:http').IncomingMessage];
  socket.terminate();
  return response.statusCode;
}

/** The listening TCP sockets of processes (proc_net(5), proc_pid_fd(5)). */
async function listening(pids: readonly number[]): Promise<string[]> {
  const tables = await Promise.all(['tcp', 'tcp6'].map((name) => readFile(`/proc/net/${name}`, 'utf8')));
  const rows = tables.flatMap((table) => table.split('\n').slice(1)).map((line) => line.trim().split(/\s+/));
  const inodes = new Set(rows.filter(([, , , state]) => state === '0A').map((row) => `socket:[${row[9] ?? ''}]`));
  const held = await Promise.all(
    pids.map(async (pid) => {
      const names = await readdir(`/proc/${pid}/fd`).catch(() => []);
      return Promise.all(names.map((name) => readlink(`/proc/${pid}/fd/${name}`).catch(() => '')));
    }),
  );
  return [...new Set(held.flat().filter((link) => inodes.has(link)))];
}
