import * as l10n from '@vscode/l10n';
import { ShellExecution, Task, tasks, workspace, type WorkspaceFolder } from 'vscode';
import { COMMANDS } from '../../ids';
import { readPackage, scriptCommand } from '../../publish/projectPackage';
import type { WayOut } from '../errorTexts';

/** A button that runs the build script of a workspace folder, when it has one. */
export async function buildWays(folder: WorkspaceFolder): Promise<WayOut[]> {
  return (await readPackage(folder.uri.fsPath)).scripts.has('build')
    ? [{ label: l10n.t('Run Build Script'), command: COMMANDS.runBuild, arguments: [folder.uri.toString()] }]
    : [];
}

/** Runs the script `build` of the folder's package.json as a task, in a trusted workspace. */
export async function runBuild(folder: WorkspaceFolder): Promise<void> {
  if (!workspace.isTrusted || !(await readPackage(folder.uri.fsPath)).scripts.has('build')) return;
  await tasks.executeTask(await scriptTask(folder, 'build'));
}

/** A task that runs a script of package.json, of the type `sideload.SCRIPT`. */
export async function scriptTask(folder: WorkspaceFolder, script: string): Promise<Task> {
  const execution = new ShellExecution(await scriptCommand(folder.uri.fsPath, script));
  return new Task({ type: `sideload.${script}` }, folder, script, 'Sideload', execution);
}
