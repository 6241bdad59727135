import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { FolderPoll } from '../../../src/archive/folderPoll';
import { type Clock, delayOn, type Timer } from '../../../src/base/clock';

/** A clock of which the test sets the time and makes the calls. */
class HandClock implements Clock {
  time = 0;
  /** How far each question for the time moves it. */
  stepMs = 0;
  next: { ms: number; act: () => void } | undefined;

  now(): number {
    return (this.time += this.stepMs);
  }

  after(ms: number, act: () => void): Timer {
    const next = { ms, act };
    this.next = next;
    const timer: Timer = {
      clear: () => {
        if (this.next === next) this.next = undefined;
      },
      unref: () => timer,
    };
    return timer;
  }

  delay(ms: number): Promise<void> {
    return delayOn(this, ms);
  }
}

describe('a folder that is looked at again and again', () => {
  let root: string;
  let folder: string;
  let clock: HandClock;
  let poll: FolderPoll;
  let written: string[];
  let onWrite: () => void = () => undefined;

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'sideload-poll-'));
    folder = join(root, 'dist');
    clock = new HandClock();
    written = [];
    for (const name of ['worker.js', 'pages/popup.js']) await write(name, name);
    poll = await FolderPoll.of(folder, { exclude: ['*.txt'] }, clock);
  });
  afterEach(async () => {
    poll.dispose();
    await rm(root, { recursive: true, force: true });
  });

  async function write(name: string, text: string): Promise<void> {
    await mkdir(join(folder, name, '..'), { recursive: true });
    await writeFile(join(folder, name), text);
  }

  async function follow(): Promise<void> {
    poll.follow((path) => {
      written.push(relative(folder, path));
      onWrite();
    });
    await poll.look();
  }

  /** What is reported of `change`, sorted. */
  async function reported(change: () => Promise<unknown>): Promise<string[]> {
    await change();
    await poll.look();
    return written.splice(0).sort();
  }

  it('reports what is created, changed and deleted, and nothing else', async () => {
    await follow();
    assert.deepEqual(await reported(() => Promise.resolve()), []);
    assert.deepEqual(await reported(() => write('new.js', '1')), ['new.js']);
    assert.deepEqual(await reported(() => write('worker.js', 'longer than before')), ['worker.js']);
    assert.deepEqual(await reported(() => utimes(join(folder, 'worker.js'), 1, 1)), ['worker.js']);
    assert.deepEqual(await reported(() => rm(join(folder, 'pages'), { recursive: true })), [join('pages', 'popup.js')]);
    assert.deepEqual(await reported(() => write('notes.txt', 'not delivered')), []);
  });

  it('reports what was written between its first look and the others', async () => {
    await write('worker.js', 'in between');
    await follow();
    assert.deepEqual(written, ['worker.js']);
  });

  it('goes on with a folder that is removed, and made again or put in its place', async () => {
    await follow();
    const all = ['worker.js', join('pages', 'popup.js')].sort();
    assert.deepEqual(await reported(() => rm(folder, { recursive: true })), all);
    assert.deepEqual(await reported(() => write('worker.js', 'again')), ['worker.js']);
    await rename(folder, `${folder}-built`);
    await writeFile(join(`${folder}-built`, 'late.js'), '');
    assert.deepEqual(await reported(() => rename(`${folder}-built`, folder)), ['late.js']);
    assert.deepEqual(await reported(() => write('late.js', 'changed')), ['late.js']);
  });

  it('looks again after 100 ms while something changes, and after 500 ms when nothing has for five minutes', async () => {
    await follow();
    const next = async (atMs: number): Promise<number> => {
      clock.time = atMs;
      await poll.look();
      return clock.next?.ms ?? Number.NaN;
    };
    assert.deepEqual(
      [await next(1000), await next(60_000), await next(180_000), await next(900_000)],
      [100, 100, 300, 500],
    );
    await write('worker.js', 'changed');
    assert.equal(await next(900_500), 100);
    await write('worker.js', 'changed once more');
    const seen = new Promise<void>((resolve) => (onWrite = resolve));
    clock.next?.act();
    await seen;
    assert.deepEqual(written, ['worker.js', 'worker.js']);
  });

  it('looks at a folder that takes long to read no sooner than after twenty times as long', async () => {
    clock.stepMs = 40;
    await follow();
    assert.equal(clock.next?.ms, 800);
  });

  it('reports nothing any more when it is disposed of', async () => {
    await follow();
    poll.dispose();
    assert.deepEqual(await reported(() => write('worker.js', 'later')), []);
    assert.equal(clock.next, undefined);
  });
});
