import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startService } from '../bench/localService';
import { scratchInMemory } from '../runner/scratch';
import { atEnd, endAll } from '../support/cleanup';
import { within } from '../support/within';
import { debug, storage } from './inspectParts';
import { programs, pushes, restarts } from './pushParts';
import { picture, wheel } from './screenParts';
import { readSoakOptions } from './soakOptions';
import { runPart, type SoakPart } from './soakPart';
import { isTooMuch, tableOf, type SoakRow } from './soakReport';
import { windows } from './windowPart';

/** What a long day has, the quick parts first. */
const PARTS: readonly SoakPart[] = [pushes, storage, wheel, restarts, debug, programs, windows, picture];

/** The system's temporary folder. */
const USUAL = tmpdir();

/** Longest time to close what a part has opened, in milliseconds. */
const CLOSE_LIMIT_MS = 60_000;

/**
 * Does over and over what a long day has, and compares what processes have after a warm-up and at the end. Prints a table; ends with 1 when
 * something has grown beyond its limit, or a part could not be done.
 */
async function main(): Promise<void> {
  const options = readSoakOptions(
    process.argv.slice(2),
    PARTS.map(({ name }) => name),
  );
  const rows: SoakRow[] = [];
  const failed: string[] = [];
  for (const part of PARTS.filter(({ name }) => options.isChosen(name))) {
    report(`${part.name}:`);
    try {
      rows.push(...(await runAlone(part, options.share)));
    } catch (error) {
      failed.push(`${part.name} has failed: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  if (options.json) for (const row of rows) console.log(JSON.stringify(row));
  else for (const line of tableOf(rows)) console.log(line);
  for (const line of failed) console.log(line);
  process.exitCode = failed.length > 0 || rows.some(isTooMuch) ? 1 : 0;
}

function report(line: string): void {
  console.error(line);
}

/** Runs a part with a local service and a temporary folder of its own. */
async function runAlone(part: SoakPart, share: number): Promise<SoakRow[]> {
  const root = await mkdtemp(join((await scratchInMemory()) ?? USUAL, 'soak-'));
  const temporary = join(root, 't');
  const remove = atEnd('the files of a part', () => rm(root, { recursive: true, force: true, maxRetries: 5 }));
  await mkdir(temporary);
  process.env['TMPDIR'] = temporary;
  try {
    const dataFolder = join(root, 'data');
    const service = await startService(dataFolder, { isInspected: true });
    if (service.inspectorUrl === undefined) throw new Error('the local service is not inspected');
    const stage = { service, client: service.client, root, report };
    return await runPart(part, share, stage, {
      servicePid: service.pid,
      serviceInspectorUrl: service.inspectorUrl,
      dataFolder,
      temporary,
    });
  } finally {
    await within('the end of what the part has opened', CLOSE_LIMIT_MS, endAll());
    process.env['TMPDIR'] = USUAL;
    await remove();
  }
}

void main()
  .catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : String(error));
    process.exitCode = 1;
  })
  // Connections that a browser left half open would keep the process.
  .then(() => process.exit());
