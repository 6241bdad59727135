import { rmSync } from 'node:fs';
import { mkdir, mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { runChild } from '../support/child';
import { version } from '../../package.json';
import { SCRATCH } from '../support/paths';
import { copyToPackage } from './packageCopy';

/** Longest time to build and pack the programs, in milliseconds. */
const PACK_LIMIT_MS = 120_000;

let packed: Promise<string> | undefined;

/**
 * The package for npm, built for production and packed as `npm publish` would, in a copy of the repository; the path of its file, which is there until
 * this process ends. Made once per process.
 */
export function ensurePrograms(): Promise<string> {
  packed ??= packPrograms();
  return packed;
}

async function packPrograms(): Promise<string> {
  await mkdir(SCRATCH, { recursive: true });
  // Others of this run may do the same.
  const folder = await mkdtemp(join(SCRATCH, 'npm-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  await copyToPackage(join(folder, 'copy'));
  return await packNpm(join(folder, 'copy'), folder);
}

/** Builds and packs the programs of a folder into another one; resolves to the path of the package. Rejects with what npm printed when it fails. */
export async function packNpm(root: string, folder: string, env = process.env): Promise<string> {
  await mkdir(folder, { recursive: true });
  const lines: string[] = [];
  const [program, ...args] = npmCommand('pack', '--loglevel', 'error', '--pack-destination', folder);
  const { code } = await runChild(program, args, {
    cwd: root,
    env,
    limitMs: PACK_LIMIT_MS,
    output: { line: (text) => lines.push(text) },
  });
  if (code !== 0) throw new Error(`The package for npm could not be made: ${lines.join(' / ')}`);
  // npm prints the name of the file last.
  const name = lines.findLast((line) => /^sideload-[\w.-]+\.tgz$/.test(line)) ?? `sideload-${version}.tgz`;
  return join(folder, name);
}

/** The command line of npm with these arguments: a script for the shell on Windows. */
export function npmCommand(...args: string[]): [string, ...string[]] {
  return process.platform === 'win32' ? ['cmd.exe', '/d', '/c', 'npm', ...args] : ['npm', ...args];
}
