import { build } from 'esbuild';
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { NODE_BUNDLE } from '../../.esbuild';
import { atEnd } from '../support/cleanup';
import { CACHE, ROOT } from '../support/paths';
import type { Bench } from './context';
import type { SavesAnswer, SavesTask } from './savesTask';
import type { ScaleRun } from './scaleCase';

/** What ships, and the program that saves beside it: two folders below the repository, where its own paths lead to the sample. */
const SHIPPED = join(CACHE, 'bench-dist');

let host: Promise<string> | undefined;

/**
 * Saves of the worker of an extension with such files, each pushed in place to a local browser, in a process of its own with `dist/` as it ships:
 * this program runs from its sources, where one thread does all.
 */
export async function shippedSaves(bench: Bench, name: string, files: number, bytes: number): Promise<ScaleRun> {
  const { baseUrl, token } = await bench.service();
  host ??= buildHost();
  const child = fork(await host, { execArgv: [] });
  atEnd(`the saves of ${name}`, () => {
    if (child.connected) child.disconnect();
    return Promise.resolve();
  });
  const task: SavesTask = { baseUrl, token, folder: join(bench.root, name), name, files, bytes };
  await ask(child, task);
  return async () => {
    const told = await ask(child, 'save');
    if (!('save' in told)) throw new Error('the process has measured nothing');
    return told;
  };
}

async function ask(child: ChildProcess, message: SavesTask | 'save'): Promise<SavesAnswer> {
  const ended = once(child, 'exit').then(() => Promise.reject(new Error('the process of the saves has ended')));
  ended.catch(() => undefined);
  const answered = once(child, 'message').then(([told]: unknown[]) => told as SavesAnswer);
  child.send(message);
  const told = await Promise.race([answered, ended]);
  if ('error' in told) throw new Error(told.error);
  return told;
}

async function buildHost(): Promise<string> {
  await rm(SHIPPED, { recursive: true, force: true });
  await cp(join(ROOT, 'dist'), SHIPPED, { recursive: true });
  const outfile = join(SHIPPED, 'savesHost.js');
  const entryPoints = [join(__dirname, 'savesHost.ts')];
  await build({ ...NODE_BUNDLE, entryPoints, define: { SIDELOAD_BUNDLES: 'true' }, outfile });
  return outfile;
}
