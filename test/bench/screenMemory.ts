import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { SCROLL } from '../workbench/phrases';
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

/** Samples at the beginning, while the window works itself in, that are left out. */
const WARM_UP = 6;

const NAMES = {
  host: 'memory of the extension host while a page moves',
  page: 'memory of the pages of the window while a page moves',
} as const;

/** The memory of host and pages while the screen shows a page that always moves, for so many minutes. */
export async function screenMemory(bench: Bench, minutes: number): Promise<{ summaries: Summary[]; ratios: Ratio[] }> {
  const { frame, page, workbench, processes } = await openScreenWindow(bench, 'bench-screen-memory', 0);
  await move(page);
  const samples: Record<keyof typeof NAMES, number[]> = { host: [], page: [] };
  const picture = await workbench.editors.webview().getByRole('img', { name: SCROLL.screen }).boundingBox();
  assert(picture, 'the picture is not shown');
  const { x, y } = { x: picture.x + 100, y: picture.y + 100 };
  let drawn = 0;
  const end = performance.now() + minutes * 60_000;
  while (performance.now() < end) {
    // The live picture pauses when the page of the screen is not used for a while.
    await workbench.page.mouse.move(x + (samples.host.length % 2) * 50, y);
    await delay(SAMPLE_MS);
    const now = await processes.memory();
    samples.host.push(now.host);
    samples.page.push(now.page);
    const frames = await frame.evaluate<number>('bench.drawn');
    assert(frames > drawn, 'no new frame was drawn');
    drawn = frames;
    bench.report(
      `${samples.host.length}: host ${now.host.toFixed(0)} MiB, pages ${now.page.toFixed(0)} MiB, ${frames} frames`,
    );
  }
  const sides = ['host', 'page'] as const;
  return {
    summaries: sides.map((side) => summarize(NAMES[side], samples[side].slice(WARM_UP), 'MB')),
    ratios: sides.map((side) => ({
      ratio: `screenMemory/${side}`,
      value: growth(samples[side].slice(WARM_UP)),
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
