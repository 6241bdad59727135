import { summarize } from '../bench/series';

/** By how much memory may grow after the warm-up, and steps may get slower, as shares. */
export const MEMORY_LIMIT = 0.2;
export const TIME_LIMIT = 0.15;

/** Steps of so many milliseconds are not slower when they differ by less than the timer of a busy machine. */
const LEAST_MS = 5;

/** The median of fewer steps says nothing of the time. */
const LEAST_STEPS = 5;

/** While programs run, clients keep idle connections for their next requests, and Chromium a spare process, one more or less. */
const SPARE = 2;
const WITH_SPARES = /^(handles|sockets|processes) of/;

/** What the processes of a part have at one moment. */
export interface Footprint {
  /** In MiB. */
  readonly memory: Readonly<Record<string, number>>;
  /** How many there are: handles, timers, listeners, processes, folders. */
  readonly counts: Readonly<Record<string, number>>;
}

/** One line of the report. */
export interface SoakRow {
  readonly part: string;
  readonly measure: string;
  readonly first: number;
  readonly last: number;
  /** What `last` may be at most. */
  readonly limit: number;
  readonly unit: 'MiB' | 'ms' | '';
}

/** Whether something has grown beyond its limit. */
export function isTooMuch({ last, limit }: SoakRow): boolean {
  return last > limit;
}

/** How the processes have changed from the end of the warm-up to the last step. */
export function growthRows(part: string, warm: Footprint, end: Footprint): SoakRow[] {
  return [
    ...Object.entries(warm.memory).map(([name, first]): SoakRow => {
      const last = end.memory[name] ?? 0;
      return { part, measure: `memory of ${name}`, first, last, limit: first * (1 + MEMORY_LIMIT), unit: 'MiB' };
    }),
    ...countRows(part, '', warm, end, SPARE),
  ];
}

/** What is left when the part has closed all that it has opened. */
export function leftRows(part: string, before: Footprint, after: Footprint): SoakRow[] {
  return countRows(part, ', when all is closed', before, after);
}

function countRows(part: string, when: string, from: Footprint, to: Footprint, slack = 0): SoakRow[] {
  return Object.entries(from.counts).map(([name, first]) => {
    const last = to.counts[name] ?? 0;
    const limit = first + (WITH_SPARES.test(name) ? slack : 0);
    return { part, measure: name + when, first, last, limit, unit: '' as const };
  });
}

/** The first tenth of the steps against the last one. */
export function timeRows(part: string, times: readonly number[]): SoakRow[] {
  const count = Math.max(1, Math.round(times.length / 10));
  const [first, last] = [times.slice(0, count), times.slice(-count)].map((some) => summarize('', some).median);
  if (times.length === 0 || first === undefined || last === undefined) return [];
  const limit = count < LEAST_STEPS ? Infinity : Math.max(first * (1 + TIME_LIMIT), first + LEAST_MS);
  return [{ part, measure: `a step, first and last ${count}`, first, last, limit, unit: 'ms' }];
}

/** The table, with what is beyond its limit marked. */
export function tableOf(rows: readonly SoakRow[]): string[] {
  const shown = (value: number, unit: SoakRow['unit']): string =>
    (value === Infinity ? '-' : value.toFixed(unit === '' ? 0 : 1)).padStart(9);
  return [
    `${'part'.padEnd(10)} ${'measure'.padEnd(48)} ${'first'.padStart(9)} ${'last'.padStart(9)} ${'at most'.padStart(9)}`,
    ...rows.map((row) => {
      const { part, measure, first, last, limit, unit } = row;
      const figures = [first, last, limit].map((value) => shown(value, unit)).join(' ');
      return `${part.padEnd(10)} ${measure.padEnd(48)} ${figures} ${unit}${isTooMuch(row) ? '  too much' : ''}`;
    }),
  ];
}
