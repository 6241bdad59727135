import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { FolderPoll } from '../../../src/archive/folderPoll';
import { type BuildsHost, WrittenBuilds } from '../../../src/programs/writtenBuilds';
import { TestClock } from '../../support/testClock';

describe('the builds that a program pushes', function () {
  this.timeout(20_000);
  let root: string;
  let clock: TestClock;
  let builds: WrittenBuilds;
  /** What happens, in its order. */
  let log: string[];
  let complete: (written: readonly string[]) => boolean;
  let push: BuildsHost['push'];

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'sideload-builds-'));
    clock = new TestClock();
    log = [];
    complete = () => true;
    push = () => Promise.resolve();
    for (const folder of ['one', 'two']) await write(folder, 'worker.js', 'first');
    const polls = await Promise.all(['one', 'two'].map((folder) => FolderPoll.of(join(root, folder), {}, clock)));
    // Between the first look and the others.
    await write('two', 'worker.js', 'in between');
    const host: BuildsHost = {
      isComplete: (folder, written) => {
        const isComplete = complete(written.map((path) => basename(path)));
        if (!isComplete) log.push(`${basename(folder)} is not complete`);
        return Promise.resolve(isComplete);
      },
      push: async (folder) => {
        log.push(`push ${basename(folder)}`);
        await push(folder);
      },
      warn: (reason) => log.push(reason),
    };
    builds = new WrittenBuilds(polls, host, clock);
  });
  afterEach(async () => {
    await builds.end();
    await rm(root, { recursive: true, force: true });
  });

  async function write(folder: string, name: string, text: string): Promise<void> {
    await mkdir(join(root, folder), { recursive: true });
    await writeFile(join(root, folder, name), text);
  }

  /** Waits for the pushes of all that is written now, and gives what has happened until then. */
  async function happened(): Promise<string[]> {
    await clock.run(builds.untilPushed());
    return log.splice(0);
  }

  it('are those of the folder that has changed, also since before the first push', async () => {
    assert.deepEqual(await happened(), ['push two']);
    await write('one', 'worker.js', 'second');
    assert.deepEqual(await happened(), ['push one']);
    assert.deepEqual(await happened(), []);
  });

  it('are pushed when they are complete, or cannot become so', async () => {
    await happened();
    let tries = 0;
    complete = (written) => written.includes('worker.js') && ++tries > 1;
    await write('one', 'worker.js', 'second');
    assert.deepEqual(await happened(), ['one is not complete', 'push one']);
  });

  it('are warned of when the push cannot be begun', async () => {
    await happened();
    push = () => Promise.reject(new Error('There is no service.'));
    await write('one', 'worker.js', 'second');
    const [pushed, warned] = await happened();
    assert.equal(pushed, 'push one');
    assert.match(warned ?? '', /There is no service\./);
  });

  it('are no longer pushed after the end, which waits for the push that is under way', async () => {
    await happened();
    let finish: () => void = () => undefined;
    const begun = new Promise<void>((resolve) => {
      push = () => {
        resolve();
        return new Promise((done) => (finish = () => done(undefined)));
      };
    });
    await write('one', 'worker.js', 'second');
    const pushing = builds.untilPushed();
    await clock.run(begun);
    const ending = builds.end().then(() => log.push('ended'));
    await clock.idle();
    assert.deepEqual(log.splice(0), ['push one']);
    finish();
    await clock.run(Promise.all([pushing, ending]));
    await write('two', 'worker.js', 'second');
    await clock.advance(10_000);
    assert.deepEqual(log, ['ended']);
  });
});
