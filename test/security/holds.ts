import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PerformanceObserver } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';

/** How long one thing may hold a host, in milliseconds. */
export const HOLD_MS = 50;

/** How often a host is asked whether it is held, in milliseconds. */
const TICK_MS = 5;

/** The probe that a process runs beside its own work, as text: it appends holds and collections, in milliseconds since the epoch, to a file. */
const PROBE = (file: string): string => `
const { appendFileSync } = require('node:fs');
const { PerformanceObserver } = require('node:perf_hooks');
const at = (ms) => (performance.timeOrigin + ms).toFixed(1);
const append = (...parts) => appendFileSync(${JSON.stringify(file)}, parts.join(' ') + '\\n');
// In a thread of its own, what takes long holds nobody.
if (require('node:worker_threads').isMainThread) {
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries()) if (duration > 1) append('gc', at(startTime), at(startTime + duration));
  }).observe({ entryTypes: ['gc'] });
  let began = performance.now(), used = process.cpuUsage();
  setInterval(() => {
    const cpu = process.cpuUsage(used), now = performance.now();
    const hold = Math.min(now - began - ${TICK_MS}, (cpu.user + cpu.system) / 1000);
    if (hold > ${HOLD_MS} / 2) append('hold', at(began), at(now), hold.toFixed(1));
    began = performance.now();
    used = process.cpuUsage();
  }, ${TICK_MS}).unref();
}
`;

/** A span of time, in milliseconds. */
interface Span {
  from: number;
  to: number;
}

interface Hold extends Span {
  ms: number;
}

/** The longest hold in milliseconds, and how many were too long: without the time in which garbage was collected. */
function longestOf(holds: readonly Hold[], collections: readonly Span[]): { longest: number; count: number } {
  const all = holds.map(({ from, to, ms }) => {
    const collected = collections
      .map((each) => Math.min(each.to, to) - Math.max(each.from, from))
      .filter((overlap) => overlap > 0);
    return ms - collected.reduce((sum, overlap) => sum + overlap, 0);
  });
  return { longest: Math.max(0, ...all), count: all.filter((ms) => ms > HOLD_MS).length };
}

/**
 * How long a host was held, by what it was given. On a machine that others use, a process may wait for a processor: only the time counts that it
 * used one. Collections of garbage are left out: with little processor time left over they take long, and no message causes one.
 */
export class Holds {
  readonly #holds: Hold[] = [];
  readonly #collections: Span[] = [];
  readonly #observer = new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries()) {
      this.#collections.push({ from: startTime, to: startTime + duration });
    }
  });

  constructor() {
    this.#observer.observe({ entryTypes: ['gc'] });
  }

  /** What a call without an await in it takes. */
  time<T>(work: () => T): T {
    const [from, cpu] = [performance.now(), process.cpuUsage()];
    try {
      return work();
    } finally {
      this.#note(from, cpu, 0);
    }
  }

  /** By what the process is held during work that gives it back in between. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    let [from, cpu] = [performance.now(), process.cpuUsage()];
    const next = (): void => {
      this.#note(from, cpu, TICK_MS);
      [from, cpu] = [performance.now(), process.cpuUsage()];
    };
    const timer = setInterval(next, TICK_MS);
    try {
      return await work();
    } finally {
      clearInterval(timer);
      next();
    }
  }

  /** Once, at the end. */
  async result(): Promise<{ longest: number; count: number }> {
    // The observer hears of garbage collections after they have ended.
    await delay(20);
    this.#observer.disconnect();
    return longestOf(this.#holds, this.#collections);
  }

  #note(from: number, before: NodeJS.CpuUsage, idleMs: number): void {
    const { user, system } = process.cpuUsage(before);
    const to = performance.now();
    const ms = Math.min(to - from - idleMs, (user + system) / 1000);
    // The short ones are many and of no interest.
    if (ms > 1) this.#holds.push({ from, to, ms });
  }
}

/** A probe in another process of Node. */
export class HoldProbe {
  #from = 0;

  private constructor(
    private readonly file: string,
    /** For the environment of the process. */
    readonly nodeOptions: string,
  ) {}

  /** `folder`: where it writes. */
  static async in(folder: string): Promise<HoldProbe> {
    const [script, file] = [join(folder, 'probe.cjs'), join(folder, 'holds.txt')];
    await writeFile(script, PROBE(file));
    await writeFile(file, '');
    return new HoldProbe(file, `--require=${script}`);
  }

  /** What was before, such as the start of the process, does not count. */
  begin(): void {
    this.#from = Date.now();
  }

  /** As of {@link Holds.result}. */
  async result(): Promise<{ longest: number; count: number }> {
    // The observer hears of garbage collections after they have ended.
    await delay(100);
    const lines = (await readFile(this.file, 'utf8')).split('\n').map((line) => line.split(' '));
    const spans = lines.map(([kind, ...numbers]) => {
      const [from = 0, to = 0, ms = 0] = numbers.map(Number);
      return { kind, from, to, ms };
    });
    return longestOf(
      spans.filter(({ kind, from }) => kind === 'hold' && from >= this.#from),
      spans.filter(({ kind }) => kind === 'gc'),
    );
  }
}
