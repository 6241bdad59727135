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

/**
 * Reads scripts as `readCode` does, while more of them come: much code is shared out to threads, and at the end this thread takes its part of what
 * is left.
 */
export class CodeReading {
  readonly #texts: string[] = [];
  readonly #found = new Map<number, CodeFacts>();
  /** The indices of texts that nobody reads yet, in parts of about the same size. */
  readonly #batches: number[][] = [];
  /** What may still come into the last batch, in characters. */
  #room = 0;
  #size = 0;
  /** What the threads do. */
  readonly #lanes = new Set<Promise<void>>();
  #hasThreads = typeof SIDELOAD_BUNDLES !== 'undefined';

  /** Adds a script, and returns its index in the answer. */
  add(text: string): number {
    const index = this.#texts.push(text) - 1;
    this.#size += text.length;
    const last = this.#room < text.length ? undefined : this.#batches.at(-1);
    if (last) last.push(index);
    else {
      this.#share();
      this.#batches.push([index]);
      this.#room = BATCH;
    }
    this.#room -= text.length;
    return index;
  }

  /** The facts of all scripts, in the order in which they were added. */
  async end(): Promise<CodeFacts[]> {
    this.#share();
    const eventLoop = new EventLoop();
    for (let batch = this.#batches.pop(); batch; batch = this.#batches.pop()) {
      for (const index of batch) {
        this.#found.set(index, readCode(this.#texts[index] ?? ''));
        await eventLoop.yield();
      }
    }
    await Promise.all(this.#lanes);
    // A batch that a thread could not read, because of its limits or because there is no thread, is read here.
    return this.#texts.map((text, index) => this.#found.get(index) ?? readCode(text));
  }

  /** Gives batches to the threads that have none, where there is enough for them. */
  #share(): void {
    if (this.#size < MIN_SHARED) return;
    while (this.#hasThreads && this.#lanes.size < MAX_THREADS && this.#batches.length > 0) {
      const lane = this.#readInThread().finally(() => this.#lanes.delete(lane));
      this.#lanes.add(lane);
    }
  }

  async #readInThread(): Promise<void> {
    for (let batch = this.#batches.shift(); batch; batch = this.#batches.shift()) {
      const indices = batch;
      const facts = await threads.run(indices.map((index) => this.#texts[index] ?? '')).catch(() => undefined);
      if (!facts) {
        this.#hasThreads = false;
        return;
      }
      indices.forEach((index, at) => {
        const fact = facts[at];
        if (fact) this.#found.set(index, fact);
      });
    }
  }
}
