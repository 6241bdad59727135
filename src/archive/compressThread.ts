import { Worker } from 'node:worker_threads';
import type { CompressJob, CompressResult } from './compressWorker';
import type { FileZip } from './zip';

interface PendingJob {
  bytes: number;
  resolve: (zip: FileZip) => void;
  reject: (error: Error) => void;
}

/** One worker thread that compresses files. It keeps the process alive only while it has jobs. */
export class CompressThread {
  readonly #worker: Worker;
  readonly #jobs = new Map<number, PendingJob>();
  #lastId = 0;
  #pendingBytes = 0;
  #failure: Error | undefined;

  /** `script`: absolute path of the worker's bundle. */
  constructor(script: string) {
    // The options of this process, for example a loader for TypeScript, are not needed by a bundle.
    this.#worker = new Worker(script, { name: 'sideload-compress', execArgv: [] });
    this.#worker.unref();
    this.#worker
      .on('message', (result: CompressResult) => this.#onResult(result))
      .on('error', (cause) => this.#fail(new Error('The compression thread has failed', { cause })))
      .on('exit', (code) => this.#fail(new Error(`The compression thread has exited with code ${code}`)));
  }

  /** The sum of the sizes of all files that are not compressed yet. */
  get pendingBytes(): number {
    return this.#pendingBytes;
  }

  /** As `zipFile` of zip.ts. Rejects when the thread fails or exits. */
  zipFile(path: string, content: Uint8Array, level: number): Promise<FileZip> {
    if (this.#failure) return Promise.reject(this.#failure);
    return new Promise((resolve, reject) => {
      const id = ++this.#lastId;
      this.#jobs.set(id, { bytes: content.length, resolve, reject });
      this.#pendingBytes += content.length;
      this.#worker.ref();
      this.#worker.postMessage({ id, path, content, level } satisfies CompressJob);
    });
  }

  dispose(): void {
    void this.#worker.terminate();
  }

  #onResult(result: CompressResult): void {
    const job = this.#jobs.get(result.id);
    this.#jobs.delete(result.id);
    this.#pendingBytes -= job?.bytes ?? 0;
    if (this.#jobs.size === 0) this.#worker.unref();
    if ('zip' in result) job?.resolve(result.zip);
    else job?.reject(new Error(result.error));
  }

  #fail(error: Error): void {
    this.#failure ??= error;
    for (const { reject } of this.#jobs.values()) reject(error);
    this.#jobs.clear();
    this.#pendingBytes = 0;
  }
}
