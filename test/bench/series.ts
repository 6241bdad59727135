import { setTimeout as delay } from 'node:timers/promises';

/** A measure that is taken many times. */
export interface Measure {
  name: string;
  /** Gives one sample in milliseconds, or several, each by its suffix of the name. */
  run: () => Promise<number | Readonly<Record<string, number>>>;
  unit?: Unit;
}

export type Unit = 'ms' | 'bytes' | 'MB' | 'frames';

/** The samples of one measure in short: all but `n` in `unit`. */
export interface Summary {
  measure: string;
  median: number;
  min: number;
  max: number;
  n: number;
  unit: Unit;
}

/** Rounds that fill caches and are not counted. */
const WARM_UPS = 2;

/** Pause before each sample, in milliseconds: what the one before left to do (folders to remove, tabs) ends in it. */
const PAUSE_MS = 150;

/**
 * Takes `samples` of every measure, in turns and each round beginning with another one, so that a slow moment of the machine
 * and what a measure leaves behind meet all of them alike. `report` is told of every round. A sample that fails ends the run:
 * a median without it would flatter.
 */
export async function interleave(
  measures: readonly Measure[],
  samples: number,
  report: (line: string) => void,
): Promise<Summary[]> {
  if (measures.length === 0) return [];
  const taken = new Map<string, { unit: Unit; samples: number[] }>();
  for (let round = -WARM_UPS; round < samples; round++) {
    report(round < 0 ? 'warming up' : `round ${round + 1} of ${samples}`);
    const first = (round + WARM_UPS) % measures.length;
    for (const { name, run, unit = 'ms' } of [...measures.slice(first), ...measures.slice(0, first)]) {
      await delay(PAUSE_MS);
      const sample = await run().catch((cause: unknown) => {
        throw new Error(`"${name}" failed: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
      });
      if (round < 0) continue;
      for (const [suffix, value] of typeof sample === 'number' ? [['', sample] as const] : Object.entries(sample)) {
        const all = taken.get(name + suffix) ?? { unit, samples: [] };
        taken.set(name + suffix, all);
        all.samples.push(value);
      }
    }
  }
  return [...taken].map(([name, { unit, samples }]) => summarize(name, samples, unit));
}

/** Median, least and most of samples. */
export function summarize(measure: string, samples: readonly number[], unit: Unit = 'ms'): Summary {
  const sorted = [...samples].sort((a, b) => a - b);
  const at = (index: number): number => sorted[index] ?? Number.NaN;
  const median = (at(Math.floor((sorted.length - 1) / 2)) + at(Math.ceil((sorted.length - 1) / 2))) / 2;
  return { measure, median, min: at(0), max: at(sorted.length - 1), n: sorted.length, unit };
}
