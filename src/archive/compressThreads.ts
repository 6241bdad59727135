import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { CompressThread } from './compressThread';
import { type FileZip, zipFile } from './zip';

/** Each thread needs memory, and a large folder is usually packed ahead. */
const MAX_THREADS = 4;

/** On two cores, threads are faster from this size on: they need time to start and to warm up (measured). */
const MIN_BYTES = 2_000_000;

/** Idle threads end after this time, in milliseconds. Builds that follow each other reuse them. */
const IDLE_MS = 30_000;

export interface CompressThreadsOptions {
  /** Absolute path of the bundle of compressWorker.ts. Default: `compress.js` in the folder of the bundle that contains this code. */
  script?: string;
  minBytes?: number;
  idleMs?: number;
}

/**
 * Compresses files in worker threads. Threads are started on demand and end when they are idle. When a thread fails, its files and all
 * later ones are compressed in the calling thread.
 */
export class CompressThreads {
  /** The sum of sizes from which files are compressed faster by threads than by the calling thread. */
  readonly minBytes: number;
  readonly #script: string;
  readonly #idleMs: number;
  readonly #maxThreads = Math.min(availableParallelism(), MAX_THREADS);
  #threads: CompressThread[] = [];
  #pendingFiles = 0;
  #hasFailed = false;
  #idleTimer: NodeJS.Timeout | undefined;

  constructor({
    script = join(__dirname, 'compress.js'),
    minBytes = MIN_BYTES,
    idleMs = IDLE_MS,
  }: CompressThreadsOptions = {}) {
    this.minBytes = minBytes;
    this.#script = script;
    this.#idleMs = idleMs;
  }

  get count(): number {
    return this.#threads.length;
  }

  /** As `zipFile` of zip.ts. */
  async zipFile(path: string, content: Uint8Array, level: number): Promise<FileZip> {
    clearTimeout(this.#idleTimer);
    this.#pendingFiles += 1;
    try {
      if (!this.#hasFailed) return await this.#leastBusy().zipFile(path, content, level);
    } catch {
      this.#hasFailed = true;
      this.#endThreads();
    } finally {
      this.#pendingFiles -= 1;
      if (this.#pendingFiles === 0) this.#startIdleTimer();
    }
    return zipFile(path, content, level);
  }

  dispose(): void {
    clearTimeout(this.#idleTimer);
    this.#endThreads();
  }

  /** An idle thread; a new thread while there may be more; else the thread with the fewest pending bytes. */
  #leastBusy(): CompressThread {
    const [least] = this.#threads.toSorted((a, b) => a.pendingBytes - b.pendingBytes);
    if (least && (least.pendingBytes === 0 || this.#threads.length >= this.#maxThreads)) return least;
    const thread = new CompressThread(this.#script);
    this.#threads.push(thread);
    return thread;
  }

  #startIdleTimer(): void {
    clearTimeout(this.#idleTimer);
    this.#idleTimer = setTimeout(() => this.#endThreads(), this.#idleMs).unref();
  }

  #endThreads(): void {
    for (const thread of this.#threads) thread.dispose();
    this.#threads = [];
  }
}
