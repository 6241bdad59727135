import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { threadId } from 'node:worker_threads';
import { JobThreads } from '../../../src/base/jobThreads';

/** Runs the function that a job names, as answerJobs does. */
const SCRIPT = `
  const { parentPort, threadId } = require('node:worker_threads');
  const jobs = {
    id: () => threadId,
    fail: () => { throw new Error('of its own'); },
    spin: () => { for (;;); },
    grow: () => { const all = []; for (;;) all.push(new Array(1000).fill({})); },
    exit: () => process.exit(3),
  };
  parentPort.on('message', (job) => {
    try { parentPort.postMessage({ result: jobs[job]() }); } catch (error) { parentPort.postMessage({ error: String(error) }); }
  });
`;

describe('jobs in threads', function () {
  this.timeout(20_000);
  let folder: string;
  let script: string;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sideload-jobs-'));
    script = join(folder, 'jobs.js');
    await writeFile(script, SCRIPT);
  });
  after(() => rm(folder, { recursive: true }));

  const threads = (limitMs = 10_000, parallel = 2): JobThreads<string, number> =>
    new JobThreads({ script, name: 'test', limitMs, heapMb: 32, parallel, idleMs: 50 });

  it('run one after the other in one thread, and at the same time in several', async () => {
    const jobs = threads();
    const first = await jobs.run('id');
    assert.notEqual(first, threadId);
    assert.equal(await jobs.run('id'), first);
    const [one, other] = await Promise.all([jobs.run('id'), jobs.run('id')]);
    assert.notEqual(one, other);
  });

  it('reject with their error, after which the thread is used again', async () => {
    const jobs = threads();
    await assert.rejects(jobs.run('fail'), /of its own/);
    assert.ok(await jobs.run('id'));
  });

  it('are ended at their limits of time and memory, and when their thread exits', async () => {
    await assert.rejects(threads(500).run('spin'), { name: 'JobLimitError', limit: 'time' });
    // On a busy machine, a thread may take longer than that to begin.
    const jobs = threads();
    await assert.rejects(jobs.run('grow'), { name: 'JobLimitError', limit: 'memory' });
    await assert.rejects(jobs.run('exit'), /has exited/);
    assert.ok(await jobs.run('id'));
  });

  it('are ended by their signal at once, also while they wait for a thread', async () => {
    const jobs = threads(10_000, 1);
    const abort = new AbortController();
    const other = new AbortController();
    const running = jobs.run('spin', abort.signal);
    const waiting = jobs.run('id', other.signal);
    other.abort(new Error('cancelled'));
    await assert.rejects(waiting, /cancelled/);
    abort.abort(new Error('typed on'));
    await assert.rejects(running, /typed on/);
    assert.ok(await jobs.run('id'));
    await assert.rejects(jobs.run('id', AbortSignal.abort(new Error('before'))), /before/);
  });

  it('leave no listener at the signal of a program that runs many', async () => {
    const { signal } = new AbortController();
    const jobs = threads();
    await jobs.run('id', signal);
    await assert.rejects(jobs.run('fail', signal));
    assert.deepEqual(getEventListeners(signal, 'abort'), []);
  });

  it('reject when there is no script', async () => {
    const jobs = new JobThreads({
      script: join(folder, 'gone.js'),
      name: 'x',
      limitMs: 9000,
      heapMb: 32,
      parallel: 1,
      idleMs: 1,
    });
    await assert.rejects(jobs.run('id'), /Cannot find module/);
  });
});
