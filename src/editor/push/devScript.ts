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
import { Notice } from '../notice';
import { offer, openNotice, pick, withProgressUnlessCancelled } from '../notify';
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

/** How long the server may write nothing before what was built earlier is offered, in milliseconds: webpack writes no file that would stay the same. */
const PATIENCE_MS = 10_000;

/** The interval between two looks at what the server has built, in milliseconds. */
const LOOK_MS = 250;

/** Starts the development servers of projects whose extension is about to run, where the person wants that. */
export class DevelopmentServers {
  /** The workspace folders of which the person has said in this window that what is built should run, by their URIs. */
  readonly #declined = new Set<string>();

  readonly #notice = new Notice(openNotice);

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
      const built = await withProgressUnlessCancelled(l10n.t('Waiting for the first build of {0}', tool), (signal) =>
        this.#untilBuilt(folder, started, { signal, ended: ended.signal }),
      );
      return built === 'asBuilt' ? await this.wiring.pusher.find(folder) : built;
    } finally {
      listener.dispose();
      this.#notice.withdraw();
    }
  }

  /** Resolves to what the server has built, or to `asBuilt` when the person wants what was there before. */
  async #untilBuilt(
    folder: WorkspaceFolder,
    started: number,
    { signal, ended }: { signal: AbortSignal; ended: AbortSignal },
  ): Promise<ExtensionFolder | 'asBuilt'> {
    const asBuilt = new AbortController();
    const runBuilt = { label: l10n.t('Run What Is Built'), act: () => asBuilt.abort() };
    while (Date.now() - started < LIMIT_MS) {
      const builds = await buildsIn(folder);
      for (const path of await writtenSince(builds, started)) {
        const extension = { workspaceFolder: folder, path };
        if (!(await this.wiring.pusher.isComplete(extension))) continue;
        await rememberExtension(this.wiring.context.workspaceState, extension);
        return extension;
      }
      if (asBuilt.signal.aborted) return 'asBuilt';
      if (builds.length > 0 && Date.now() - started > PATIENCE_MS) {
        const text = l10n.t(
          'The development server has written no manifest yet. What was built before may be up to date.',
        );
        this.#notice.show(text, { buttons: [runBuilt] });
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

/** The folders with an extension, absolute. */
async function buildsIn({ uri }: WorkspaceFolder): Promise<string[]> {
  const { folder } = readFolderSettings(uri);
  const { holdsExtension, locateExtensionFolders } = await import('../../archive/locate');
  if (folder === '') return await locateExtensionFolders(uri.fsPath);
  const path = resolve(uri.fsPath, folder);
  return (await holdsExtension(path)) ? [path] : [];
}

/** The folders whose manifest was written after a time, in milliseconds since 1970; a copy may have the time of its original. */
async function writtenSince(builds: readonly string[], time: number): Promise<string[]> {
  const written = await Promise.all(
    builds.map(async (path) => {
      const { mtimeMs = 0, ctimeMs = 0 } = (await stat(join(path, 'manifest.json')).catch(() => undefined)) ?? {};
      return Math.max(mtimeMs, ctimeMs) >= time;
    }),
  );
  return builds.filter((_, index) => written[index]);
}
