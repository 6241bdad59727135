import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { findBrowser, noBrowserMessage } from '../../src/local/chromium/browserPaths';
import { atEnd, endAll } from '../support/cleanup';
import { scratchInMemory } from '../runner/scratch';
import { Bench } from './context';
import { GROUPS } from './groups';
import { readBenchOptions } from './options';
import { ratiosOf, type Ratio } from './ratios';
import type { Summary } from './series';
import { trace } from './trace';

/**
 * Measures the way from a save to running code against the tools and the bare browser calls that developers have today,
 * all in one run and in turns. `--json` prints one object a line on stdout; what goes on is told on stderr.
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
    const results = await group(bench, (ofCase) => options.isCaseChosen(name, ofCase));
    summaries.push(...results.summaries);
    ratios.push(...(results.ratios ?? []));
  }
  print([...ratiosOf(summaries), ...ratios], summaries, options.json);
}

/** Ratios first: they mean the same on every machine. */
function print(ratios: readonly Ratio[], summaries: readonly Summary[], json: boolean): void {
  if (json) {
    for (const { ratio, value } of ratios) console.log(JSON.stringify({ ratio, value }));
    for (const summary of summaries) console.log(JSON.stringify(summary));
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
}

function report(line: string): void {
  console.error(line);
}

void main()
  .catch((error: unknown) => {
    console.error(`The bench could not run: ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 1;
  })
  .then(endAll)
  // Connections that a browser left half open would keep the process.
  .then(() => process.exit());
