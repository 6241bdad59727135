import * as l10n from '@vscode/l10n';
import {
  debug,
  DebugConfigurationProviderTriggerKind,
  extensions,
  Uri,
  workspace,
  type DebugConfiguration,
  type DebugConfigurationProvider,
  type WorkspaceFolder,
} from 'vscode';
import { fieldOf } from '../../base/fields';
import { COMMANDS, DEBUG_TYPE, ROWS } from '../../ids';
import type { Browser } from '../../service/model';
import { choosePushed } from '../browsers/chooseExtension';
import { withLink } from '../browsers/readContents';
import { givenBrowser } from '../browsers/namedBrowser';
import { findRunning, listRunning } from '../browsers/pickBrowser';
import { UserError, type WayOut } from '../errorTexts';
import { currentWorkspaceFolder, type ExtensionFolder } from '../folder/extensionFolder';
import type { BrowserExtension } from '../lists/browserContents';
import { browserLabel } from '../lists/labels';
import { itemOf } from '../lists/row';
import type { PushWiring } from '../push/pushWiring';
import { browsersToRun } from '../push/runBrowsers';
import { readDebugPages, type DebugPages } from '../settings';
import { afterTask, DEBUGGER_TYPE, taskEnded, textOf, withDefaults } from './debugConfiguration';
import { type Debugged, DebugSessions } from './debugSessions';

/** The ids of VS Code's JavaScript debugger: the one that is built in, and its nightly builds. */
const DEBUGGERS = ['ms-vscode.js-debug', 'ms-vscode.js-debug-nightly'];

/** Debugs extensions with VS Code's own JavaScript debugger: the debug type, its configurations and the command. */
export class DebugFeature {
  readonly handlers = {
    [COMMANDS.debugExtension]: (row: unknown) => this.debug(row),
  };
  readonly #sessions: DebugSessions;

  constructor(private readonly wiring: PushWiring) {
    this.#sessions = new DebugSessions(wiring);
    const provider: DebugConfigurationProvider = {
      resolveDebugConfiguration: (folder, configuration) =>
        afterTask(configuration) ?? this.#resolve(folder, configuration),
    };
    const late: DebugConfigurationProvider = {
      // VS Code calls it when the task has ended.
      resolveDebugConfigurationWithSubstitutedVariables: async (folder, configuration) => {
        const own = taskEnded(configuration);
        if (!own) return configuration;
        const resolved = await this.#resolve(folder, own);
        return resolved && withDefaults(configuration, resolved);
      },
    };
    const dynamic: DebugConfigurationProvider = { provideDebugConfigurations: () => configurations() };
    const { Initial, Dynamic } = DebugConfigurationProviderTriggerKind;
    wiring.own(
      debug.registerDebugConfigurationProvider(DEBUG_TYPE, provider),
      debug.registerDebugConfigurationProvider(DEBUGGER_TYPE, late),
      debug.registerDebugConfigurationProvider(DEBUG_TYPE, dynamic, Initial),
      debug.registerDebugConfigurationProvider(DEBUG_TYPE, dynamic, Dynamic),
    );
  }

  /** Debugs what runs in the row of an extension; else pushes first, to the browser of the row if there is one. */
  async debug(argument: unknown): Promise<void> {
    const [launch] = configurations();
    const row = itemOf(argument, 'browserExtension');
    const browser = row?.browser ?? (await givenBrowser(this.wiring.connection, argument));
    const configuration = {
      ...launch,
      type: DEBUG_TYPE,
      name: l10n.t('Debug Extension'),
      request: row ? 'attach' : 'launch',
      ...(browser && { browser: browser.id }),
      ...(row && { extensionId: row.extension.id }),
    };
    // VS Code takes it for the folder of the configuration, which may be that of the extension.
    const folder = await currentWorkspaceFolder(this.wiring.context.workspaceState);
    await debug.startDebugging(folder, configuration);
  }

  /** Undefined, which ends the start of the session, when the user cancels or an error was shown. */
  async #resolve(
    folder: WorkspaceFolder | undefined,
    configuration: DebugConfiguration,
  ): Promise<DebugConfiguration | undefined> {
    try {
      requireDebugger();
      const named = folder && isOf(folder, configuration) ? folder : undefined;
      const all = await (configuration.request === 'attach'
        ? this.#toAttach(configuration, named)
        : this.#toLaunch(configuration, named));
      const [first, ...others] = all;
      for (const { browser } of others) {
        const own = { ...configuration, type: DEBUG_TYPE, request: 'launch', browser: browser.id };
        void debug.startDebugging(folder, own);
      }
      return first && (await this.#sessions.start(first, configuration));
    } catch (error) {
      this.wiring.failures.report(error, COMMANDS.debugExtension);
      return undefined;
    }
  }

  /** What runs now. `named`: the workspace folder whose extension is meant where it was not pushed by this window. */
  async #toAttach(configuration: DebugConfiguration, named: WorkspaceFolder | undefined): Promise<Debugged[]> {
    const { errors, pusher } = this.wiring;
    const chosen = await this.#extensionOf(configuration);
    if (!chosen) return [];
    const { id: extensionId } = chosen.extension;
    // Others may have been pushed there since.
    const build = errors.reported.buildOf(chosen.browser.id, extensionId);
    const workspaceFolder = build && workspace.getWorkspaceFolder(Uri.file(build.root));
    // The active editor may be one of another extension.
    const extension = build && workspaceFolder ? { workspaceFolder, path: build.folder } : await pusher.find(named);
    if (!extension) return [];
    const path = build?.folder ?? extension.path;
    return [
      {
        browser: chosen.browser,
        extensionId,
        name: chosen.extension.name,
        extension: { ...extension, path },
        pages: pagesOf(configuration, extension),
        push: undefined,
      },
    ];
  }

  /** The extension that a configuration names, else the one that this window has pushed, else one that the user picks. */
  async #extensionOf(configuration: DebugConfiguration): Promise<BrowserExtension | undefined> {
    const browser = await this.#browserOf(configuration);
    const wanted = textOf(configuration, 'extensionId');
    if (wanted !== undefined) return await this.#extensionWithId(wanted, browser);
    const row = browser && { contextValue: ROWS.browser, item: browser };
    return await choosePushed(this.wiring, row, l10n.t('Select the extension to debug'));
  }

  /**
   * The extension with this id in a browser; without one, in the first of those that pushes of this window go to that has it.
   * @throws UserError when none has it: another extension is never debugged in its place
   */
  async #extensionWithId(wanted: string, named: Browser | undefined): Promise<BrowserExtension> {
    const { connection, target, pins, records } = this.wiring;
    const isOurs = ({ id }: Browser): boolean =>
      pins.has(id) || target.browserId === id || records.build(id) !== undefined;
    for (const browser of named ? [named] : (await listRunning(connection)).filter(isOurs)) {
      const read = withLink(this.wiring, browser, (link) => link.extensions());
      // Whether the extension is in another browser is found out all the same.
      const all = await (named ? read : read.catch(() => []));
      const extension = all.find(({ id }) => id === wanted);
      if (extension) return { browser, extension };
    }
    throw new UserError(
      named
        ? l10n.t('The extension {0} is not in the browser {1}.', wanted, browserLabel(named))
        : l10n.t(
            'The extension {0} is in no browser that pushes of this window go to. Name its browser with "browser".',
            wanted,
          ),
      openConfiguration(),
    );
  }

  /** The extension of `named` or of the workspace, which is pushed before if a browser does not run it yet, and again when the debugger has attached. */
  async #toLaunch(configuration: DebugConfiguration, named: WorkspaceFolder | undefined): Promise<Debugged[]> {
    const { pusher } = this.wiring;
    const extension = await pusher.find(named);
    if (!extension) return [];
    await pusher.check(extension);
    const chosen = await this.#browserOf(configuration);
    const browsers = chosen ? [chosen] : await browsersToRun(this.wiring);
    const found: Debugged[] = [];
    for (const browser of browsers ?? []) {
      const known = await this.#knownIn(browser, extension);
      if (known === undefined) continue;
      const { workspaceFolder, path } = extension;
      const push = (): Promise<unknown> => pusher.push({ workspaceFolder, path }, [browser], { mustReload: true });
      found.push({ browser, ...known, extension, pages: pagesOf(configuration, extension), push });
    }
    return found;
  }

  /** The extension as a browser runs it, pushed if it does not; undefined when the push has failed, which was shown. */
  async #knownIn(
    browser: Browser,
    extension: ExtensionFolder,
  ): Promise<{ extensionId: string; name: string } | undefined> {
    const { records, pusher } = this.wiring;
    const id = browser.id;
    const [record, build] = [records.get(id), records.build(id)];
    if (record?.state === 'running' && record.extensionId !== undefined && build?.folder === extension.path) {
      return { extensionId: record.extensionId, name: record.name ?? record.extensionId };
    }
    const [browserOutcome] = await pusher.push(extension, [browser]);
    if (browserOutcome?.outcome.kind !== 'running') return undefined;
    const { extensionId, name } = browserOutcome.outcome;
    return { extensionId, name };
  }

  /**
   * The browser that a configuration names by its name or id; undefined when it names none.
   * @throws UserError when no such browser runs
   */
  async #browserOf(configuration: DebugConfiguration): Promise<Browser | undefined> {
    const wanted = textOf(configuration, 'browser');
    if (wanted === undefined) return undefined;
    const found = await findRunning(this.wiring.connection, wanted);
    if (!found) throw new UserError(l10n.t('No browser with the name or id "{0}" runs.', wanted), openConfiguration());
    return found;
  }
}

/** Whether a configuration is in the `launch.json` of a workspace folder: VS Code passes a folder with any, often the first one. */
function isOf({ uri }: WorkspaceFolder, { name }: DebugConfiguration): boolean {
  const all = workspace.getConfiguration('launch', uri).inspect<unknown>('configurations')?.workspaceFolderValue;
  return Array.isArray(all) && all.some((one) => fieldOf(one, 'type') === DEBUG_TYPE && fieldOf(one, 'name') === name);
}

/** The way to what is wrong. */
function openConfiguration(): WayOut {
  return { label: l10n.t('Open launch.json'), command: 'workbench.action.debug.configure' };
}

function configurations(): DebugConfiguration[] {
  return [
    { type: DEBUG_TYPE, request: 'launch', name: l10n.t('Debug Extension') },
    { type: DEBUG_TYPE, request: 'attach', name: l10n.t('Attach to Extension') },
  ];
}

function pagesOf(configuration: DebugConfiguration, { workspaceFolder }: ExtensionFolder): DebugPages {
  const pages = textOf(configuration, 'pages');
  return pages === 'matching' || pages === 'extensionOnly' ? pages : readDebugPages(workspaceFolder.uri);
}

/** @throws UserError when VS Code's JavaScript debugger is disabled or missing */
function requireDebugger(): void {
  if (DEBUGGERS.some((id) => extensions.getExtension(id))) return;
  throw new UserError(
    l10n.t(
      'Debugging needs the built-in extension "JavaScript Debugger" (ms-vscode.js-debug), which is disabled or missing.',
    ),
    { label: l10n.t('Show Extension'), command: 'workbench.extensions.search', arguments: ['@builtin js-debug'] },
  );
}
