import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmod, lutimes, mkdir, mkdtemp, readdir, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Lock } from '../../../../src/local/instance/lock';
import { dose } from '../../../runner/seed';
import { asNobody, isRoot } from '../ordinaryUser';

const NO_PROCESS = 999_999_999;

/** How often several processes compete for the lock. */
const ROUNDS = dose(15, 50);

describe('the lock of a shared service', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'sideload-lock-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('has one owner, whose process id others get', async () => {
    const [first, second] = [new Lock(folder), new Lock(folder)];
    assert.equal(await first.acquire(), true);
    assert.equal(await second.acquire(), process.pid);
    await second.release();
    assert.equal(await second.acquire(), process.pid);
    await first.release();
    assert.equal(await second.acquire(), true);
  });

  it('is acquired by exactly one process after its owner has ended', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      await writeFile(path.join(folder, 'service.lock'), `${NO_PROCESS} gone`);
      const outcomes = await Promise.all(Array.from({ length: 8 }, () => new Lock(folder).acquire()));
      assert.equal(outcomes.filter((outcome) => outcome === true).length, 1);
      await rm(path.join(folder, 'service.lock'));
    }
    assert.deepEqual(await readdir(folder), []);
  });

  it('is acquired at once when its owner has ended and its process id has come again', async function () {
    if (process.platform !== 'linux') this.skip();
    await writeFile(path.join(folder, 'service.lock'), `${process.pid} gone 1`);
    const lock = new Lock(folder);
    assert.equal(await lock.acquire(), true);
    assert.equal(await new Lock(folder).acquire(), process.pid);
  });

  it('shows others that its owner is still at work', async () => {
    const [first, second] = [new Lock(folder), new Lock(folder)];
    assert.equal(await second.renewedAt(), undefined);
    await first.acquire();
    // Whole seconds, which every disk keeps.
    const before = new Date(Math.floor(Date.now() / 1000) * 1000 - 60_000);
    await utimes(path.join(folder, 'service.lock'), before, before);
    assert.equal(await second.renewedAt(), before.getTime());
    await first.renew();
    assert.ok(((await second.renewedAt()) ?? 0) > before.getTime() + 30_000);
    await first.release();
    await first.renew();
    assert.equal(await second.renewedAt(), undefined);
  });

  it('can be broken when its owner is another program', async () => {
    const [first, second] = [new Lock(folder), new Lock(folder)];
    await first.acquire();
    await second.break(process.pid + 1);
    assert.equal(await second.acquire(), process.pid);
    await second.break(process.pid);
    assert.equal(await second.acquire(), true);
    await first.release();
    assert.equal(await new Lock(folder).acquire(), process.pid);
  });

  it('has one owner on a disk without links, too, and is not broken while it is being written', async () => {
    const noLinks = (): Promise<never> => Promise.reject(Object.assign(new Error('no links'), { code: 'ENOTSUP' }));
    const file = path.join(folder, 'service.lock');
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => new Lock(folder, noLinks).acquire()));
    assert.equal(outcomes.filter((outcome) => outcome === true).length, 1);
    assert.ok(outcomes.every((outcome) => outcome === true || outcome === process.pid));
    await writeFile(file, '');
    const waiting = new Lock(folder, noLinks).acquire();
    await writeFile(file, `${process.pid} other`);
    assert.equal(await waiting, process.pid);
    await writeFile(file, '');
    await utimes(file, 0, 0);
    assert.equal(await new Lock(folder, noLinks).acquire(), true, 'whoever was writing it has died');
  });

  const unreadable: Record<string, (file: string) => Promise<unknown>> = {
    'a folder': (file) => mkdir(file),
    'a dangling link': (file) => symlink('nowhere', file),
    'a link': (file) => symlink('/dev/zero', file),
    'a pipe': (file) => Promise.resolve(execFileSync('mkfifo', [file])),
  };
  for (const [what, make] of Object.entries(unreadable)) {
    it(`is refused at once, with what to do, when ${what} is in its place`, async function () {
      if (process.platform === 'win32') this.skip();
      const file = path.join(folder, 'service.lock');
      await make(file);
      await assert.rejects(new Lock(folder).acquire(), (error: Error) =>
        error.message.includes(`${file} cannot be read. Remove it.`),
      );
    }).timeout(1000);
  }

  it('is refused when it belongs to another user', async function () {
    if (!isRoot) this.skip();
    await writeFile(path.join(folder, 'service.lock'), '1 x', { mode: 0o600 });
    await chmod(folder, 0o777);
    await asNobody(() => assert.rejects(new Lock(folder).acquire(), /cannot be read. Remove it. .*EACCES/));
  });

  it('is acquired although a dangling link keeps its place for breaking', async function () {
    if (process.platform === 'win32') this.skip();
    await writeFile(path.join(folder, 'service.lock'), `${NO_PROCESS} gone`);
    const breaker = path.join(folder, 'service.lock.breaking');
    await symlink('nowhere', breaker);
    await lutimes(breaker, 1, 1);
    assert.equal(await new Lock(folder).acquire(), true);
  });
});
