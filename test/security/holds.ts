import { build } from 'esbuild';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { NODE_BUNDLE } from '../../.esbuild';
import { HOLD_MS, HOLDS_FILE_ENV } from './holdLimits';
import { HoldWatch } from './holdWatch';
import { threadCpuMs } from './threadClock';

/** A clock reading that is no older than so many milliseconds is used again: reading the processor time takes longer than most calls. */
const REUSED_MS = 1;

/** What was measured. */
export interface HoldResult {
  /** In milliseconds. */
  longest: number;
  /** How many were over {@link HOLD_MS}. */
  count: number;
}

/** How long this process was held, by what it was given, in processor time of the thread: see {@link HoldWatch}. */
export class Holds {
  #longest = 0;
  #count = 0;
  #readAt = Number.NEGATIVE_INFINITY;
  #cpu = 0;

  /** What a call without an await in it takes. */
  time<T>(work: () => T): T {
    if (performance.now() - this.#readAt > REUSED_MS) this.#read();
    const from = performance.now();
    try {
      return work();
    } finally {
      const ms = performance.now() - from;
      if (ms > REUSED_MS) {
        const before = this.#cpu;
        this.#read();
        this.#note(Math.min(ms, this.#cpu - before));
      }
    }
  }

  /** By what the process is held during work that gives it back in between. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    const watch = new HoldWatch((ms) => {
      this.#note(ms);
    });
    try {
      return await work();
    } finally {
      watch.end();
    }
  }

  result(): Promise<HoldResult> {
    return Promise.resolve({ longest: this.#longest, count: this.#count });
  }

  #read(): void {
    this.#cpu = threadCpuMs();
    this.#readAt = performance.now();
  }

  #note(ms: number): void {
    this.#longest = Math.max(this.#longest, ms);
    if (ms > HOLD_MS) this.#count += 1;
  }
}

/** The same of another process of Node, which runs a probe beside its own work. */
export class HoldProbe {
  #from = 0;

  private constructor(
    private readonly file: string,
    /** What is added to the environment of the process. */
    readonly env: NodeJS.ProcessEnv,
  ) {}

  /** `folder`: where the probe is, and writes. */
  static async in(folder: string): Promise<HoldProbe> {
    const [script, file] = [join(folder, 'probe.cjs'), join(folder, 'holds.txt')];
    await build({ ...NODE_BUNDLE, entryPoints: [join(__dirname, 'holdProbe.ts')], outfile: script });
    await writeFile(file, '');
    return new HoldProbe(file, { NODE_OPTIONS: `--require=${script}`, [HOLDS_FILE_ENV]: file });
  }

  /** What was before, such as the start of the process, does not count. */
  begin(): void {
    this.#from = Date.now();
  }

  async result(): Promise<HoldResult> {
    const lines = (await readFile(this.file, 'utf8')).split('\n').map((line) => line.split(' ').map(Number));
    const found = lines.flatMap(([at = 0, ms = 0]) => (at > this.#from ? [ms] : []));
    return { longest: Math.max(0, ...found), count: found.filter((ms) => ms > HOLD_MS).length };
  }
}
