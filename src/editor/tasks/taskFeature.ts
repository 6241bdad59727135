import * as l10n from '@vscode/l10n';
import {
  CustomExecution,
  type TaskProvider,
  Task,
  TaskGroup,
  tasks,
  type TaskDefinition,
  type WorkspaceFolder,
} from 'vscode';
import { TASK_TYPE } from '../../ids';
import type { BrowserOutcome } from '../../push/pushRun';
import type { Browser } from '../../service/model';
import { findRunning, listRunning } from '../browsers/pickBrowser';
import { findChosen } from '../targets/target';
import { UserError } from '../errorTexts';
import { eachOf, findExtensionFolder, type ExtensionFolder } from '../folder/extensionFolder';
import { publishedFor } from '../folder/publishedVersion';
import { sentenceFor } from '../messages';
import { endedText } from '../push/endedBrowsers';
import type { PushWiring } from '../push/pushWiring';
import { browsersToRun } from '../push/runBrowsers';
import { readFolderSettings } from '../settings';
import { TaskTerminal, type TaskRun } from './taskTerminal';
import { foldersOnDisk } from '../folder/foldersOnDisk';

/** What tasks do, as their definitions name it. */
const COMMANDS = ['check', 'push', 'run'] as const;

type TaskCommand = (typeof COMMANDS)[number];

/** Tasks of the type `sideload`: they check, push or run the extension of a workspace folder, for example after a build. */
export class TaskFeature {
  constructor(private readonly wiring: PushWiring) {
    const provider: TaskProvider = {
      provideTasks: () =>
        foldersOnDisk().flatMap((folder) =>
          COMMANDS.map((command) => this.#task({ type: TASK_TYPE, command }, command, folder)),
        ),
      resolveTask: ({ definition, scope }) => {
        const command = COMMANDS.find((one) => one === definition['command']);
        const folder = typeof scope === 'object' ? scope : foldersOnDisk()[0];
        return command && folder ? this.#task(definition, command, folder) : undefined;
      },
    };
    wiring.own(tasks.registerTaskProvider(TASK_TYPE, provider));
  }

  #task(definition: TaskDefinition, command: TaskCommand, folder: WorkspaceFolder): Task {
    const named: unknown = definition['browser'];
    const browser = typeof named === 'string' && named !== '' ? named : undefined;
    const execution = new CustomExecution(() =>
      Promise.resolve(new TaskTerminal(this.#runOf(command, folder, browser), failed)),
    );
    // The window has entries for what is found already, so that they need no problem matcher.
    const task = new Task(definition, folder, command, 'sideload', execution);
    if (command === 'check') task.group = TaskGroup.Test;
    return task;
  }

  #runOf(command: TaskCommand, folder: WorkspaceFolder, browser: string | undefined): TaskRun {
    return async (print, signal) => {
      const extension = await this.#find(folder);
      if (command === 'check') {
        const codes: number[] = [];
        for (const one of eachOf(extension)) codes.push(await this.#check(one, print, signal));
        return Math.max(...codes);
      }
      const browsers = browser === undefined ? await this.#browsers(command) : [await this.#named(browser)];
      const outcomes = await this.wiring.pusher.push(extension, browsers, { signal });
      const { exitCodeOfAll } = await import('../../agents/exitCodes');
      for (const browserOutcome of outcomes) print(await textOf(extension, browserOutcome));
      return exitCodeOfAll(outcomes.map(({ outcome }) => outcome));
    };
  }

  async #check(
    { path, workspaceFolder }: ExtensionFolder,
    print: (line: string) => void,
    signal: AbortSignal,
  ): Promise<number> {
    const [{ checkInThread }, { countText, findingText }, { shownPath }, { EXIT }] = await Promise.all([
      import('../../push/prepare/checkThread'),
      import('../../agents/findingText'),
      import('../../agents/folders'),
      import('../../agents/exitCodes'),
    ]);
    const { exclude, include, storeHints } = readFolderSettings(workspaceFolder.uri);
    const published = await publishedFor(path);
    const { findings } = await checkInThread(
      { folder: path, exclude, include, storeHints, readsCode: storeHints, ...published },
      signal,
    );
    this.wiring.diagnostics.show(path, findings, storeHints);
    const show = (file: string): string => shownPath([workspaceFolder.uri.fsPath], file);
    const severities = findings.map(({ severity }) => severity);
    const isRefused = severities.includes('error');
    print(`${isRefused ? 'REFUSED' : 'LOADS'}: ${show(path)}: ${countText(severities)}`);
    for (const finding of findings) print(findingText(finding, path, show));
    return isRefused ? EXIT.refused : EXIT.running;
  }

  /** @throws UserError when the extension of a workspace folder is not known without a question */
  async #find(folder: WorkspaceFolder): Promise<ExtensionFolder> {
    const extension = await findExtensionFolder(folder, this.wiring.context.workspaceState, { ask: true });
    if (!extension) throw new UserError(l10n.t('No extension was chosen.'));
    return extension;
  }

  /** The browsers that pushes go to; for `run`, they are started if need be. @throws UserError when there is none */
  async #browsers(command: TaskCommand): Promise<readonly Browser[]> {
    if (command === 'run') {
      const browsers = await browsersToRun(this.wiring);
      if (browsers) return browsers;
      throw new UserError(l10n.t('No browser was started.'));
    }
    const client = await this.wiring.connection.client();
    const { running, ended } = await findChosen(client, this.wiring);
    // Another browser is never taken for one that was chosen.
    if (ended.length > 0) {
      throw new UserError(
        l10n.t(
          '{0} "Sideload: Push Extension" starts again what has ended; "Sideload: Choose Browsers…" chooses others.',
          endedText(ended),
        ),
      );
    }
    if (running.length > 0) return running;
    const all = await listRunning(this.wiring.connection);
    if (all.length === 1) return all;
    throw new UserError(l10n.t('No browser is chosen for pushes. Run "Sideload: Choose Browsers…" first.'));
  }

  async #named(browser: string): Promise<Browser> {
    const found = await findRunning(this.wiring.connection, browser);
    if (!found) throw new UserError(l10n.t('No browser {0} is running.', browser));
    return found;
  }
}

async function textOf({ workspaceFolder }: ExtensionFolder, browserOutcome: BrowserOutcome): Promise<string> {
  const [{ pushText }, { shownPath }] = await Promise.all([
    import('../../agents/pushText'),
    import('../../agents/folders'),
  ]);
  const root = workspaceFolder.uri.fsPath;
  return await pushText(browserOutcome, {
    folder: browserOutcome.folder,
    root,
    show: (file) => shownPath([root], file),
    reader: 'person',
  });
}

function failed(error: unknown): { text: string; code: number } {
  // As the exit codes of the program for terminals.
  const SERVICE_FAILED = 3;
  return { text: `FAILED: ${sentenceFor(error) ?? String(error)}`, code: SERVICE_FAILED };
}
