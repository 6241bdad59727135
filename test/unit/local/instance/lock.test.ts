import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Lock } from '../../../../src/local/instance/lock';
import { dose } from '../../../support/seed';

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
});
