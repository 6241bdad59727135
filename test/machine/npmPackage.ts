import { rmSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { textField } from '../../src/base/fields';
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
  const unpacked = await mkdtemp(join(folder, 'npm-'));
  try {
    const built = await runPack(root, unpacked, env);
    await run(['tar', '-xzf', built, '-C', unpacked], unpacked, env);
    await describeForNpm(join(unpacked, 'package', 'package.json'), join(root, 'package.nls.json'));
    return await runPack(join(unpacked, 'package'), folder, env, '--ignore-scripts');
  } finally {
    await rm(unpacked, { recursive: true, force: true });
  }
}

/** Puts the description in place of the name under which VS Code looks for its translations, which npm would show as it is. */
async function describeForNpm(file: string, texts: string): Promise<void> {
  const about = JSON.parse(await readFile(file, 'utf8')) as Record<string, unknown>;
  const description = textField(JSON.parse(await readFile(texts, 'utf8')), 'description');
  await writeFile(file, `${JSON.stringify({ ...about, description }, undefined, 2)}\n`);
}

/** Packs the package in a folder into another one; resolves to the path of the file. */
async function runPack(root: string, folder: string, env: NodeJS.ProcessEnv, ...options: string[]): Promise<string> {
  const command = npmCommand('pack', '--loglevel', 'error', '--pack-destination', folder, ...options);
  const lines = await run(command, root, env);
  // npm prints the name of the file last.
  const name = lines.findLast((line) => /^sideload-[\w.-]+\.tgz$/.test(line)) ?? `sideload-${version}.tgz`;
  return join(folder, name);
}

/** Runs a program; resolves to the lines that it printed, with which it rejects when it fails. */
async function run([program, ...args]: [string, ...string[]], cwd: string, env: NodeJS.ProcessEnv): Promise<string[]> {
  const lines: string[] = [];
  const output = { line: (text: string) => lines.push(text) };
  const { code } = await runChild(program, args, { cwd, env, limitMs: PACK_LIMIT_MS, output });
  if (code !== 0) throw new Error(`The package for npm could not be made: ${lines.join(' / ')}`);
  return lines;
}

/** The command line of npm with these arguments: a script for the shell on Windows. */
export function npmCommand(...args: string[]): [string, ...string[]] {
  return process.platform === 'win32' ? ['cmd.exe', '/d', '/c', 'npm', ...args] : ['npm', ...args];
}
