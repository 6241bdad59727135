import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { findBrowser, noBrowserMessage } from '../../src/local/chromium/browserPaths';
import { checkFolder } from '../../src/manifest/check';
import type { ServiceClient } from '../../src/service/client';
import { atEnd, endAll } from '../support/cleanup';
import { SAMPLE } from '../support/paths';
import { activations } from './activation';
import { LargeFolder, requireZip } from './archives';
import { BareBrowser } from './bareBrowser';
import { Beacon } from './beacon';
import { InPlace } from './inPlace';
import { startService } from './localService';
import { MEASURES, ratiosOf, type Ratio } from './ratios';
import { restart } from './restart';
import { roundTrips } from './roundTrips';
import { interleave, type Measure, type Summary } from './series';
import { Subject } from './subject';
import { uploads } from './uploads';
import { fetchWebExt, WebExt } from './webExt';

/** Samples of each measure, warm-ups not counted. */
const SAMPLES = 12;

/**
 * Measures the way from a save to running code against the tools and the bare browser calls that developers have today,
 * all in one run and in turns. `--json` prints one object a line on stdout; what goes on is told on stderr.
 */
async function main(): Promise<void> {
  const executable = await findBrowser();
  if (executable === undefined) throw new Error(noBrowserMessage());
  await requireZip();
  const root = await mkdtemp(join(tmpdir(), 'sideload-bench-'));
  atEnd('the temporary folder', () => rm(root, { recursive: true, force: true, maxRetries: 5 }));
  const program = await fetchWebExt(report);
  report('starting the browsers');
  const client = await startService(join(root, 'service'));
  const loop = await loopMeasures(executable, program, client, root);
  const sizes = [...(await uploads(client, root)), { name: 'check of a manifest', run: check }];
  const archives = await archiveMeasures(root);
  const trips = await roundTrips(executable, client, root);
  const summaries: Summary[] = [];
  // What is set against each other is measured in turns; a pack of 25 MB has nothing to do beside a reload.
  summaries.push(...(await activations(root, executable, SAMPLES, report)));
  for (const measures of [loop, trips, archives, sizes])
    summaries.push(...(await interleave(measures, SAMPLES, report)));
  print(ratiosOf(summaries), summaries);
}

async function loopMeasures(
  executable: string,
  program: string,
  client: ServiceClient,
  root: string,
): Promise<Measure[]> {
  const beacon = await Beacon.start();
  atEnd('the beacon', () => beacon.close());
  const subject = (name: string): Promise<Subject> => Subject.create(join(root, name), name, beacon);
  const inPlace = await InPlace.prepare(client, await subject('in-place'), beacon);
  const bare = await BareBrowser.start(executable, join(root, 'bare-browser'), await subject('bare'), beacon);
  const webExtFolder = join(root, 'web-ext-files');
  const webExt = await WebExt.start(program, executable, webExtFolder, await subject('web-ext'), beacon);
  const restarted = await subject('restart');
  return [
    { name: MEASURES.inPlace, run: () => inPlace.worker() },
    { name: MEASURES.bareReload, run: () => bare.reload() },
    { name: MEASURES.webExtRun, run: () => webExt.worker() },
    { name: MEASURES.manifestChange, run: () => inPlace.manifest() },
    { name: MEASURES.bareLoad, run: () => bare.load() },
    { name: MEASURES.restart, run: () => restart(client, restarted, beacon) },
  ];
}

async function archiveMeasures(root: string): Promise<Measure[]> {
  const large = await LargeFolder.create(root);
  return [
    { name: MEASURES.zip, run: () => large.zip() },
    { name: MEASURES.packCold, run: () => large.cold() },
    { name: MEASURES.packColdLocal, run: () => large.coldLocal() },
    { name: MEASURES.repackOne, run: () => large.afterOneChange() },
    { name: 'event-loop delay while packing 25 MB, p99', run: () => large.eventLoopDelay() },
  ];
}

async function check(): Promise<number> {
  const started = performance.now();
  await checkFolder(SAMPLE);
  return performance.now() - started;
}

/** Ratios first: they mean the same on every machine. */
function print(ratios: readonly Ratio[], summaries: readonly Summary[]): void {
  if (process.argv.includes('--json')) {
    for (const { ratio, value } of ratios) console.log(JSON.stringify({ ratio, value }));
    for (const summary of summaries) console.log(JSON.stringify(summary));
    return;
  }
  console.log('Ratios of medians, and what they may be at most');
  for (const { ratio, value, limit } of ratios) {
    const verdict = value <= limit ? '' : '  too much';
    console.log(`  ${ratio.padEnd(24)} ${value.toFixed(3).padStart(8)}  ${limit.toFixed(2)}${verdict}`);
  }
  console.log(`\nSeconds: median (least to most) of ${SAMPLES} samples, ${cpus().length} processors`);
  for (const { measure, median, min, max } of summaries) {
    console.log(`  ${measure.padEnd(54)} ${seconds(median)} (${seconds(min)} to ${seconds(max)})`);
  }
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(4);
}

function report(line: string): void {
  console.error(line);
}

void main()
  .catch((error: unknown) => {
    console.error(`The bench could not run: ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 1;
  })
  .finally(endAll)
  // Connections that a browser left half open would keep the process.
  .then(() => process.exit());
