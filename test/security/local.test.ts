import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { chmod, chown, lstat, mkdir, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { eventually } from '../support/eventually';
import { noBrowserLeft, processesWith } from '../contract/processes';
import { newFolder, runToEnd, TestService, type User } from '../contract/service';

const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;
/** A user whom permissions keep out, as they do not root. */
const ORDINARY: User = isRoot ? { uid: NOBODY, gid: NOBODY } : {};
const END_LIMIT_MS = 10_000;
/** A service waits for 15 s at most for another one that has the lock. */
const LOCK_LIMIT_MS = 20_000;
const ID = 'abcdefghijklmnopqrstuvwx';

describe('a hostile local program or page', function () {
  this.timeout(60_000);
  /** Other users may enter it. */
  let base: string;
  let data: string;

  beforeEach(async function () {
    if (process.platform === 'win32') this.skip();
    base = await newFolder();
    await chmod(base, 0o755);
    data = path.join(base, 'data');
  });
  afterEach(async () => {
    await noBrowserLeft(data, END_LIMIT_MS);
    await rm(base, { recursive: true, force: true, maxRetries: 5 });
  });

  const contentOf = async (folder: string): Promise<string[]> => (await readdir(folder, { recursive: true })).sort();

  describe('that uses the file operations of a browser', () => {
    /** A service of an ordinary user, whose browser also starts where that user has no sandbox. */
    async function startOrdinary(): Promise<TestService> {
      const browser = path.join(base, 'chromium');
      await writeFile(browser, '#!/bin/sh\nexec chromium --no-sandbox "$@"\n', { mode: 0o755 });
      await mkdir(data, { recursive: true });
      if (isRoot) await chown(data, NOBODY, NOBODY);
      return TestService.start(['--browser', browser], data, { ...process.env, HOME: data, TMPDIR: data }, ORDINARY);
    }

    async function createLocked(service: TestService): Promise<string> {
      const { session_id: id } = await service.client.browsers.create({ headless: true });
      const { fs } = service.client.browsers;
      await fs.writeFile(id, 'x', { path: '/home/kernel/full/file' });
      await fs.setFilePermissions(id, { path: '/home/kernel/full', mode: '555' });
      await fs.createDirectory(id, { path: '/home/kernel/closed', mode: '000' });
      return id;
    }

    it('cannot keep a browser from ending, or a service from starting, by the permissions of folders', async () => {
      const service = await startOrdinary();
      await service.client.browsers.deleteByID(await createLocked(service));
      assert.deepEqual(await readdir(path.join(data, 'sessions')), []);
      await createLocked(service);
      await service.end('SIGKILL');
      await noBrowserLeft(data, END_LIMIT_MS);
      const next = await startOrdinary();
      assert.deepEqual(await readdir(path.join(data, 'sessions')), []);
      assert.deepEqual(await next.end(), { code: 0, stdout: (await next.exited).stdout, stderr: '' });
    });

    it('cannot do so by files that cannot be removed at all, which are reported and tried again', async function () {
      if (!isRoot) this.skip();
      const service = await startOrdinary();
      const id = await createLocked(service);
      const stuck = path.join(data, 'sessions', id, 'files', 'stuck');
      await mkdir(stuck);
      await writeFile(path.join(stuck, 'file'), 'x');
      await service.client.browsers.deleteByID(id);
      const left = await contentOf(path.join(data, 'sessions', id));
      assert.deepEqual(left, ['files', 'files/stuck', 'files/stuck/file', 'service.pid']);
      assert((await service.end()).stderr.includes(stuck));
      const next = await startOrdinary();
      await rm(stuck, { recursive: true });
      assert((await next.end()).stderr.includes(stuck));
      const last = await startOrdinary();
      assert.deepEqual(await readdir(path.join(data, 'sessions')), []);
      assert.equal((await last.end()).stderr, '');
    });
  });

  describe('that has prepared the data folder', () => {
    const start = (...args: string[]) => runToEnd(['--data-dir', data, ...args]);

    for (const args of [[], ['--shared']]) {
      it(`loses no file of a project that is given as data folder${args.map((arg) => ` with ${arg}`).join('')}`, async () => {
        await mkdir(path.join(data, 'sessions', '2026'), { recursive: true });
        for (const file of ['sessions/2026/important.txt', 'sessions/notes.md', 'package.json']) {
          await writeFile(path.join(data, file), 'x');
        }
        const before = await contentOf(data);
        const { code, stderr } = await start(...args);
        assert.equal(code, 1);
        assert.match(stderr, /is not a data folder of the local service: it contains .*--data-dir/);
        assert.deepEqual(await contentOf(data), before);
      });
    }

    it('cannot make the service remove files elsewhere by a link', async () => {
      const elsewhere = path.join(base, 'elsewhere');
      await mkdir(path.join(elsewhere, ID), { recursive: true });
      await writeFile(path.join(elsewhere, ID, 'service.pid'), '999999999');
      await mkdir(data);
      await symlink(elsewhere, path.join(data, 'sessions'));
      const { code, stderr } = await start();
      assert.equal(code, 1);
      assert.match(stderr, /sessions is a link or a file, and must be a folder/);
      assert.deepEqual(await contentOf(elsewhere), [ID, `${ID}/service.pid`]);
    });

    it('cannot make the service remove files elsewhere by the id in a record', async () => {
      const elsewhere = path.join(base, 'elsewhere');
      await mkdir(elsewhere);
      await mkdir(path.join(data, 'profiles'), { recursive: true });
      const record = { id: '../../elsewhere', name: 'evil', created_at: '2026-11-22T00:00:00Z' };
      await writeFile(path.join(data, 'profiles', `${ID}.json`), JSON.stringify(record));
      const service = await TestService.start([], data);
      assert.equal((await service.request('/profiles/evil', { method: 'DELETE' })).status, 404);
      assert((await lstat(elsewhere)).isDirectory());
      await service.end();
    });

    it('cannot make the service wait by a pipe in place of a record', async () => {
      await mkdir(path.join(data, 'profiles'), { recursive: true });
      await mkdir(path.join(data, 'sessions', ID), { recursive: true });
      for (const file of [`profiles/${ID}.json`, `sessions/${ID}/service.pid`]) {
        execFileSync('mkfifo', [path.join(data, file)]);
      }
      const service = await TestService.start([], data);
      assert.deepEqual(await (await service.request('/profiles')).json(), []);
      assert.match((await service.end()).stderr, /service\.pid is not a file/);
    });

    const locks: Record<string, (file: string) => Promise<unknown>> = {
      'a folder': (file) => mkdir(file),
      'a dangling link': (file) => symlink('nowhere', file),
      'a pipe': (file) => Promise.resolve(execFileSync('mkfifo', [file])),
    };
    for (const [what, make] of Object.entries(locks)) {
      it(`gets an error message, and no endless start, by ${what} in place of the lock`, async () => {
        await mkdir(data);
        await make(path.join(data, 'service.lock'));
        const late = delay(LOCK_LIMIT_MS, undefined, { ref: false }).then(() => assert.fail('it does not end'));
        const { code, stderr } = await Promise.race([start('--shared'), late]);
        assert.equal(code, 1);
        assert.match(stderr, /service\.lock cannot be read\. Remove it\./);
      });
    }
  });

  it('cannot read a data folder that was open to all users before', async function () {
    if (!isRoot) this.skip();
    await mkdir(path.join(data, 'profiles', ID), { recursive: true });
    const files = ['profiles', ID].map((_, at, parts) => path.join(data, ...parts.slice(0, at + 1)));
    const secret = path.join(data, 'profiles', ID, 'Cookies');
    await writeFile(secret, 'secret');
    for (const each of [data, ...files]) await chmod(each, 0o755);
    const read = () => promisify(execFile)('cat', [secret], ORDINARY);
    assert.equal((await read()).stdout, 'secret');
    const service = await TestService.start([], data);
    await assert.rejects(read(), /Permission denied/);
    await service.end();
  });

  it('that kills a service and its browsers leaves nothing in the temporary folder after the next start', async () => {
    const env = { ...process.env, TMPDIR: path.join(base, 'temporary') };
    await mkdir(env.TMPDIR);
    const sockets = async () => (await readdir(env.TMPDIR)).filter((name) => name.startsWith('org.chromium.'));
    const service = await TestService.start([], data, env);
    await service.client.browsers.create({ headless: true });
    assert.equal((await sockets()).length, 1);
    const browsers = await processesWith(`${data}/sessions`);
    // At once, with no time for the browser to notice the end of the service.
    execFileSync('sh', ['-c', `kill -KILL ${[service.pid, ...browsers].join(' ')} || true`], { stdio: 'ignore' });
    await service.exited;
    await noBrowserLeft(data, END_LIMIT_MS);
    const next = await TestService.start([], data, env);
    await eventually('the socket is gone', async () => (await sockets()).length === 0, END_LIMIT_MS);
    assert.equal((await next.end()).code, 0);
  });
});
