import * as l10n from '@vscode/l10n';
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { ShellExecution, Task, tasks, workspace, type WorkspaceFolder } from 'vscode';
import { COMMANDS } from '../../ids';
import { readRegularFile } from '../../base/disk';
import type { WayOut } from '../errorTexts';
import { fieldOf, objectOf } from '../../base/fields';

/** A larger package.json is not read, in bytes. */
const MAX_PACKAGE_BYTES = 1024 * 1024;

/** Lock files of package managers, and how each runs a script. */
const MANAGERS: readonly (readonly [lockFile: string, command: string])[] = [
  ['pnpm-lock.yaml', 'pnpm run'],
  ['yarn.lock', 'yarn run'],
  ['bun.lockb', 'bun run'],
  ['bun.lock', 'bun run'],
];

/** What the package.json of a workspace folder says. */
export interface ProjectPackage {
  /** The names of its scripts. */
  scripts: ReadonlySet<string>;
  /** The names of the packages that it depends on, also for development. */
  dependencies: ReadonlySet<string>;
}

/** Reads package.json of a workspace folder; where there is none that can be read, nothing is in it. */
export async function readPackage({ uri }: WorkspaceFolder): Promise<ProjectPackage> {
  let value: unknown;
  try {
    const text = await readRegularFile(join(uri.fsPath, 'package.json'), MAX_PACKAGE_BYTES);
    value = text && JSON.parse(text.toString('utf8'));
  } catch {
    // Not JSON.
  }
  const entriesOf = (key: string): [string, unknown][] => Object.entries(objectOf(fieldOf(value, key)));
  const scripts = entriesOf('scripts').flatMap(([name, script]) => (typeof script === 'string' ? [name] : []));
  const dependencies = ['dependencies', 'devDependencies'].flatMap(entriesOf).map(([name]) => name);
  return { scripts: new Set(scripts), dependencies: new Set(dependencies) };
}

/** A button that runs the build script of a workspace folder, when it has one. */
export async function buildWays(folder: WorkspaceFolder): Promise<WayOut[]> {
  return (await readPackage(folder)).scripts.has('build')
    ? [{ label: l10n.t('Run Build Script'), command: COMMANDS.runBuild, arguments: [folder.uri.toString()] }]
    : [];
}

/** Runs the script `build` of the folder's package.json as a task, in a trusted workspace. */
export async function runBuild(folder: WorkspaceFolder): Promise<void> {
  if (!workspace.isTrusted || !(await readPackage(folder)).scripts.has('build')) return;
  await tasks.executeTask(await scriptTask(folder, 'build'));
}

/** The command line that runs a script of package.json with the package manager of the folder, such as `npm run build`. */
export async function scriptCommand(folder: WorkspaceFolder, script: string): Promise<string> {
  return `${await managerOf(folder)} ${script}`;
}

/** A task that runs a script of package.json, of the type `sideload.SCRIPT`. */
export async function scriptTask(folder: WorkspaceFolder, script: string): Promise<Task> {
  const execution = new ShellExecution(await scriptCommand(folder, script));
  return new Task({ type: `sideload.${script}` }, folder, script, 'Sideload', execution);
}

async function managerOf({ uri }: WorkspaceFolder): Promise<string> {
  for (const [lockFile, command] of MANAGERS) {
    const isThere = await access(join(uri.fsPath, lockFile)).then(
      () => true,
      () => false,
    );
    if (isThere) return command;
  }
  return 'npm run';
}
