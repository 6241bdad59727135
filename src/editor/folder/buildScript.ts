import * as l10n from '@vscode/l10n';
import { ShellExecution, Task, tasks, workspace, type WorkspaceFolder } from 'vscode';
import { COMMANDS } from '../../ids';
import type { WayOut } from '../errorTexts';
import { hasBuildScript, managerOf } from '../../publish/projectBuild';

/** A button that runs the build script of a workspace folder, when it has one. */
export async function buildWays(folder: WorkspaceFolder): Promise<WayOut[]> {
  return (await hasBuildScript(folder.uri.fsPath))
    ? [{ label: l10n.t('Run Build Script'), command: COMMANDS.runBuild, arguments: [folder.uri.toString()] }]
    : [];
}

/** Runs the script `build` of the folder's package.json as a task, in a trusted workspace. */
export async function runBuild(folder: WorkspaceFolder): Promise<void> {
  if (!workspace.isTrusted || !(await hasBuildScript(folder.uri.fsPath))) return;
  const command = `${await managerOf(folder.uri.fsPath)} build`;
  const task = new Task({ type: 'sideload.build' }, folder, 'build', 'Sideload', new ShellExecution(command));
  await tasks.executeTask(task);
}
