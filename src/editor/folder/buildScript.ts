import * as l10n from '@vscode/l10n';
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { ShellExecution, Task, tasks, workspace, type WorkspaceFolder } from 'vscode';
import { COMMANDS } from '../../ids';
import { readRegularFile } from '../../base/disk';
import type { WayOut } from '../errorTexts';
import { fieldOf } from '../../base/fields';

/** A larger package.json is not read, in bytes. */
const MAX_PACKAGE_BYTES = 1024 * 1024;

/** Lock files of package managers, and how each runs a script. */
const MANAGERS: readonly (readonly [lockFile: string, command: string])[] = [
  ['pnpm-lock.yaml', 'pnpm run'],
  ['yarn.lock', 'yarn run'],
  ['bun.lockb', 'bun run'],
  ['bun.lock', 'bun run'],
];

/** A button that runs the build script of a workspace folder, when it has one. */
export async function buildWays(folder: WorkspaceFolder): Promise<WayOut[]> {
  return (await hasBuildScript(folder))
    ? [{ label: l10n.t('Run Build Script'), command: COMMANDS.runBuild, arguments: [folder.uri.toString()] }]
    : [];
}

/** Runs the script `build` of the folder's package.json as a task, in a trusted workspace. */
export async function runBuild(folder: WorkspaceFolder): Promise<void> {
  if (!workspace.isTrusted || !(await hasBuildScript(folder))) return;
  const command = `${await managerOf(folder)} build`;
  const task = new Task({ type: 'sideload.build' }, folder, 'build', 'Sideload', new ShellExecution(command));
  await tasks.executeTask(task);
}

async function hasBuildScript({ uri }: WorkspaceFolder): Promise<boolean> {
  try {
    const text = await readRegularFile(join(uri.fsPath, 'package.json'), MAX_PACKAGE_BYTES);
    const value: unknown = text && JSON.parse(text.toString('utf8'));
    return typeof fieldOf(fieldOf(value, 'scripts'), 'build') === 'string';
  } catch {
    // Not JSON.
    return false;
  }
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
