import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { JobThreads } from '../../src/jobThreads';

/** A thread that answers each job with the job and its own id. */
const SCRIPT = `
  const { parentPort, threadId } = require('node:worker_threads');
  parentPort.on('message', (job) => parentPort.postMessage({ result: [job, threadId] }));`;

describe('a kept thread', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sideload-threads-'));
    await writeFile(join(folder, 'script.js'), SCRIPT);
  });
  after(async () => {
    await rm(folder, { recursive: true, force: true });
  });

  it('answers the next jobs, too', async () => {
    const threads = new JobThreads<number, [number, number]>({
      script: join(folder, 'script.js'),
      name: 'test',
      limitMs: 1500,
      heapMb: 64,
      parallel: 1,
      idleMs: 100,
    });
    const [, first] = await threads.run(1);
    for (const job of [2, 3]) assert.deepEqual(await threads.run(job), [job, first]);
  });
});
