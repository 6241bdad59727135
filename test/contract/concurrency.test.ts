import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { dose } from '../runner/seed';
import { extensionZip } from './archives';
import { DevTools } from './devtools';
import { eventually } from '../support/eventually';
import { noBrowserLeft, processesWith } from './processes';
import { newFolder, TestService } from './service';
import { upload } from './uploads';

/** A few show a leak already, since a cycle leaves nothing; `npm run soak` has many. */
const CYCLES = dose(3, 15);
const CYCLE_LIMIT_MS = 8_000;
const AT_ONCE = dose(6, 10);
const SETTLE_LIMIT_MS = 10_000;

/** Longest time until the worker of each of many browsers that start at once has run, in milliseconds. */
const WORKER_LIMIT_MS = 60_000;

describe('many browsers', function () {
  this.timeout(120_000 + CYCLES * CYCLE_LIMIT_MS);
  let service: TestService;
  /** What the browsers take for the system's temporary folder. */
  let temporary: string;
  before(async () => {
    temporary = await newFolder();
    service = await TestService.start([], undefined, { ...process.env, TMPDIR: temporary });
  });
  after(async () => {
    await service.stop();
    await rm(temporary, { recursive: true });
  });

  it(`run concurrently: ${AT_ONCE} of them, each with an extension of its own`, async () => {
    const made = Array.from({ length: AT_ONCE }, (_, at) =>
      service.client.browsers.create({
        name: `side-${at}`,
        timeout_seconds: 600,
        viewport: { width: 400, height: 300 },
      }),
    );
    const browsers = await Promise.all(made);
    await Promise.all(
      browsers.map(async ({ session_id: id }, at) => upload(service.client, id, 'app', await extensionZip(at + 1))),
    );
    const builds = await Promise.all(
      browsers.map(async ({ cdp_ws_url: url }) => {
        const devtools = await DevTools.connect(url);
        const build = await devtools.askWorker('self.build', WORKER_LIMIT_MS);
        devtools.close();
        return build;
      }),
    );
    assert.deepEqual(
      builds,
      browsers.map((_, at) => at + 1),
    );
    await Promise.all(browsers.map(({ session_id: id }) => service.client.browsers.deleteByID(id)));
    await noBrowserLeft(service.dataFolder, SETTLE_LIMIT_MS);
    assert.deepEqual(await readdir(path.join(service.dataFolder, 'sessions')), []);
  });

  it(`are created and deleted ${CYCLES} times without a leaked process, file handle, port or folder`, async () => {
    const cycle = async () => {
      const { session_id: id, cdp_ws_url: url } = await service.client.browsers.create();
      await upload(service.client, id, 'app', await extensionZip(1));
      const devtools = await DevTools.connect(url);
      await devtools.result('Browser.getVersion');
      await service.client.browsers.deleteByID(id);
      await devtools.closed;
      // Answered means gone: what is counted here is not waited for.
      assert.deepEqual(await processesWith(`${service.dataFolder}/sessions/${id}`), []);
      assert.deepEqual(await readdir(path.join(service.dataFolder, 'sessions')), []);
      assert.deepEqual((await readdir(temporary)).filter(isKept), []);
    };
    await cycle();
    const before = await held(service.pid);
    for (let at = 0; at < CYCLES; at += 1) await cycle();
    await eventually(
      `no more than ${before} open files and sockets`,
      async () => (await held(service.pid)) <= before,
      SETTLE_LIMIT_MS,
    );
    const listed = [];
    for await (const browser of service.client.browsers.list({ status: 'deleted', limit: 7 })) listed.push(browser);
    assert.equal(listed.length, AT_ONCE + CYCLES + 1);
    assert.deepEqual(await readdir(path.join(service.dataFolder, 'spool')).catch(() => []), []);
    assert.deepEqual(await children(service.pid), []);
  });
});

/** Hidden files are opened and unlinked at once; a browser that is killed in that instant leaves one, which is empty. */
function isKept(name: string): boolean {
  return !name.startsWith('.');
}

/** How many files, pipes and sockets (listening ones too) a process holds, as the system counts them. */
async function held(pid: number): Promise<number> {
  if (process.platform === 'linux') return (await readdir(`/proc/${pid}/fd`)).length;
  const { stdout } = await promisify(execFile)('lsof', ['-n', '-P', '-p', String(pid)]);
  return stdout.split('\n').length;
}

/** The processes whose parent is that one, ended ones that were not collected included. */
async function children(pid: number): Promise<string[]> {
  if (process.platform === 'linux') {
    const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => undefined);
    if (text !== undefined) return text.split(' ').filter(Boolean);
  }
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'ppid=,pid=']);
  return stdout.split('\n').filter((line) => Number(line.trim().split(/\s+/)[0]) === pid);
}
