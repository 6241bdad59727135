import { HoldWatch } from '../security/holdWatch';
import type { Bench } from './context';
import type { Ratio } from './ratios';
import type { Measure, Summary } from './series';

/** What a figure of a case may be at most. */
export interface ScaleLimit {
  /** How many times as much it takes of ten times as many. */
  readonly growth?: number;
  /** In milliseconds, of the full size. */
  readonly most?: number;
  /** How many times as much as another figure of the full size. */
  readonly of?: { readonly figure: string; readonly times: number };
}

/** Samples of one size: milliseconds by the figure that they are of. */
export type ScaleRun = () => Promise<Readonly<Record<string, number>>>;

/** Work that gets larger, measured at its full size and at a tenth. */
export interface ScaleCase {
  /** Which things there are many of. */
  readonly things: string;
  readonly full: number;
  /** The figures, and their limits. */
  readonly figures: Readonly<Record<string, ScaleLimit>>;
  readonly prepare: (bench: Bench, count: number) => Promise<ScaleRun>;
}

/** By how much the host may be held, in milliseconds. */
const HELD_LIMIT_MS = 50;

/** The limit of the figure that {@link timed} gives besides the duration. */
export const HELD = { held: { most: HELD_LIMIT_MS } } as const;

/** Longest time to make what a case needs, in milliseconds. */
const PREPARE_LIMIT_MS = 20 * 60_000;

/** How long some work takes, and how long it holds this thread at most, in milliseconds. */
export async function timed(work: () => Promise<unknown>): Promise<{ ms: number; held: number }> {
  let held = 0;
  const watch = new HoldWatch((ms) => {
    held = Math.max(held, ms);
  });
  const begun = performance.now();
  try {
    await work();
  } finally {
    watch.end();
  }
  return { ms: performance.now() - begun, held };
}

/** How many things a share of the full size is. */
function countOf(full: number, share: number): number {
  return Math.round(full * share);
}

/** The name of a measure: the figure comes after it. */
function nameOf({ things, full }: ScaleCase, share: number): string {
  return `${countOf(full, share).toLocaleString('en')} ${things}: `;
}

/** The measures of a case, at a tenth and at the full size. */
export async function scaleMeasures(bench: Bench, name: string, one: ScaleCase): Promise<Measure[]> {
  const made: Measure[] = [];
  for (const share of [0.1, 1]) {
    const measure = nameOf(one, share);
    const prepare = async (): Promise<Measure[]> => {
      const run = await one.prepare(bench, countOf(one.full, share));
      return [{ name: measure, run }];
    };
    made.push(...(await bench.prepare(`scale/${name}, ${measure}`, prepare, PREPARE_LIMIT_MS)));
  }
  return made;
}

/** How each figure grows from a tenth of its size, how it compares with another one, and what has a limit of its own. */
export function scaleRatios(name: string, one: ScaleCase, summaries: readonly Summary[]): Ratio[] {
  const medianOf = (figure: string, share: number): number => {
    const measure = nameOf(one, share) + figure;
    return summaries.find((summary) => summary.measure === measure)?.median ?? Number.NaN;
  };
  return Object.entries(one.figures).flatMap(([figure, { growth, most, of }]): Ratio[] => {
    const [tenth, full] = [medianOf(figure, 0.1), medianOf(figure, 1)];
    if (Number.isNaN(full)) return [];
    const comparedTo = ({ figure: other, times }: NonNullable<typeof of>): Ratio => ({
      ratio: `scale/${name}/${figure} of ${other}`,
      value: full / medianOf(other, 1),
      limit: times,
    });
    return [
      ...(most === undefined ? [] : [{ ratio: `scale/${name}/${figure}, ms`, value: full, limit: most }]),
      ...(of === undefined ? [] : [comparedTo(of)]),
      // What is held for a millisecond or two grows by chance.
      ...(figure === 'held' ? [] : [{ ratio: `scale/${name}/${figure}, times`, value: full / tenth, limit: growth }]),
    ];
  });
}
