import { setTimeout as delay } from 'node:timers/promises';
import type { Bench } from './context';
import type { Ratio } from './ratios';
import { move, openScreenWindow } from './screenWindow';
import { summarize, type Summary } from './series';

/** By how much the memory may grow, as a share. */
const GROWTH_LIMIT = 1.15;

/** How often it is read, in milliseconds. */
const SAMPLE_MS = 10_000;

/** The part of the run at its beginning and at its end whose medians are compared. */
const PART = 0.2;

/** How long the window works itself in before the first sample, in milliseconds. */
const WARM_UP_MS = 60_000;

const NAMES = {
  host: 'memory of the extension host while a page moves',
  page: 'memory of the pages of the window while a page moves',
} as const;

/** The memory of host and pages while the screen shows a page that always moves, for so many minutes. */
export async function screenMemory(bench: Bench, minutes: number): Promise<{ summaries: Summary[]; ratios: Ratio[] }> {
  const { frame, page, workbench, processes } = await openScreenWindow(bench, 'bench-screen-memory', 0);
  await move(page);
  const samples: Record<keyof typeof NAMES, number[]> = { host: [], page: [] };
  await delay(WARM_UP_MS);
  const end = performance.now() + minutes * 60_000;
  while (performance.now() < end) {
    // The live picture pauses when nobody uses the window.
    await workbench.page.mouse.move(300 + (samples.host.length % 2) * 50, 300);
    await delay(SAMPLE_MS);
    const now = await processes.memory();
    samples.host.push(now.host);
    samples.page.push(now.page);
    const frames = await frame.evaluate<number>('bench.drawn');
    bench.report(
      `${samples.host.length}: host ${now.host.toFixed(0)} MiB, pages ${now.page.toFixed(0)} MiB, ${frames} frames`,
    );
  }
  const sides = ['host', 'page'] as const;
  return {
    summaries: sides.map((side) => summarize(NAMES[side], samples[side], 'MB')),
    ratios: sides.map((side) => ({
      ratio: `screenMemory/${side}`,
      value: growth(samples[side]),
      limit: GROWTH_LIMIT,
    })),
  };
}

/** The median at the end by that at the beginning. */
function growth(samples: readonly number[]): number {
  const count = Math.max(Math.floor(samples.length * PART), 1);
  const median = (part: readonly number[]): number => summarize('', part).median;
  return median(samples.slice(-count)) / median(samples.slice(0, count));
}
