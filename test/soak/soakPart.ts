import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { ServiceClient } from '../../src/service/client';
import type { BenchService } from '../bench/localService';
import { DevTools } from '../contract/devtools';
import { within } from '../support/within';
import { footprintOf, leftIn, type Measured } from './footprint';
import { stepsOf } from './soakOptions';
import { growthRows, isTooMuch, leftRows, timeRows, type Footprint, type SoakRow } from './soakReport';

/** How long what was closed may take to be gone, in milliseconds, and how often it is looked at. */
const SETTLE_MS = 20_000;
const LOOK_MS = 500;

/** Longest time for one step, in milliseconds. */
const STEP_LIMIT_MS = 180_000;

/** How long Chromium gets to give memory back, in milliseconds. */
const PURGE_MS = 2000;

/** Where a part runs: a local service as it ships, for this part alone. */
export interface SoakStage {
  readonly service: BenchService;
  readonly client: ServiceClient;
  /** For files of the part. */
  readonly root: string;
  readonly report: (line: string) => void;
}

/** A part that was begun. */
export interface SoakRun {
  /** One step, counted from 0. Gives its duration in milliseconds, where that says something. */
  readonly step: (at: number) => Promise<number | undefined>;
  /** Closes all that the part has opened. */
  readonly end: () => Promise<void>;
  /** The DevTools address of the browser whose memory counts. */
  readonly browser?: { readonly devToolsUrl: string };
  /** Measures something other than this process, the service and its browsers. */
  readonly measure?: () => Promise<Footprint>;
}

/** Something that is done over and over, as on a long day. */
export interface SoakPart {
  readonly name: string;
  /** How many steps a long day has. */
  readonly full: number;
  readonly begin: (stage: SoakStage) => Promise<SoakRun>;
  /** Whether it takes long to begin, so that it is not begun twice. */
  readonly isCostly?: true;
}

/** Does the steps of a part and gives the rows of its report. */
export async function runPart(part: SoakPart, share: number, stage: SoakStage, measured: Measured): Promise<SoakRow[]> {
  const { warmUp, steps } = stepsOf(part.full, share);
  // What is loaded once, such as a thread, is no leak.
  if (!part.isCostly) await rehearse(part, stage);
  const before = await footprintOf(measured);
  const run = await begin(part, stage);
  const measure = run.measure ?? ((): Promise<Footprint> => footprintOf(measured));
  const step = (at: number): Promise<number | undefined> =>
    within(`step ${at + 1} of ${part.name}`, STEP_LIMIT_MS, run.step(at));
  const times: number[] = [];
  let rows: SoakRow[];
  try {
    for (let at = 0; at < warmUp; at++) await step(at);
    await purge(run);
    const warm = await measure();
    const every = Math.max(1, Math.round(steps / 10));
    for (let at = 0; at < steps; at++) {
      const ms = await step(warmUp + at);
      if (ms !== undefined) times.push(ms);
      if ((at + 1) % every === 0) stage.report(`  ${part.name}: ${at + 1} of ${steps}`);
    }
    await purge(run);
    rows = [...growthRows(part.name, warm, await settled(measure, warm)), ...timeRows(part.name, times)];
  } finally {
    await run.end();
  }
  const left = leftRows(part.name, before, await settled(() => footprintOf(measured), before));
  const files = await leftIn(measured.temporary);
  if (left.some(isTooMuch) && files.length > 0) stage.report(`  ${part.name} has left ${files.join(', ')}`);
  return [...rows, ...left];
}

/** Begins a part with a client of its own, whose connections end with it. */
async function begin(part: SoakPart, stage: SoakStage): Promise<SoakRun> {
  const client = stage.service.clientAt(stage.service.baseUrl);
  const run = await part.begin({ ...stage, client });
  const end = async (): Promise<void> => {
    await run.end();
    await client.close();
  };
  return { ...run, end };
}

/** Does a part for a step. */
async function rehearse(part: SoakPart, stage: SoakStage): Promise<void> {
  const run = await begin(part, stage);
  try {
    await within(`the first step of ${part.name}`, STEP_LIMIT_MS, run.step(0));
  } finally {
    await run.end();
  }
  await delay(SETTLE_MS / 4);
}

/** The footprint once nothing more counts than before, or after a while. */
async function settled(measure: () => Promise<Footprint>, { counts }: Footprint): Promise<Footprint> {
  const end = performance.now() + SETTLE_MS;
  for (;;) {
    const now = await measure();
    const isMore = Object.entries(counts).some(([name, count]) => (now.counts[name] ?? 0) > count);
    if (!isMore || performance.now() > end) return now;
    await delay(LOOK_MS);
  }
}

/** Has a browser collect garbage, which it otherwise does when it likes. */
async function purge({ browser }: SoakRun): Promise<void> {
  if (!browser) return;
  const devtools = await DevTools.connect(browser.devToolsUrl);
  try {
    await devtools.result('Memory.simulatePressureNotification', { level: 'critical' }).catch(() => undefined);
    await delay(PURGE_MS);
  } finally {
    devtools.close();
  }
}

/** A folder of the part's own. */
export function folderOf(stage: SoakStage, name: string): string {
  return join(stage.root, name);
}
