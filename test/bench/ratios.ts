import type { Summary } from './series';

/** Medians of two measures against each other, or another figure that means the same on every machine. */
export interface Ratio {
  ratio: string;
  value: number;
  /** What it must not exceed, if that was agreed on. */
  limit?: number | undefined;
}

/** Names of the measures that stand in ratios. */
export const MEASURES = {
  inPlace: 'save to new worker, in place',
  manifestChange: 'save to new worker, manifest changed',
  restart: 'save to new worker, by restart',
  webExtRun: 'save to new worker, web-ext run',
  bareReload: 'write to new worker, bare developerPrivate.reload',
  bareLoad: 'write to new worker, bare Extensions.loadUnpacked',
  repackOne: 'repack of 25 MB in 150 files after one change',
  packCold: 'cold pack of 25 MB in 150 files',
  packColdLocal: 'cold pack of 25 MB in 150 files, for a local browser',
  activate: 'activate',
  emptyActivate: 'activation of an empty extension',
  roundTrip: 'DevTools round trip over the local service',
  bareRoundTrip: 'DevTools round trip, bare Chromium',
  consoleLine: 'consoleLine: console.log in the worker to the line for the channel',
  zip: 'zip -r of 25 MB in 150 files',
  firstPush: 'first push to a new browser, to the new worker',
  bareRestart: 'kill and start of a bare Chromium with --load-extension, to the worker',
  f5ToReady: 'f5ToReady: F5 in VS Code to a worker that runs and has its session',
  callToStopped: 'callToStopped: call in the worker to the stop in VS Code',
  relayReady: 'start of the relay to a worker that runs with its breakpoints set',
  relayStopped: 'call in the worker to the stop at a breakpoint, through the relay',
  directStopped: 'call in the worker to the stop at a breakpoint, without the relay',
  relayMessage: 'round trip of a message to the worker through the relay',
  wheelToMove: 'wheelToMove: wheel event in the panel to the movement in the page',
  wheelToPicture: 'wheelToPicture: wheel event in the panel to the changed picture',
  framesPerSecond: 'framesPerSecond: frames drawn of a moving page, per second',
  screenHostCpu: 'screenHostCpu: CPU of the extension host for a moving page, in a second',
  screenCpu: 'screenCpu: CPU of host and pages of the window for a moving page, in a second',
  eventLoopP99: 'eventLoopP99: delay of the event loop of the host while a page moves, p99',
  directMessage: 'round trip of a message to the worker, without the relay',
} as const;

type Key = keyof typeof MEASURES;

const RATIOS: readonly [above: Key, below: Key, limit: number][] = [
  ['inPlace', 'webExtRun', 0.22],
  ['inPlace', 'restart', 0.4],
  ['inPlace', 'bareReload', 1.45],
  ['manifestChange', 'bareLoad', 1.15],
  ['roundTrip', 'bareRoundTrip', 1.5],
  ['activate', 'emptyActivate', 5],
  ['repackOne', 'zip', 0.03],
  ['packCold', 'zip', 1.1],
  ['packColdLocal', 'zip', 0.35],
  ['firstPush', 'bareRestart', 1.2],
  ['relayStopped', 'directStopped', 2],
  ['relayMessage', 'directMessage', 2],
];

/** The ratios of the medians, as far as their measures were taken. */
export function ratiosOf(summaries: readonly Summary[]): Ratio[] {
  const median = (key: Key): number => medianOf(summaries, MEASURES[key]);
  const ratios = RATIOS.map(([above, below, limit]) => ({
    ratio: `${above}/${below}`,
    value: median(above) / median(below),
    limit,
  }));
  return ratios.filter(({ value }) => !Number.isNaN(value));
}

/** The median of a measure; NaN when it was not taken. */
export function medianOf(summaries: readonly Summary[], name: string): number {
  return summaries.find(({ measure }) => measure === name)?.median ?? Number.NaN;
}
