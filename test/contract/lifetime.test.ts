import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { get } from 'node:http';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { extensionZip } from './archives';
import { DevTools } from './devtools';
import { eventually } from '../support/eventually';
import { noBrowserLeft, processesWith } from './processes';
import { newFolder, runToEnd, TestService } from './service';
import { endLocalService } from '../../src/service/localEnd';
import { upload } from './uploads';

const BROWSER_END_LIMIT_MS = 20_000;

/** The timeout of the sessions that are to end, in seconds: five browsers must have started before, also on a busy machine. */
const IDLE_S = 20;

/** How long after the last activity the timeout begins, in seconds. */
const IDLE_AFTER_S = 5;

describe('the lifetime of the local service and its browsers', function () {
  this.timeout(90_000);
  let folder: string;

  beforeEach(async () => {
    folder = await newFolder();
  });
  afterEach(async () => {
    await noBrowserLeft(folder, BROWSER_END_LIMIT_MS);
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    it(`ends its browsers and exits 0 on ${signal}`, async function () {
      // There are no signals: a process is killed.
      if (process.platform === 'win32') this.skip();
      const service = await TestService.start([], folder);
      await service.client.browsers.create();
      assert.notEqual((await processesWith(`${folder}/sessions`)).length, 0);
      assert.equal((await service.end(signal)).code, 0);
      assert.deepEqual(await processesWith(`${folder}/sessions`), []);
      assert.deepEqual(await readdir(path.join(folder, 'sessions')), []);
    });
  }

  it('leaves no browser when it is killed; the next start removes the leftover files', async () => {
    const service = await TestService.start([], folder);
    await service.client.browsers.create();
    await service.client.browsers.create();
    await service.end('SIGKILL');
    await noBrowserLeft(folder, BROWSER_END_LIMIT_MS);
    const next = await TestService.start([], folder);
    assert.deepEqual(await readdir(path.join(folder, 'sessions')), []);
    assert.equal((await next.end()).code, 0);
  });

  it('shows a browser that crashed as deleted', async () => {
    const service = await TestService.start([], folder);
    const { session_id: id } = await service.client.browsers.create();
    const pids = await processesWith(`${folder}/sessions/${id}`);
    pids.forEach((pid) => process.kill(pid, 'SIGKILL'));
    await eventually(
      'the session is gone',
      async () => (await service.request(`/browsers/${id}`)).status === 404,
      5_000,
    );
    const ended = await service.client.browsers.retrieve(id, { include_deleted: true });
    assert(ended.deleted_at);
    await service.end();
  });

  it('ends an idle session after its timeout, which runs from 5 s after the last DevTools or input activity; files and uploads are none', async () => {
    const service = await TestService.start([], folder);
    const profile = await service.client.profiles.create({ name: 'kept' });
    const started = performance.now();
    const seconds = () => (performance.now() - started) / 1000;
    const [idle, filed, used, watched, refused] = await Promise.all([
      service.client.browsers.create({ timeout_seconds: IDLE_S, profile: { id: profile.id, save_changes: true } }),
      service.client.browsers.create({ timeout_seconds: IDLE_S }),
      service.client.browsers.create({ timeout_seconds: IDLE_S }),
      service.client.browsers.create({ timeout_seconds: IDLE_S }),
      service.client.browsers.create({ timeout_seconds: IDLE_S }),
    ]);
    const created = seconds();
    assert.equal(await statusOfBrokenHandshake(refused.cdp_ws_url), 400);
    const devtools = await DevTools.connect(watched.cdp_ws_url);
    await delay(IDLE_AFTER_S * 1000);
    devtools.close();
    await service.client.browsers.computer.moveMouse(used.session_id, { x: 1, y: 1 });
    await service.client.browsers.fs.writeFile(filed.session_id, 'x', { path: '/tmp/x' });
    await upload(service.client, filed.session_id, 'app', await extensionZip(1));
    const ends = new Map<string, number>();
    const sessions = [idle, filed, used, watched, refused].map(({ session_id: id }) => id);
    const haveEnded = async (): Promise<boolean> => {
      const active = new Set<string>();
      for await (const browser of service.client.browsers.list()) active.add(browser.session_id);
      for (const id of sessions) if (!active.has(id) && !ends.has(id)) ends.set(id, seconds());
      return ends.size === sessions.length;
    };
    await eventually('the sessions end', haveEnded, (IDLE_S + IDLE_AFTER_S) * 1000 + BROWSER_END_LIMIT_MS);
    // Timers are not more exact.
    const least = IDLE_S + IDLE_AFTER_S - 0.5;
    const [idleEnd, filedEnd, usedEnd, watchedEnd, refusedEnd] = sessions.map((id) => ends.get(id));
    for (const end of [idleEnd, filedEnd, refusedEnd])
      assert(end && end > least && end < least + IDLE_AFTER_S + created, `ended after ${end} s`);
    for (const end of [usedEnd, watchedEnd]) assert(end && end >= least + IDLE_AFTER_S, `ended after ${end} s`);
    // An end for lack of use saves the profile as any other does.
    await eventually(
      'the profile was saved',
      async () => (await service.client.profiles.download('kept', { format: 'tar' })).status === 200,
      5_000,
    );
    await service.end();
  });

  it('reports what was looked for when no browser is found, and keeps running', async () => {
    const service = await TestService.start(['--browser', '/nowhere/chromium'], folder);
    await assert.rejects(service.client.browsers.create(), /"\/nowhere\/chromium".*not an executable file/);
    assert.equal((await service.request('/browsers')).status, 200);
    await service.end();
  });

  it('isolates two services with one data folder: each has its own browsers', async () => {
    const one = await TestService.start([], folder);
    const { session_id: id } = await one.client.browsers.create();
    const two = await TestService.start([], folder);
    assert.equal((await one.request(`/browsers/${id}/fs/list_files?path=/home/kernel`)).status, 200);
    assert.equal((await two.request(`/browsers/${id}`)).status, 404);
    await two.end();
    assert.equal((await one.request(`/browsers/${id}`)).status, 200);
    await one.end();
  });
});

describe('a shared local service', function () {
  this.timeout(60_000);
  let folder: string;

  beforeEach(async () => {
    folder = await newFolder();
  });
  afterEach(async () => {
    await noBrowserLeft(folder, BROWSER_END_LIMIT_MS);
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  it('is one service for concurrent starts; its state file is readable by its owner only', async () => {
    const starts = await Promise.all([1, 2, 3].map(() => TestService.start(['--shared'], folder)));
    const addresses = new Set(starts.map((service) => `${service.baseUrl} ${service.token}`));
    assert.equal(addresses.size, 1);
    const file = path.join(folder, 'service.json');
    const state: unknown = JSON.parse(await readFile(file, 'utf8'));
    assert(typeof state === 'object' && state !== null && 'pid' in state);
    const winner = starts.find((service) => service.pid === state.pid);
    assert(winner);
    if (process.platform !== 'win32') assert.equal((await stat(file)).mode & 0o777, 0o600);
    const others = starts.filter((service) => service !== winner);
    for (const other of others) assert.equal((await other.exited).code, 0);
    assert.equal((await winner.end()).code, 0);
    await assert.rejects(stat(file), { code: 'ENOENT' });
  });

  it('ends with its browsers ten seconds after the last lease was released', async () => {
    const service = await TestService.start(['--shared'], folder);
    const leases = [new AbortController(), new AbortController()];
    for (const { signal } of leases) {
      const answer = await service.request('/sideload/lease', { signal });
      assert.match(answer.headers.get('content-type') ?? '', /^text\/event-stream/);
    }
    await service.client.browsers.create();
    leases[0]?.abort();
    const started = performance.now();
    leases[1]?.abort();
    assert.equal((await service.exited).code, 0);
    const seconds = (performance.now() - started) / 1000;
    assert(seconds > 9 && seconds < 15, `ended after ${seconds} s`);
    assert.deepEqual(await processesWith(`${folder}/sessions`), []);
    assert.deepEqual(
      (await readdir(folder)).filter((name) => name.startsWith('service')),
      [],
    );
  });

  it('keeps its browsers for a window that reloads for longer than ten seconds, and not for an editor that has ended', async () => {
    const service = await TestService.start(['--shared'], folder);
    const hold = async (editor: number): Promise<AbortController> => {
      const lease = new AbortController();
      await service.request(`/sideload/lease?editor=${editor}`, { signal: lease.signal });
      return lease;
    };
    const editor = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
    const ended = once(editor, 'exit');
    try {
      const first = await hold(editor.pid ?? assert.fail('no process was started'));
      const { session_id: id } = await service.client.browsers.create();
      first.abort();
      await delay(12_000);
      const program = await hold(0);
      assert.equal((await service.request(`/browsers/${id}`)).status, 200);
      program.abort();
      await delay(12_000);
      assert.equal(
        (await service.request(`/browsers/${id}`)).status,
        200,
        'the end of a program ended what the window comes back to',
      );
      const second = await hold(0);
      editor.kill('SIGKILL');
      await ended;
      const started = performance.now();
      second.abort();
      assert.equal((await service.exited).code, 0);
      const seconds = (performance.now() - started) / 1000;
      assert(seconds > 9 && seconds < 15, `ended after ${seconds} s`);
    } finally {
      editor.kill('SIGKILL');
    }
  });

  it('ends at once with its browsers when it is asked to, whoever has a lease', async () => {
    assert.equal(await endLocalService(folder), false, 'none runs');
    const service = await TestService.start(['--shared'], folder);
    const lease = new AbortController();
    await service.request('/sideload/lease', { signal: lease.signal });
    await service.client.browsers.create();
    assert.equal(await endLocalService(folder), true);
    assert.equal((await service.exited).code, 0);
    assert.deepEqual(await processesWith(`${folder}/sessions`), []);
    assert.equal(await endLocalService(folder), false, 'it has ended');
    lease.abort();
  });

  it('starts the browser that the latest lease names', async () => {
    const service = await TestService.start(['--shared'], folder);
    const leases = new AbortController();
    const hold = (browser: string): Promise<Response> =>
      service.request(`/sideload/lease?${new URLSearchParams({ browser }).toString()}`, { signal: leases.signal });
    await hold('/nothing/here');
    await assert.rejects(service.client.browsers.create(), /nothing\/here/);
    await hold('');
    await service.client.browsers.create();
    leases.abort();
    await service.stop();
  });

  it('replaces a service that was killed', async () => {
    const killed = await TestService.start(['--shared'], folder);
    await killed.end('SIGKILL');
    const next = await TestService.start(['--shared'], folder);
    assert.notEqual(next.token, killed.token);
    assert.equal((await next.end()).code, 0);
  });

  it('takes over the lock file of a process that has ended', async () => {
    await mkdir(folder, { recursive: true });
    await writeFile(path.join(folder, 'service.lock'), '999999999 gone');
    const service = await TestService.start(['--shared'], folder);
    assert.equal((await service.end()).code, 0);
  });
});

describe('the command line of the local service', function () {
  this.timeout(60_000);
  const wrong: [string[], RegExp][] = [
    [['--bogus'], /--bogus/],
    [['--port', 'many'], /--port must be a number/],
    [['--port', '70000'], /--port must be a number/],
    [['--token', 'not a token'], /--token/],
    [['extra'], /extra/],
  ];
  for (const [args, says] of wrong) {
    it(`refuses "${args.join(' ')}" with an error message and exit code 2`, async () => {
      const { code, stdout, stderr } = await runToEnd(args);
      assert.equal(code, 2);
      assert.match(stderr, says);
      assert.equal(stdout, '');
    });
  }

  it('uses the given port and token, and reports a port that is in use', async () => {
    const first = await TestService.start(['--token', 'chosen-token']);
    assert.equal(first.token, 'chosen-token');
    const port = new URL(first.baseUrl).port;
    const folder = await newFolder();
    const { code, stderr } = await runToEnd(['--port', port, '--data-dir', folder]);
    assert.equal(code, 1);
    assert.match(stderr, /EADDRINUSE/);
    await rm(folder, { recursive: true });
    await first.stop();
  });
});

/** The status of the answer to a websocket handshake that lacks its key. */
function statusOfBrokenHandshake(url: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const headers = { connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-version': '13' };
    get(url.replace(/^ws/, 'http'), { headers, agent: false }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    }).on('error', reject);
  });
}
