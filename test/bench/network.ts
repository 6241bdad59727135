import type { Bench } from './context';
import { medianOf, type Ratio } from './ratios';
import { RemoteWindow, type PushTimes } from './remoteWindow';
import type { Measure, Summary } from './series';

/** Round trips that are measured, in milliseconds. */
const ROUND_TRIPS_MS = [0, 80, 200];

/** Suffix of the measure until the push has ended, which the user reads. */
const UNTIL_END = ', end of the push';

interface Case {
  /** One sample: the times of a push, or milliseconds. */
  run: (window: RemoteWindow) => Promise<PushTimes | number>;
  /** Round trips that it may take, if that was agreed on. */
  limit?: number;
  /** The same until the push has ended. */
  limitUntilEnd?: number;
}

/** What is measured over a network, by name. */
export const NETWORK_CASES: Readonly<Record<string, Case>> = {
  worker: { run: (window) => window.save('worker'), limit: 5 },
  content: { run: (window) => window.save('content'), limit: 5 },
  manifest: { run: (window) => window.saveManifest(), limit: 6 },
  page: { run: (window) => window.save('page'), limit: 3 },
  firstPush: { run: (window) => window.firstPush(), limit: 5, limitUntilEnd: 6 },
  create: { run: (window) => window.create() },
  console: { run: (window) => window.openConsole(), limit: 4.2 },
  list: { run: (window) => timed(() => lists(window)), limit: 1.2 },
  scroll: { run: onBrowser((window, id) => window.client.scroll(id, { x: 200, y: 200, deltaY: 1 })), limit: 1.2 },
  picture: { run: onBrowser((window, id) => window.client.screenshot(id)) },
};

/** The chosen cases at each distance; every one in a window, a network and a browser of its own. */
export async function networkMeasures(bench: Bench, isChosen: (name: string) => boolean): Promise<Measure[]> {
  const measures: Measure[] = [];
  for (const [name, { run }] of Object.entries(NETWORK_CASES)) {
    if (!isChosen(name)) continue;
    for (const roundTripMs of ROUND_TRIPS_MS) {
      const title = nameOf(name, roundTripMs);
      const begin = async (): Promise<Measure[]> => {
        const window = await RemoteWindow.open(bench, { name: `${name}-${roundTripMs}`, roundTripMs });
        return [{ name: title, run: async () => moments(await run(window)) }];
      };
      measures.push(...(await bench.prepare(title, begin)));
    }
  }
  return measures;
}

/** How many round trips each case takes, from the difference that 80 ms make. */
export function roundTripRatios(
  summaries: readonly Summary[],
  cases: Readonly<Record<string, Pick<Case, 'limit' | 'limitUntilEnd'>>> = NETWORK_CASES,
): Ratio[] {
  const tripsOf = (name: string, ms: number, moment = ''): number =>
    (medianOf(summaries, nameOf(name, ms) + moment) - medianOf(summaries, nameOf(name, 0) + moment)) / ms;
  const ratios = Object.entries(cases).flatMap(([name, { limit, limitUntilEnd }]): Ratio[] => [
    { ratio: `roundTrips/${name}`, value: tripsOf(name, 80), limit },
    { ratio: `roundTripsUntilEnd/${name}`, value: tripsOf(name, 80, UNTIL_END), limit: limitUntilEnd },
    { ratio: `roundTripsAt200/${name}`, value: tripsOf(name, 200) },
  ]);
  return ratios.filter(({ value }) => !Number.isNaN(value));
}

/** The name of the measure of a case. */
export function nameOf(name: string, roundTripMs: number): string {
  return `network of ${roundTripMs} ms: ${name}`;
}

function moments(sample: PushTimes | number): Readonly<Record<string, number>> {
  return typeof sample === 'number' ? { '': sample } : { '': sample.ran, [UNTIL_END]: sample.ended };
}

async function timed(act: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await act();
  return performance.now() - started;
}

/** Times one request about a browser, over a connection that is there. */
function onBrowser(act: (window: RemoteWindow, id: string) => Promise<unknown>): Case['run'] {
  return async (window) => {
    const { id } = await window.browser();
    await window.client.getBrowser(id);
    return await timed(() => act(window, id));
  };
}

/** The first pages of the lists in the sidebar. */
async function lists({ client }: RemoteWindow): Promise<void> {
  await Promise.all([client.pageOfBrowsers({}, 0), client.pageOfProfiles({}, 0), client.pageOfExtensions({}, 0)]);
}
