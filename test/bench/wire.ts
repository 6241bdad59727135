import type { Bench } from './context';
import { medianOf, type Ratio } from './ratios';
import { RemoteWindow } from './remoteWindow';
import type { Measure, Summary } from './series';

/** The large extension: files that no push changes, beside the scripts of the sample. */
const FILES = 300;
const FILE_BYTES = 16_700;

/** What the script that changes is padded to, in bytes. */
const SCRIPT_BYTES = 10_000;

/** What a push of one change may send, in bytes, if that was agreed on. */
const CASES: Readonly<Record<string, { push: (window: RemoteWindow) => Promise<unknown>; limit?: number }>> = {
  worker: { push: (window) => window.save('worker'), limit: 40_000 },
  content: { push: (window) => window.save('content') },
  manifest: { push: (window) => window.saveManifest() },
  page: { push: (window) => window.save('page') },
};

/** Bytes that a push of one changed file of 10 kB sends to the service, HTTP and DevTools, in an extension of 5 MB and 300 files. */
export async function wireMeasures(bench: Bench, isChosen: (name: string) => boolean): Promise<Measure[]> {
  const measures: Measure[] = [];
  for (const [name, { push }] of Object.entries(CASES)) {
    if (!isChosen(name)) continue;
    const begin = async (): Promise<Measure[]> => {
      const window = await RemoteWindow.open(bench, { name: `wire-${name}`, roundTripMs: 0 });
      await window.subject.pad(FILES, FILE_BYTES, SCRIPT_BYTES);
      return [{ name: nameOf(name), unit: 'bytes', run: () => bytesOf(window, push) }];
    };
    measures.push(...(await bench.prepare(nameOf(name), begin)));
  }
  return measures;
}

export function wireRatios(summaries: readonly Summary[]): Ratio[] {
  const ratios = Object.entries(CASES).map(([name, { limit }]) => ({
    ratio: `wireBytes/${name}`,
    value: medianOf(summaries, nameOf(name)),
    limit,
  }));
  return ratios.filter(({ value }) => !Number.isNaN(value));
}

async function bytesOf(window: RemoteWindow, push: (window: RemoteWindow) => Promise<unknown>): Promise<number> {
  await window.browser();
  const before = window.network.traffic.up;
  await push(window);
  return window.network.traffic.up - before;
}

function nameOf(name: string): string {
  return `sent by a push of 5 MB in 300 files after one change: ${name}`;
}
