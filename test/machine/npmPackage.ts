import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { runChild } from '../support/child';
import { version } from '../../package.json';
import { CACHE } from '../support/paths';
import { copyToPackage } from './packageCopy';

/** The copy of the repository that is packaged, and where its package is made. */
const COPY = join(CACHE, 'build', 'npmCopy');
const FOLDER = join(CACHE, 'build', 'npm');

/** Longest time to build and pack the programs, in milliseconds. */
const PACK_LIMIT_MS = 120_000;

/** Builds the programs for production and packs them as `npm publish` would, in a copy of the repository; resolves to the path of the package. */
export async function packPrograms(): Promise<string> {
  await copyToPackage(COPY);
  await rm(FOLDER, { recursive: true, force: true });
  return await packNpm(COPY, FOLDER);
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
