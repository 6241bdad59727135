import { join } from 'node:path';
import { packFiles } from '../support/packFiles';
import { selectFiles } from '../support/selectFiles';
import type { ServiceClient } from '../../src/service/client';
import type { Browser } from '../../src/service/model';
import { EXTENSIONS_ROOT } from '../support/extensionsRoot';
import { writeFiles } from './archives';
import { medianOf, type Ratio } from './ratios';
import type { Measure, Summary } from './series';

/** Numbers of files, and the milliseconds that they may take, if that was agreed on. */
const COUNTS: readonly { count: number; limit?: number }[] = [
  { count: 10 },
  { count: 100, limit: 60 },
  { count: 1000, limit: 350 },
];
const FILE_BYTES = 4000;

/** Pack and upload of folders of different sizes to a browser of the local service. */
export async function uploads(client: ServiceClient, root: string): Promise<Measure[]> {
  const browser = await client.createBrowser({ headless: true, timeoutSeconds: 3600 });
  const measures: Measure[] = [];
  for (const { count } of COUNTS) {
    const folder = join(root, `upload-${count}`);
    await writeFiles(folder, count, FILE_BYTES);
    measures.push({ name: nameOf(count), run: () => packAndUpload(client, browser, folder) });
  }
  return measures;
}

/** Milliseconds to pack and upload so many files. */
export function uploadRatios(summaries: readonly Summary[]): Ratio[] {
  const agreed = COUNTS.filter(({ limit }) => limit !== undefined);
  return agreed.map(({ count, limit }) => ({
    ratio: `pack${count}`,
    value: medianOf(summaries, nameOf(count)),
    limit,
  }));
}

function nameOf(count: number): string {
  return `pack and upload of ${count} files`;
}

async function packAndUpload(client: ServiceClient, browser: Browser, folder: string): Promise<number> {
  const target = `${EXTENSIONS_ROOT}/.bench`;
  const started = performance.now();
  const { zip } = await packFiles(folder, (await selectFiles(folder)).files, { level: 0 });
  const bytes = await zip();
  await client.uploadZip(browser.id, bytes, target);
  const took = performance.now() - started;
  await client.deleteDirectory(browser.id, target);
  return took;
}
