import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { EventLoop } from '../../base/eventLoop';
import { JobThreads } from '../../base/jobThreads';
import type { CodeFacts } from './codeFacts';
import { readCode } from './codeReader';

/** The bundle of codeWorker.ts, in the folder of the bundle that contains this code. */
const SCRIPT = join(__dirname, 'code.js');

/** Threads besides this one: each needs some 100 MB while it reads. */
const MAX_THREADS = Math.min(3, availableParallelism() - 1);

/** Less code is read sooner than a thread has started, in characters. */
const MIN_SHARED = 512 * 1024;

/** What a thread takes at a time, in characters; a larger script goes alone. */
const BATCH = 128 * 1024;

const threads = new JobThreads<readonly string[], CodeFacts[]>({
  script: SCRIPT,
  name: 'sideload-code',
  limitMs: 30_000,
  heapMb: 1024,
  parallel: Math.max(1, MAX_THREADS),
  idleMs: 10_000,
});

/** Reads scripts as `readCode` does: much code is shared out to threads, of which this is one. The facts come in the order of the texts. */
export async function readCodes(texts: readonly string[]): Promise<CodeFacts[]> {
  const size = texts.reduce((sum, { length }) => sum + length, 0);
  const found = new Map<number, CodeFacts>();
  const batches = batchesOf(texts);
  const lanes = [readHere(texts, batches, found)];
  if (typeof SIDELOAD_BUNDLES !== 'undefined' && size >= MIN_SHARED) {
    for (let lane = 0; lane < MAX_THREADS; lane++) lanes.push(readInThread(texts, batches, found));
  }
  await Promise.all(lanes);
  // A batch that a thread could not read, because of its limits or because there is no thread, is read here.
  return texts.map((text, index) => found.get(index) ?? readCode(text));
}

/** The indices of the texts, in parts of about the same size; the lanes take them from the end. */
function batchesOf(texts: readonly string[]): number[][] {
  const batches: number[][] = [];
  let room = 0;
  for (const [index, { length }] of texts.entries()) {
    if (room < length || batches.length === 0) {
      batches.push([]);
      room = BATCH;
    }
    batches.at(-1)?.push(index);
    room -= length;
  }
  return batches.reverse();
}

async function readHere(texts: readonly string[], batches: number[][], found: Map<number, CodeFacts>): Promise<void> {
  const eventLoop = new EventLoop();
  for (let batch = batches.pop(); batch; batch = batches.pop()) {
    for (const index of batch) {
      found.set(index, readCode(texts[index] ?? ''));
      await eventLoop.yield();
    }
  }
}

async function readInThread(
  texts: readonly string[],
  batches: number[][],
  found: Map<number, CodeFacts>,
): Promise<void> {
  for (let batch = batches.pop(); batch; batch = batches.pop()) {
    const indices = batch;
    const facts = await threads.run(indices.map((index) => texts[index] ?? '')).catch(() => undefined);
    if (!facts) return;
    indices.forEach((index, at) => {
      const fact = facts[at];
      if (fact) found.set(index, fact);
    });
  }
}
