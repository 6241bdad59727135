import { build } from 'esbuild';
import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { NODE_BUNDLE } from '../../.esbuild';
import { CACHE, ROOT } from '../support/paths';
import type { Bench } from './context';
import { ask, startHost } from './hostProcess';
import type { SavesTask, SaveTimes } from './savesTask';
import type { ScaleRun } from './scaleCase';

/** A copy of `dist/` with the program that saves. That program finds the sample by a path from the root, two folders above. */
const SHIPPED = join(CACHE, 'bench-dist');

let host: Promise<string> | undefined;

/**
 * Saves of the worker of an extension with such files, each pushed in place to a local browser, in a process of its own with `dist/` as it ships:
 * this program runs from its sources, where one thread does all.
 */
export async function shippedSaves(bench: Bench, name: string, files: number, bytes: number): Promise<ScaleRun> {
  const { baseUrl, token } = await bench.service();
  host ??= buildHost();
  // The bundle needs no loader.
  const child = startHost(await host, []);
  const task: SavesTask = { baseUrl, token, folder: join(bench.root, name), name, files, bytes };
  await ask(child, task);
  return async () => ({ ...(await ask<SaveTimes>(child, 'save')) });
}

async function buildHost(): Promise<string> {
  await rm(SHIPPED, { recursive: true, force: true });
  await cp(join(ROOT, 'dist'), SHIPPED, { recursive: true });
  const outfile = join(SHIPPED, 'savesHost.js');
  const entryPoints = [join(__dirname, 'savesHost.ts')];
  await build({ ...NODE_BUNDLE, entryPoints, define: { SIDELOAD_BUNDLES: 'true' }, outfile });
  return outfile;
}
