import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { residentMib } from '../contract/processes';
import { runChild } from '../support/child';
import { isJsonObject, jsonOf } from '../support/json';
import { ROOT } from '../support/paths';
import { writeFiles } from './archives';
import type { BenchService } from './localService';
import { MEMORY_ENV } from './memoryTask';
import { medianOf, type Ratio } from './ratios';
import { summarize, type Summary } from './series';

const FILES = 100;
const TOTAL_BYTES = 50_000_000;

/** Extra memory that each process may take, in MB. */
const LIMIT_MB = 150;

const MAX_SAMPLES = 3;
const UPLOAD_LIMIT_MS = 60_000;
const LOOK_MS = 10;
const MIB_IN_MB = 1.048576;

const MEASURES = {
  client: 'extra memory to pack and upload 50 MB, client',
  service: 'extra memory to pack and upload 50 MB, local service',
} as const;

/** The extra memory of both processes, at its peak, while 50 MB are packed in a new process and uploaded to the local service. */
export async function memory(service: BenchService, root: string, samples: number): Promise<Summary[]> {
  const folder = join(root, 'memory');
  await writeFiles(folder, FILES, Math.round(TOTAL_BYTES / FILES));
  const { id } = await service.client.createBrowser({ headless: true, timeoutSeconds: 600 });
  const taken: { client: number[]; service: number[] } = { client: [], service: [] };
  for (let sample = 0; sample < Math.min(samples, MAX_SAMPLES); sample++) {
    const before = await residentMib(service.pid);
    let peak = before;
    let isOver = false;
    const uploading = upload(service, id, folder).finally(() => (isOver = true));
    while (!isOver) {
      peak = Math.max(peak, await residentMib(service.pid));
      await delay(LOOK_MS);
    }
    taken.client.push(await uploading);
    taken.service.push((peak - before) * MIB_IN_MB);
  }
  await service.client.deleteBrowser(id);
  return [summarize(MEASURES.client, taken.client, 'MB'), summarize(MEASURES.service, taken.service, 'MB')];
}

export function memoryRatios(summaries: readonly Summary[]): Ratio[] {
  return (['client', 'service'] as const).map((side) => ({
    ratio: `memory50/${side}`,
    value: medianOf(summaries, MEASURES[side]),
    limit: LIMIT_MB,
  }));
}

/** Uploads in a new process, and gives its extra memory in MB. */
async function upload({ baseUrl, token }: BenchService, browserId: string, folder: string): Promise<number> {
  const lines: string[] = [];
  const task = JSON.stringify({ baseUrl, token, browserId, folder });
  const { code } = await runChild(process.execPath, ['--import', 'tsx', join(__dirname, 'memoryHost.ts')], {
    cwd: ROOT,
    env: { ...process.env, [MEMORY_ENV]: task },
    output: { line: (line) => void lines.push(line) },
    limitMs: UPLOAD_LIMIT_MS,
  });
  const told = jsonOf(lines.at(-1) ?? '');
  if (code !== 0 || told === undefined || !isJsonObject(told)) {
    throw new Error(`the upload of 50 MB failed: ${lines.join('\n')}`);
  }
  return Number(told['extraMb']);
}
