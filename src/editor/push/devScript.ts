import * as l10n from '@vscode/l10n';
import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { tasks, type TaskExecution, type WorkspaceFolder } from 'vscode';
import { COMMANDS, SETTINGS } from '../../ids';
import { readPackage, scriptCommand } from '../../publish/projectPackage';
import { UserError } from '../errorTexts';
import { rememberExtension, type ExtensionFolder } from '../folder/extensionFolder';
import { scriptTask } from '../folder/packageScripts';
import { offer, pick, withProgressUnlessCancelled } from '../notify';
import { readFolderSettings } from '../settings';
import { setPushOnSave } from './pushOnSaveSetting';
import type { PushWiring } from './pushWiring';

/** The script of package.json that starts a development server. */
const SCRIPT = 'dev';

/** The tools whose development servers build extensions, by a package that their projects depend on; some depend on a later one, too. */
const TOOLS: readonly (readonly [name: string, packageName: string])[] = [
  ['WXT', 'wxt'],
  ['CRXJS', '@crxjs/vite-plugin'],
  ['Plasmo', 'plasmo'],
  ['Parcel', '@parcel/config-webextension'],
  ['webpack', 'webpack'],
  ['Vite', 'vite'],
];

/** How long the first build may take, in milliseconds. */
const LIMIT_MS = 120_000;

/** The interval between two looks at what the server has built, in milliseconds. */
const LOOK_MS = 250;

/** Starts the development servers of projects whose extension is about to run, where the person wants that. */
export class DevelopmentServers {
  /** The workspace folders of which the person has said in this window that what is built should run, by their URIs. */
  readonly #declined = new Set<string>();

  constructor(private readonly wiring: PushWiring) {}

  /**
   * Offers to start the development server of a project that has one, unless it runs as a task of this window, and waits for its first build.
   * Resolves to what the server has built; to `asBuilt` when what is there should run; to undefined when the person cancels.
   * @throws UserError when the server ends, or builds no extension
   */
  async offer(folder: WorkspaceFolder): Promise<ExtensionFolder | 'asBuilt' | undefined> {
    const { scripts, dependencies } = await readPackage(folder.uri.fsPath);
    const [tool] = TOOLS.find(([, packageName]) => dependencies.has(packageName)) ?? [];
    const key = folder.uri.toString();
    if (tool === undefined || !scripts.has(SCRIPT) || this.#declined.has(key) || isRunning(folder)) return 'asBuilt';
    const start = {
      icon: 'server-process',
      label: l10n.t('Start the Development Server'),
      description: await scriptCommand(folder.uri.fsPath, SCRIPT),
    };
    const asBuilt = {
      icon: 'play',
      label: l10n.t('Run What Is Built'),
      description: l10n.t('also where the server runs in a terminal of yours'),
    };
    const choice = await pick([start, asBuilt], {
      placeHolder: l10n.t('This project is built by {0}. Start its development server?', tool),
    });
    if (choice === asBuilt) this.#declined.add(key);
    if (choice !== start) return choice && 'asBuilt';
    return await this.#start(folder, tool);
  }

  /** Offers to push each build of a server that was started, where nothing is pushed by itself. Never rejects. */
  async offerToPushBuilds({ workspaceFolder }: ExtensionFolder): Promise<void> {
    if (readFolderSettings(workspaceFolder.uri).pushOnSave !== 'off') return;
    const push = l10n.t('Push Each Build');
    const text = l10n.t('The development server builds the extension again when its files change.');
    try {
      if ((await offer(text, push)) === push) await setPushOnSave(workspaceFolder, 'onBuild');
    } catch (error) {
      this.wiring.failures.report(error, COMMANDS.setPushOnSave);
    }
  }

  async #start(folder: WorkspaceFolder, tool: string): Promise<ExtensionFolder | undefined> {
    const started = Date.now();
    const task = await scriptTask(folder, SCRIPT);
    task.isBackground = true;
    const execution = await tasks.executeTask(task);
    const ended = new AbortController();
    const listener = tasks.onDidEndTask((end) => {
      if (end.execution === execution) ended.abort();
    });
    try {
      return await withProgressUnlessCancelled(l10n.t('Waiting for the first build of {0}', tool), (signal) =>
        this.#untilBuilt(folder, started, { signal, ended: ended.signal }),
      );
    } finally {
      listener.dispose();
    }
  }

  async #untilBuilt(
    folder: WorkspaceFolder,
    started: number,
    { signal, ended }: { signal: AbortSignal; ended: AbortSignal },
  ): Promise<ExtensionFolder> {
    while (Date.now() - started < LIMIT_MS) {
      for (const path of await writtenSince(folder, started)) {
        const extension = { workspaceFolder: folder, path };
        if (!(await this.wiring.pusher.isComplete(extension))) continue;
        await rememberExtension(this.wiring.context.workspaceState, extension);
        return extension;
      }
      if (ended.aborted)
        throw new UserError(l10n.t('The script "{0}" has ended before it had built the extension.', SCRIPT));
      await delay(LOOK_MS, undefined, { signal });
    }
    throw new UserError(
      l10n.t(
        'The script "{0}" has built no extension in {1} seconds. When its output is in another folder, name that in the setting {2}.',
        SCRIPT,
        LIMIT_MS / 1000,
        SETTINGS.folder,
      ),
    );
  }
}

function isRunning(folder: WorkspaceFolder): boolean {
  const isServer = ({ task: { definition, scope } }: TaskExecution): boolean =>
    (definition.type === `sideload.${SCRIPT}` || definition['script'] === SCRIPT) && scope === folder;
  return tasks.taskExecutions.some(isServer);
}

/** The folders with an extension, absolute, whose manifest was written after a time, in milliseconds since 1970. */
async function writtenSince({ uri }: WorkspaceFolder, time: number): Promise<string[]> {
  const { folder } = readFolderSettings(uri);
  const { locateExtensionFolders } = await import('../../archive/locate');
  const all = folder === '' ? await locateExtensionFolders(uri.fsPath) : [resolve(uri.fsPath, folder)];
  const times = await Promise.all(
    all.map(async (path) => (await stat(join(path, 'manifest.json')).catch(() => undefined))?.mtimeMs ?? 0),
  );
  return all.filter((_, index) => (times[index] ?? 0) >= time);
}
