import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { findBrowser, noBrowserMessage } from '../../src/local/chromium/browserPaths';
import { atEnd, endAll } from '../support/cleanup';
import { scratchInMemory } from '../runner/scratch';
import { within } from '../support/within';
import { Bench } from './context';
import { linesOf, type Failure } from './failures';
import { GROUPS, type Results } from './groups';
import { readBenchOptions, type BenchOptions } from './options';
import { ratiosOf, type Ratio } from './ratios';
import type { Summary } from './series';
import { trace } from './trace';

/** Longest time for a group, in milliseconds: its own waits have limits that say more. */
const GROUP_LIMIT_MS = 90 * 60_000;

/** Longest time to close what the bench has opened, in milliseconds. */
const CLOSE_LIMIT_MS = 60_000;

/**
 * Measures the way from a save to running code against the tools and the bare browser calls that developers have today,
 * all in one run and in turns. `--json` prints one object a line on stdout, the last with the failures; what goes on is told on
 * stderr. A case that fails is reported with its reason, and the others go on; the program then ends with 1.
 */
async function main(): Promise<void> {
  const options = readBenchOptions(process.argv.slice(2), Object.keys(GROUPS));
  const executable = await findBrowser();
  if (executable === undefined) throw new Error(noBrowserMessage());
  // Not on a disk: for a minute after many files were deleted there, an ext4 without a journal creates new ones thirty times as slowly.
  report(`Temporary files: ${(await scratchInMemory()) ?? tmpdir()}`);
  const root = await mkdtemp(join(tmpdir(), 'bench-'));
  atEnd('the temporary folder', () => rm(root, { recursive: true, force: true, maxRetries: 5 }));
  const bench = new Bench(root, executable, options, report);
  if (options.trace !== undefined) {
    for (const line of await trace(bench, options.trace)) console.log(line);
    return;
  }
  const summaries: Summary[] = [];
  const ratios: Ratio[] = [];
  for (const [name, group] of Object.entries(GROUPS)) {
    if (!options.isChosen(name)) continue;
    report(`${name}:`);
    const run = (): Promise<Results> => group(bench, (ofCase) => options.isCaseChosen(name, ofCase));
    const results = await bench.failures.attempt(name, limitOf(name, options), run);
    summaries.push(...(results?.summaries ?? []));
    ratios.push(...(results?.ratios ?? []));
  }
  const failures = bench.failures.all;
  const taken = [...ratiosOf(summaries), ...ratios].filter(({ value }) => !Number.isNaN(value));
  print(taken, summaries, failures, options.json);
  if (failures.length > 0) process.exitCode = 1;
}

function limitOf(group: string, { minutes }: BenchOptions): number {
  return GROUP_LIMIT_MS + (group === 'screenMemory' ? minutes * 60_000 : 0);
}

/** Ratios first: they mean the same on every machine. */
function print(
  ratios: readonly Ratio[],
  summaries: readonly Summary[],
  failures: readonly Failure[],
  json: boolean,
): void {
  if (json) {
    for (const { ratio, value } of ratios) console.log(JSON.stringify({ ratio, value }));
    for (const summary of summaries) console.log(JSON.stringify(summary));
    console.log(JSON.stringify({ failures }));
    return;
  }
  console.log('Ratios of medians, and what they may be at most');
  for (const { ratio, value, limit } of ratios) {
    const verdict = limit === undefined ? '' : `  ${limit.toFixed(2)}${value <= limit ? '' : '  too much'}`;
    console.log(`  ${ratio.padEnd(32)} ${value.toFixed(3).padStart(10)}${verdict}`);
  }
  console.log(`\nSeconds, or what is named: median (least to most) of n samples, ${cpus().length} processors`);
  for (const { measure, median, min, max, n, unit } of summaries) {
    const [middle, least, most] = [median, min, max].map((value) =>
      unit === 'ms' ? (value / 1000).toFixed(4) : `${value.toFixed(0)} ${unit}`,
    );
    console.log(`  ${measure.padEnd(66)} ${middle} (${least} to ${most}), ${n}`);
  }
  for (const line of linesOf(failures)) console.log(line);
}

function report(line: string): void {
  console.error(line);
}

void main()
  .catch((error: unknown) => {
    console.error(`The bench could not run: ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 1;
  })
  .then(() => within('the end of what the bench has opened', CLOSE_LIMIT_MS, endAll()))
  .catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : String(error));
    process.exitCode = 1;
  })
  // Connections that a browser left half open would keep the process.
  .then(() => process.exit());
