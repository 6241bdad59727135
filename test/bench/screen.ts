import { setTimeout as delay } from 'node:timers/promises';
import { eventually } from '../support/eventually';
import type { Bench } from './context';
import { medianOf, MEASURES, type Ratio } from './ratios';
import { move, openScreenWindow, type ScreenWindow } from './screenWindow';
import { summarize, type Summary } from './series';

/** How long one turn of the wheel may take to be seen, in milliseconds. */
const TURN_LIMIT_MS = 5000;

/** Longest time to open the window of a case or to close it, and to count the frames, in milliseconds. */
const OPEN_LIMIT_MS = 5 * 60_000;
const MOVING_LIMIT_MS = 2 * 60_000;

/** How long a page moves while its frames are counted, in milliseconds. */
const MOVING_MS = 5000;

/** How often that is done. */
const MOVING_ROUNDS = 3;

/** How far away the browser is in each case, there and back, in milliseconds. */
const CASES = { local: 0, distance: 80 } as const;

/** What was agreed on: the times beyond the distance, frames a second, CPU of host and page for a second, and the event loop, in milliseconds. */
const LIMITS = { wheelToMove: 50, wheelToPicture: 120, frames: 20, cpu: 600, loop: 20 };

/** The screen of a browser in a real VS Code: turns of the wheel, and a page that always moves. */
export async function screenResults(bench: Bench, isChosen: (name: string) => boolean): Promise<Summary[]> {
  const summaries: Summary[] = [];
  for (const [name, roundTripMs] of Object.entries(CASES)) {
    if (!isChosen(name)) continue;
    const title = `screen/${name}`;
    const { failures } = bench;
    const shown = await failures.attempt(`preparation of ${title}`, OPEN_LIMIT_MS, () =>
      openScreenWindow(bench, `bench-screen-${name}`, roundTripMs),
    );
    if (!shown) continue;
    const turns = await bench.measure([
      { name: '', title: `${title}, a turn of the wheel`, run: () => turnOnce(shown) },
    ]);
    const moving = await failures.attempt(`${title}, a moving page`, MOVING_LIMIT_MS, () => movingPage(shown));
    const results = [...turns, ...(moving ?? [])];
    summaries.push(...results.map((each) => ({ ...each, measure: nameOf(each.measure, roundTripMs) })));
    // It would go on beside the next one.
    await failures.attempt(`end of ${title}`, OPEN_LIMIT_MS, () => shown.workbench.close());
  }
  return summaries;
}

/** The medians by what was agreed on. */
export function screenRatios(summaries: readonly Summary[]): Ratio[] {
  const ratios = Object.entries(CASES).flatMap(([name, roundTripMs]): Ratio[] => {
    const median = (measure: string): number => medianOf(summaries, nameOf(measure, roundTripMs));
    return [
      {
        ratio: `screen/${name}/wheelToMove`,
        value: median(MEASURES.wheelToMove),
        limit: LIMITS.wheelToMove + roundTripMs,
      },
      {
        ratio: `screen/${name}/wheelToPicture`,
        value: median(MEASURES.wheelToPicture),
        limit: LIMITS.wheelToPicture + roundTripMs,
      },
      // At most so many times too few. Far away, the two frames under way are what limits them.
      {
        ratio: `screen/${name}/frames`,
        value: LIMITS.frames / median(MEASURES.framesPerSecond),
        limit: roundTripMs === 0 ? 1 : undefined,
      },
      { ratio: `screen/${name}/cpu`, value: median(MEASURES.screenCpu), limit: LIMITS.cpu },
      { ratio: `screen/${name}/eventLoopP99`, value: median(MEASURES.eventLoopP99), limit: LIMITS.loop },
    ];
  });
  return ratios.filter(({ value }) => !Number.isNaN(value));
}

function nameOf(measure: string, roundTripMs: number): string {
  return roundTripMs === 0 ? measure : `${measure}, ${roundTripMs} ms away`;
}

async function turnOnce({ workbench, frame, page }: ScreenWindow): Promise<Record<string, number>> {
  await page.evaluate('self.movedAt = 0');
  await frame.evaluate('resetBench()');
  await workbench.page.mouse.wheel(0, 120);
  // The policy of the page allows no `waitForFunction`.
  await eventually('the picture has changed', () => frame.evaluate<boolean>('bench.drawnAt > 0'), TURN_LIMIT_MS);
  await page.waitForFunction('movedAt > 0');
  const { turnedAt, drawnAt } = await frame.evaluate<{ turnedAt: number; drawnAt: number }>('bench');
  const movedAt = await page.evaluate<number>('movedAt');
  return { [MEASURES.wheelToMove]: movedAt - turnedAt, [MEASURES.wheelToPicture]: drawnAt - turnedAt };
}

/** Frames that are drawn of a page that always moves, and what the extension host and the pages of the window take for it. */
async function movingPage({ frame, page, processes, loopDelays }: ScreenWindow): Promise<Summary[]> {
  await move(page);
  const samples: { frames: number; host: number; page: number }[] = [];
  let from = 0;
  for (let round = -1; round < MOVING_ROUNDS; round++) {
    if (round === 0) from = (await loopDelays()).length;
    const [drawn, before] = [await frame.evaluate<number>('bench.drawn'), await processes.cpu()];
    const started = performance.now();
    await delay(MOVING_MS);
    const seconds = (performance.now() - started) / 1000;
    const [drawnNow, now] = [await frame.evaluate<number>('bench.drawn'), await processes.cpu()];
    if (round < 0) continue;
    samples.push({
      frames: (drawnNow - drawn) / seconds,
      host: (now.host - before.host) / seconds,
      page: (now.page - before.page) / seconds,
    });
  }
  const of = (read: (sample: (typeof samples)[number]) => number): number[] => samples.map(read);
  return [
    summarize(
      MEASURES.framesPerSecond,
      of(({ frames }) => frames),
      'frames',
    ),
    summarize(
      MEASURES.screenHostCpu,
      of(({ host }) => host),
    ),
    summarize(
      MEASURES.screenCpu,
      of(({ host, page: ofPage }) => host + ofPage),
    ),
    summarize(MEASURES.eventLoopP99, (await loopDelays()).slice(from)),
  ];
}
