import { durationOf, type Durations } from './durations';

/**
 * Divides test files into `count` processes that take about equally long: always the same for the same files and durations. Some may be
 * empty when there are fewer files.
 */
export function balanced(files: readonly string[], count: number, durations: Durations): string[][] {
  const shards = Array.from({ length: count }, () => ({ files: [] as string[], seconds: 0 }));
  for (const { file, seconds } of longestFirst(files, durations)) {
    const [shortest] = [...shards].sort((a, b) => a.seconds - b.seconds);
    if (!shortest) continue;
    shortest.files.push(file);
    shortest.seconds += seconds;
  }
  return shards.map((shard) => shard.files.sort());
}

function longestFirst(files: readonly string[], durations: Durations): { file: string; seconds: number }[] {
  const all = files.map((file) => ({ file, seconds: durationOf(durations, file).seconds }));
  return all.sort((a, b) => b.seconds - a.seconds || a.file.localeCompare(b.file));
}

/** One of several machines that share a run; the first one has the number 1. */
export interface Shard {
  readonly index: number;
  readonly count: number;
}

/** What {@link inShard} needs of a part of the run. */
interface Divisible {
  readonly suite: string;
  readonly name: string;
  readonly files?: readonly string[] | undefined;
  /** What it costs a machine to run this suite at all, in seconds: to install an editor and open its window, for example. */
  readonly setupSeconds: number;
}

/** What one machine runs: a file of a part, or a part without files. */
interface Item<Part> {
  readonly part: Part;
  readonly file: string | undefined;
  readonly seconds: number;
}

/**
 * The share of one machine in the parts of a run: each file of each part, and each part without files, is in exactly one shard. Files of
 * a suite stay together as far as that is balanced, since each machine must set it up.
 */
export function inShard<Part extends Divisible>(
  parts: readonly Part[],
  { index, count }: Shard,
  durations: Durations,
): { part: Part; files: readonly string[] | undefined }[] {
  const machines = Array.from({ length: count }, () => ({
    seconds: 0,
    suites: new Set<string>(),
    items: [] as Item<Part>[],
  }));
  const items = parts.flatMap((part): Item<Part>[] =>
    part.files
      ? longestFirst(part.files, durations).map(({ file, seconds }) => ({ part, file, seconds }))
      : [{ part, file: undefined, seconds: part.setupSeconds }],
  );
  for (const item of items.sort((a, b) => b.seconds - a.seconds || compare(a, b))) {
    const costOn = ({ suites }: { suites: ReadonlySet<string> }): number =>
      item.seconds + (item.file === undefined || suites.has(item.part.suite) ? 0 : item.part.setupSeconds);
    const [machine] = [...machines].sort((a, b) => a.seconds + costOn(a) - (b.seconds + costOn(b)));
    if (!machine) continue;
    machine.seconds += costOn(machine);
    machine.suites.add(item.part.suite);
    machine.items.push(item);
  }
  const own = machines[index - 1]?.items ?? [];
  return parts.flatMap((part) => {
    const mine = own.filter((item) => item.part === part);
    if (mine.length === 0) return [];
    return [{ part, files: part.files && mine.flatMap(({ file }) => file ?? []).sort() }];
  });
}

function compare(a: Item<Divisible>, b: Item<Divisible>): number {
  return a.part.name.localeCompare(b.part.name) || (a.file ?? '').localeCompare(b.file ?? '');
}
