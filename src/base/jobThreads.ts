import pLimit from 'p-limit';
import { parentPort, Worker } from 'node:worker_threads';

declare global {
  /**
   * Set by the build in the bundles that ship, which have the scripts of threads beside them. Elsewhere, as in tests, jobs run without a
   * thread; what only they need is left out of the bundles that ship, because the build knows that it is never run there.
   */
  const SIDELOAD_BUNDLES: true | undefined;
}

/** A job was ended because it took too much time or memory. */
export class JobLimitError extends Error {
  override readonly name = 'JobLimitError';

  constructor(readonly limit: 'time' | 'memory') {
    super(`The job exceeded its limit of ${limit}`);
  }
}

export interface JobThreadsOptions {
  /** Absolute path of the bundle that the threads run, which calls {@link answerJobs}. */
  script: string;
  name: string;
  /** The longest time of one job, in milliseconds. */
  limitMs: number;
  /** The largest heap of a thread, in MiB. */
  heapMb: number;
  /** Jobs that run at the same time. */
  parallel: number;
  /** An idle thread ends after this time, in milliseconds. */
  idleMs: number;
}

type Answer<Result> = { result: Result } | { error: string };

/**
 * Runs jobs on data that may be hostile: each has a worker thread for itself, so that it can neither block this thread, nor exceed its
 * time and memory. One thread is kept for the next job.
 */
export class JobThreads<Job, Result> {
  readonly #limit: ReturnType<typeof pLimit>;
  #idle: Worker | undefined;
  #idleTimer: NodeJS.Timeout | undefined;

  constructor(private readonly options: JobThreadsOptions) {
    this.#limit = pLimit(options.parallel);
  }

  /**
   * The answer to a job, which is copied to its thread. Rejects with a {@link JobLimitError}, with an Error when the job fails, and at
   * once with the signal's reason, which ends the thread.
   */
  run(job: Job, signal?: AbortSignal): Promise<Result> {
    if (signal?.aborted === true) return Promise.reject(reasonOf(signal));
    const running = this.#limit(() => this.#run(job, signal));
    if (!signal) return running;
    // A job that still waits for a thread is cancelled, too.
    const over = new AbortController();
    const aborted = new Promise<never>((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(reasonOf(signal)), { signal: over.signal });
    });
    // The signal may be that of a program, which runs any number of jobs.
    return Promise.race([running, aborted]).finally(() => over.abort());
  }

  async #run(job: Job, signal?: AbortSignal): Promise<Result> {
    signal?.throwIfAborted();
    clearTimeout(this.#idleTimer);
    const worker = this.#idle ?? this.#start();
    this.#idle = undefined;
    const end = new AbortController();
    worker.ref();
    try {
      const answer = await new Promise<Answer<Result>>((resolve, reject) => {
        const timer = setTimeout(() => reject(new JobLimitError('time')), this.options.limitMs);
        end.signal.addEventListener('abort', () => {
          clearTimeout(timer);
          // Without naming them, the listeners by which the worker itself receives messages would be removed, too.
          for (const event of ['message', 'messageerror', 'error', 'exit']) worker.removeAllListeners(event);
        });
        const onAbort = (): void => {
          if (signal) reject(reasonOf(signal));
        };
        signal?.addEventListener('abort', onAbort, { signal: end.signal });
        worker
          .on('message', resolve)
          .on('messageerror', reject)
          .on('error', (cause) => {
            const isMemory = 'code' in cause && cause.code === 'ERR_WORKER_OUT_OF_MEMORY';
            reject(isMemory ? new JobLimitError('memory') : cause);
          })
          .on('exit', () => reject(new Error(`The thread ${this.options.name} has exited`)));
        worker.postMessage(job);
      });
      end.abort();
      this.#keep(worker);
      if ('error' in answer) throw new Error(answer.error);
      return answer.result;
    } finally {
      if (!end.signal.aborted) {
        end.abort();
        // A thread that was ended may still fail, for which there must be a listener.
        worker.on('error', () => undefined);
        worker.unref();
        void worker.terminate();
      }
    }
  }

  #start(): Worker {
    const { script, name, heapMb } = this.options;
    // The options of this process, for example a loader for TypeScript, are not needed by a bundle.
    return new Worker(script, { name, execArgv: [], resourceLimits: { maxOldGenerationSizeMb: heapMb } });
  }

  /** Keeps a thread for the next job, unless there is one already. It does not keep the process alive. */
  #keep(worker: Worker): void {
    worker.on('error', () => undefined);
    worker.unref();
    if (this.#idle) void this.#idle.terminate();
    this.#idle = worker;
    worker.on('exit', () => {
      if (this.#idle === worker) this.#idle = undefined;
    });
    clearTimeout(this.#idleTimer);
    this.#idleTimer = setTimeout(() => {
      void this.#idle?.terminate();
      this.#idle = undefined;
    }, this.options.idleMs).unref();
  }
}

function reasonOf({ reason }: AbortSignal): Error {
  return reason instanceof Error ? reason : new Error('Aborted', { cause: reason });
}

/** In a thread of {@link JobThreads}: answers each job that is posted to it. */
export function answerJobs<Job, Result>(answer: (job: Job) => Result | Promise<Result>): void {
  parentPort?.on('message', (job: Job) => {
    void Promise.resolve(job)
      .then(answer)
      .then(
        (result): Answer<Result> => ({ result }),
        (error: unknown): Answer<Result> => ({ error: String(error) }),
      )
      .then((reply) => parentPort?.postMessage(reply));
  });
}
