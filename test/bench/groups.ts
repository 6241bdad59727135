import { join } from 'node:path';
import { checkFolder } from '../../src/manifest/check';
import { SAMPLE } from '../support/paths';
import { activations } from './activation';
import { LargeFolder, requireZip } from './archives';
import { BareBrowser } from './bareBrowser';
import { BareRestart } from './bareRestart';
import { ConsoleLines } from './consoleLine';
import type { Bench } from './context';
import { debugMeasures, relayRatios } from './debugging';
import { editorSessions } from './debugEditor';
import { DEBUG_CASES, debugNetworkMeasures } from './debugNetwork';
import { errorMeasures } from './errors';
import { FirstPush } from './firstPush';
import { InPlace } from './inPlace';
import { keptPageMeasures, keptPageRatios } from './keptPages';
import { localhostMeasures, localhostRatios } from './localhost';
import { moduleMeasures, moduleRatios } from './localhostModules';
import { memory, memoryRatios } from './memory';
import { networkMeasures, roundTripRatios } from './network';
import { peerMeasures, peerRatios } from './peers';
import { MEASURES, type Ratio } from './ratios';
import { restart } from './restart';
import { roundTrips } from './roundTrips';
import { scale } from './scale';
import { screenRatios, screenResults } from './screen';
import { screenMemory } from './screenMemory';
import type { Measure, Summary } from './series';
import { Subject } from './subject';
import { storeCheckMeasures } from './storeCheck';
import { uploadRatios, uploads } from './uploads';
import { fetchWebExt, WebExt } from './webExt';
import { wireMeasures, wireRatios } from './wire';

export interface Results {
  summaries: readonly Summary[];
  ratios?: readonly Ratio[];
}

/** Measures what is set against each other; `isChosen` tells which of its cases. */
export type Group = (bench: Bench, isChosen: (name: string) => boolean) => Promise<Results>;

/** The groups of measures, in the order in which they run. What is set against each other is measured in turns, within one group. */
export const GROUPS: Readonly<Record<string, Group>> = {
  // A group that prepares nothing by `bench.prepare` fails as a whole: it has one case, or cases that share what they measure.
  activation: async ({ root, executable, options, report }) => ({
    summaries: await activations(root, executable, options.samples, report),
  }),
  loop: async (bench) => ({ summaries: await bench.measure(await loopMeasures(bench)) }),
  first: async (bench) => ({ summaries: await bench.measure(await firstMeasures(bench)) }),
  pages: async (bench) => {
    const summaries = await bench.measure(await keptPageMeasures(bench));
    return { summaries, ratios: keptPageRatios(summaries) };
  },
  devtools: async (bench) => {
    const { client } = await bench.service();
    return { summaries: await bench.measure(await roundTrips(bench.executable, client, bench.root)) };
  },
  console: async (bench) => {
    const { client } = await bench.service();
    const subject = await Subject.create(join(bench.root, 'console'), 'console', await bench.beacon());
    const lines = await ConsoleLines.prepare(client, subject);
    return { summaries: await bench.measure([{ name: MEASURES.consoleLine, run: () => lines.line() }]) };
  },
  archives: async (bench) => ({ summaries: await bench.measure(await archiveMeasures(bench.root)) }),
  check: async (bench, isChosen) => ({
    summaries: isChosen('store')
      ? await bench.measure(await bench.prepare('check/store', () => storeCheckMeasures(bench.root)))
      : [],
  }),
  uploads: async (bench) => {
    const { client } = await bench.service();
    const prepared = await bench.prepare('uploads', () => uploads(client, bench.root));
    const measures = [...prepared, { name: 'check of a manifest', run: check }];
    const summaries = await bench.measure(measures);
    return { summaries, ratios: uploadRatios(summaries) };
  },
  memory: async (bench) => {
    const summaries = await memory(await bench.service(), bench.root, bench.options.samples);
    return { summaries, ratios: memoryRatios(summaries) };
  },
  network: async (bench, isChosen) => {
    const summaries = await bench.measure(await networkMeasures(bench, isChosen));
    return { summaries, ratios: roundTripRatios(summaries) };
  },
  debug: async (bench, isChosen) => {
    // Before there are browsers of the others.
    const inEditor = isChosen('editor')
      ? await bench.failures.attempt('debug/editor', EDITOR_LIMIT_MS, () => editorSessions(bench))
      : undefined;
    const measures = [
      ...(isChosen('local') ? await bench.prepare('debug/local', () => debugMeasures(bench)) : []),
      ...(isChosen('network') ? await debugNetworkMeasures(bench) : []),
    ];
    const summaries = [...(inEditor ?? []), ...(await bench.measure(measures))];
    return { summaries, ratios: [...relayRatios(summaries), ...roundTripRatios(summaries, DEBUG_CASES)] };
  },
  screen: async (bench, isChosen) => {
    const summaries = await screenResults(bench, isChosen);
    return { summaries, ratios: screenRatios(summaries) };
  },
  screenMemory: (bench) => screenMemory(bench, bench.options.minutes),
  errors: async (bench) => ({ summaries: await bench.measure(await errorMeasures(bench)) }),
  wire: async (bench, isChosen) => {
    const summaries = await bench.measure(await wireMeasures(bench, isChosen));
    return { summaries, ratios: wireRatios(summaries) };
  },
  localhost: async (bench, isChosen) => {
    const measures = [...(await localhostMeasures(bench, isChosen)), ...(await moduleMeasures(bench, isChosen))];
    const summaries = await bench.measure(measures);
    return { summaries, ratios: [...localhostRatios(summaries), ...moduleRatios(summaries)] };
  },
  scale: (bench, isChosen) => scale(bench, isChosen),
  peers: async (bench, isChosen) => {
    const summaries = await bench.measure(await peerMeasures(bench, isChosen));
    return { summaries, ratios: peerRatios(summaries) };
  },
};

/** Longest time for all sessions of `debug/editor`, in milliseconds, which have limits of their own. */
const EDITOR_LIMIT_MS = 30 * 60_000;

/** Longest time to fetch a tool from npm and to start it, in milliseconds. */
const FETCH_LIMIT_MS = 10 * 60_000;

async function loopMeasures(bench: Bench): Promise<Measure[]> {
  const { executable, root, report } = bench;
  const [{ client }, beacon] = [await bench.service(), await bench.beacon()];
  const subject = (name: string): Promise<Subject> => Subject.create(join(root, name), name, beacon);
  const inPlace = async (): Promise<Measure[]> => {
    const pushed = await InPlace.prepare(client, await subject('in-place'), beacon);
    return [
      { name: MEASURES.inPlace, run: () => pushed.worker() },
      { name: MEASURES.manifestChange, run: () => pushed.manifest() },
    ];
  };
  const bare = async (): Promise<Measure[]> => {
    const browser = await BareBrowser.start(executable, join(root, 'bare-browser'), await subject('bare'), beacon);
    return [
      { name: MEASURES.bareReload, run: () => browser.reload() },
      { name: MEASURES.bareLoad, run: () => browser.load() },
    ];
  };
  const webExt = async (): Promise<Measure[]> => {
    const program = await fetchWebExt(report);
    const files = join(root, 'web-ext-files');
    const running = await WebExt.start(program, executable, files, await subject('web-ext'), beacon);
    return [{ name: MEASURES.webExtRun, run: () => running.worker() }];
  };
  const byRestart = async (): Promise<Measure[]> => {
    const restarted = await subject('restart');
    return [{ name: MEASURES.restart, run: () => restart(client, restarted, beacon) }];
  };
  return [
    ...(await bench.prepare('loop, pushes in place', inPlace)),
    ...(await bench.prepare('loop, a bare browser', bare)),
    ...(await bench.prepare('loop, web-ext run', webExt, FETCH_LIMIT_MS)),
    ...(await bench.prepare('loop, by restart', byRestart)),
  ];
}

async function firstMeasures(bench: Bench): Promise<Measure[]> {
  const { executable, root } = bench;
  const [{ client }, beacon] = [await bench.service(), await bench.beacon()];
  const push = async (): Promise<Measure[]> => {
    const first = new FirstPush(client, await Subject.create(join(root, 'first'), 'first', beacon), beacon);
    return [{ name: MEASURES.firstPush, run: () => first.push() }];
  };
  const bareRestart = async (): Promise<Measure[]> => {
    const restarted = await Subject.create(join(root, 'bare-restart'), 'bare-restart', beacon);
    const bare = await BareRestart.start(executable, join(root, 'bare-restart-profile'), restarted, beacon);
    return [{ name: MEASURES.bareRestart, run: () => bare.restart() }];
  };
  return [
    ...(await bench.prepare('first, a push', push)),
    ...(await bench.prepare('first, a bare restart', bareRestart)),
  ];
}

async function archiveMeasures(root: string): Promise<Measure[]> {
  await requireZip();
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
