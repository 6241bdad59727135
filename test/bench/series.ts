import { setTimeout as delay } from 'node:timers/promises';
import { within } from '../support/within';

/** A measure that is taken many times. */
export interface Measure {
  name: string;
  /** What is said of it when it fails, where the name is not enough. */
  title?: string;
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

/** Longest time for one sample, in milliseconds: that of a tool whose file is written three times because it misses two writes. */
const SAMPLE_LIMIT_MS = 180_000;

/** What a series tells of itself, and its times in milliseconds. */
export interface SeriesOptions {
  /** Called in each round. */
  report: (line: string) => void;
  /** Called with a measure that has failed, and why. */
  onFailure: (name: string, error: unknown) => void;
  /** Before each sample. */
  pauseMs?: number;
  /** Longest time for one sample. */
  limitMs?: number;
}

/**
 * Takes `samples` of every measure, in turns and each round beginning with another one, so that a slow moment of the machine
 * and what a measure leaves behind meet all of them alike. A measure of which a sample fails or takes too long is given up with the samples
 * that it has, since a median without the failed one would flatter; the others go on.
 */
export async function interleave(
  measures: readonly Measure[],
  samples: number,
  { report, onFailure, pauseMs = PAUSE_MS, limitMs = SAMPLE_LIMIT_MS }: SeriesOptions,
): Promise<Summary[]> {
  const taken = new Map(measures.map((measure) => [measure, new Map<string, number[]>()]));
  for (let round = -WARM_UPS; round < samples && taken.size > 0; round++) {
    report(round < 0 ? 'warming up' : `round ${round + 1} of ${samples}`);
    const left = [...taken];
    const first = (round + WARM_UPS) % left.length;
    for (const [measure, values] of [...left.slice(first), ...left.slice(0, first)]) {
      await delay(pauseMs);
      try {
        const sample = await within('a sample', limitMs, measure.run());
        if (round < 0) continue;
        for (const [suffix, value] of typeof sample === 'number' ? [['', sample] as const] : Object.entries(sample)) {
          const all = values.get(suffix) ?? [];
          values.set(suffix, all);
          all.push(value);
        }
      } catch (error) {
        taken.delete(measure);
        onFailure(measure.title ?? measure.name, error);
      }
    }
  }
  return [...taken].flatMap(([{ name, unit = 'ms' }, values]) =>
    [...values].map(([suffix, all]) => summarize(name + suffix, all, unit)),
  );
}

/** Median, least and most of samples. */
export function summarize(measure: string, samples: readonly number[], unit: Unit = 'ms'): Summary {
  const sorted = [...samples].sort((a, b) => a - b);
  const at = (index: number): number => sorted[index] ?? Number.NaN;
  const median = (at(Math.floor((sorted.length - 1) / 2)) + at(Math.ceil((sorted.length - 1) / 2))) / 2;
  return { measure, median, min: at(0), max: at(sorted.length - 1), n: sorted.length, unit };
}
