/**
 * `npm test`: runs all suites, or the named ones, in parallel. The output of each part is printed when it has ended; the last line has
 * the total counts.
 */
import { tmpdir } from 'node:os';
import { endAll } from '../support/cleanup';
import { seconds } from '../support/steps';
import { againOf, mergedResult } from './again';
import { keepCoresBusy } from './busyCores';
import { changedParts } from './changedParts';
import { changedSince } from './changes';
import { runOnChanges } from './changeWatch';
import { durationsOf, recordDurations } from './durations';
import { IdleCores } from './idleCores';
import { runInLanes } from './lanes';
import { runPart, type PartResult } from './parts';
import { Resources } from './resources';
import { total, totalsLine, type Counts } from './results';
import { readRunOptions, withoutWatch, type RunOptions } from './runOptions';
import { scratchInMemory } from './scratch';
import { FULL_ENV, RECORD_ENV, SEED_ENV } from './seed';
import { chosenParts, partsInShard, suiteNames, type Part } from './suites';
import { failures, slowest, type RunTest } from './summary';
import { FILE_SUITES, testFilesOf } from './testFiles';

/**
 * Parts that need a core and run at the same time, beside the one that waits and the one in the background: on two cores that leave a part of their time
 * to two of them, since tests of a window wait for it now and then, one more. Where two use them up, as on a slow machine, one more has only a
 * share of the same cores.
 */
const LANES = 2;
const LANES_WHEN_IDLE = 3;

/** The share of the cores that must have been idle for one more. */
const IDLE_SHARE = 0.15;

const started = performance.now();

/** A line about the run itself, with the time since its begin. */
function say(line: string): void {
  console.log(`[${((performance.now() - started) / 1000).toFixed(0).padStart(4)} s] ${line}`);
}

async function runAll(parts: readonly Part[]): Promise<Map<Part, PartResult>> {
  const resources = new Resources(say);
  const results = new Map<Part, PartResult>();
  const end = new Map<Part, () => void>();
  const ended = new Map(parts.map((part) => [part, new Promise<void>((settle) => end.set(part, settle))]));
  const work = parts.map((part) => {
    const prepared = Promise.all(part.resources.map((resource) => resources.get(resource)));
    const earlier = parts.filter(({ suite }) => part.needs.includes(suite) || part.after.includes(suite));
    const ready = Promise.all([prepared.catch(() => undefined), ...earlier.map((one) => ended.get(one))]);
    const run = async (): Promise<void> => {
      const result = await runAndShow(part, prepared, parts.length === 1);
      results.set(part, result);
      end.get(part)?.();
    };
    return { ready, lane: part.lane, isLongest: part.isLongest, run };
  });
  const idle = new IdleCores();
  await runInLanes(work, () => (idle.share() > IDLE_SHARE ? LANES_WHEN_IDLE : LANES));
  return results;
}

/**
 * Runs the failed tests of suites that drive browsers a second time, one part after the other with nothing beside it; the second result
 * counts. Resolves to the tests that failed in the first run: those that pass now depend on how busy the machine is, and have a fault.
 */
async function runFailedAgain(results: Map<Part, PartResult>): Promise<RunTest[]> {
  const failed: RunTest[] = [];
  for (const [part, first] of results) {
    const again = againOf(part, first);
    if (!again) continue;
    failed.push(...first.tests.filter(({ state }) => state === 'failed').map((test) => ({ part: part.name, test })));
    const result = await runAndShow(again.part, Promise.resolve(), false);
    results.set(part, mergedResult(first, result, again.files));
  }
  return failed;
}

/** Runs a part. Its output is printed at once when it is the only part, else when it has ended. */
async function runAndShow(part: Part, prepared: Promise<unknown>, isOnly: boolean): Promise<PartResult> {
  const lines: string[] = [];
  say(`${part.name}: started`);
  const result = await runPart(part, prepared, (line) => (isOnly ? console.log(line) : lines.push(line)));
  if (lines.length > 0) console.log(`\n== ${part.name} ==\n${lines.join('\n')}\n`);
  say(`${part.name}: ${totalsLine(result.counts)} (${seconds(result.ms)})`);
  return result;
}

/** The parts of a run, with the lines to print before and after it. */
interface Selection {
  readonly parts: readonly Part[];
  readonly head: readonly string[];
  readonly deferred: readonly string[];
}

async function selectionOf(options: RunOptions): Promise<Selection> {
  const chosen = chosenParts(options.suites, options);
  if (options.changedSince !== undefined) {
    return changedParts(await changedSince(options.changedSince), chosen, options.withinSeconds);
  }
  const { shard } = options;
  const head = shard ? [`Shard ${shard.index} of ${shard.count}`] : [];
  return { parts: shard ? partsInShard(chosen, shard) : chosen, head, deferred: [] };
}

async function main(options: RunOptions): Promise<Counts> {
  const { parts, head, deferred } = await selectionOf(options);
  for (const line of head) console.log(line);
  process.env[SEED_ENV] = String(options.seed);
  process.env[FULL_ENV] = options.isFull ? '1' : '0';
  if (options.isRecording) process.env[RECORD_ENV] = '1';
  const doses = options.isFull ? 'full' : 'usual';
  console.log(`Random tests: seed ${options.seed} (repeat with -- --seed ${options.seed}), ${doses} doses`);
  say(`Temporary files: ${(await scratchInMemory()) ?? tmpdir()}`);
  if (options.isBusy) await keepCoresBusy();
  const results = await runAll(parts);
  if (options.storesDurations) await storeDurations([...results.values()]);
  const failedFirst = options.isStrict ? [] : await runFailedAgain(results);
  const tests = parts.flatMap((part) => (results.get(part)?.tests ?? []).map((test) => ({ part: part.name, test })));
  if (tests.length > 0) console.log(`\n== the slowest tests ==\n${slowest(tests).join('\n')}`);
  if (failures(tests).length > 0) console.log(`\n== what failed ==\n${failures(tests).join('\n')}`);
  if (failedFirst.length > 0)
    console.log(`\n== what failed beside the others, and ran once more alone ==\n${failures(failedFirst).join('\n')}`);
  if (deferred.length > 0) console.log(`\n== deferred: not run ==\n${deferred.join('\n')}`);
  console.log('\n== all ==');
  const suites = new Set(parts.map(({ suite }) => suite));
  for (const suite of suites) {
    const own = parts.filter((part) => part.suite === suite).flatMap((part) => results.get(part) ?? []);
    const times = own.map(({ ms }) => seconds(ms)).join(' + ');
    console.log(`  ${suite.padEnd(9)} ${totalsLine(total(own.map(({ counts }) => counts)))} (${times})`);
  }
  console.log(`  all in ${seconds(performance.now() - started)}`);
  return total([...results.values()].map(({ counts }) => counts));
}

async function storeDurations(results: readonly PartResult[]): Promise<void> {
  const measured = durationsOf(
    results.flatMap(({ files }) => files),
    results.flatMap(({ tests }) => tests),
  );
  await recordDurations(measured, FILE_SUITES.flatMap(testFilesOf));
  say(`The durations of ${measured.size} test files are stored.`);
}

async function run(args: readonly string[]): Promise<Counts> {
  const options = readRunOptions(args, suiteNames());
  if (!options.isWatching) return await main(options);
  return await runOnChanges(process.execPath, [...process.execArgv, __filename, ...withoutWatch(args)]);
}

run(process.argv.slice(2))
  .catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    return { passed: 0, failed: 1, skipped: 0 };
  })
  .then(async (counts) => {
    await endAll();
    console.log(totalsLine(counts));
    process.exitCode = counts.failed === 0 ? 0 : 1;
  })
  .catch(() => {
    process.exitCode = 1;
  });
