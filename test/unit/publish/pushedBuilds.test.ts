import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { PushedBuilds } from '../../../src/publish/pushedBuilds';

const LIMITS = { count: 3, each: 10, all: 20 };

describe('the builds that were pushed last', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sideload-builds-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  /** Keeps builds of these sizes, by their digests. */
  async function keep(builds: PushedBuilds, ...sizes: [digest: string, bytes: number][]): Promise<void> {
    await Promise.all(
      sizes.map(([digest, bytes]) => builds.keep(digest, bytes, () => Promise.resolve(Buffer.alloc(bytes, digest)))),
    );
  }

  const kept = (builds: PushedBuilds): string[] =>
    ['a', 'b', 'c', 'd'].filter((digest) => builds.pathOf(digest) !== undefined);

  it('are kept up to a number and a sum of bytes, the newest ones', async () => {
    const builds = new PushedBuilds(folder, LIMITS);
    await keep(builds, ['a', 1], ['b', 2], ['c', 3]);
    assert.equal(await readFile(builds.pathOf('b') ?? '', 'utf8'), 'bb');
    // Pushed again, it is the newest one.
    await keep(builds, ['a', 1], ['d', 4]);
    assert.deepEqual(kept(builds), ['a', 'c', 'd']);
    await keep(builds, ['b', 10]);
    assert.deepEqual(kept(builds), ['a', 'b', 'd']);
    await keep(builds, ['c', 11]);
    assert.deepEqual(kept(builds), ['a', 'b', 'd'], 'a build that is too large');
    await keep(builds, ['c', 10]);
    assert.deepEqual(kept(builds), ['b', 'c']);
    const files = await readdir(dirname(builds.pathOf('b') ?? ''));
    assert.deepEqual(files.sort(), ['b.zip', 'c.zip']);
    builds.dispose();
  });

  it('go when they are disposed of, also one that is written then', async () => {
    const builds = new PushedBuilds(folder, LIMITS);
    await keep(builds, ['a', 1]);
    const own = dirname(builds.pathOf('a') ?? '');
    const keeping = keep(builds, ['b', 1]);
    builds.dispose();
    await keeping;
    assert.deepEqual(kept(builds), []);
    assert.equal(existsSync(own), false);
  });

  it('of processes that have ended go with the next one, and no others', async () => {
    const [ended, others] = [new PushedBuilds(folder, LIMITS, 2 ** 30), new PushedBuilds(folder, LIMITS, process.ppid)];
    await keep(ended, ['a', 1]);
    await keep(others, ['a', 1]);
    await mkdir(join(folder, 'elsewhere-1'));
    const builds = new PushedBuilds(folder, LIMITS);
    await keep(builds, ['b', 1]);
    assert.equal(existsSync(ended.pathOf('a') ?? ''), false);
    assert.equal(existsSync(others.pathOf('a') ?? ''), true);
    assert.equal(existsSync(join(folder, 'elsewhere-1')), true);
  });

  it('are not kept where nothing can be written', async () => {
    const file = join(folder, 'file');
    await writeFile(file, '');
    const builds = new PushedBuilds(file, LIMITS);
    await keep(builds, ['a', 1]);
    assert.deepEqual(kept(builds), []);
  });
});
