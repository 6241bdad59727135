import * as l10n from '@vscode/l10n';
import { Uri, workspace, type WorkspaceFolder } from 'vscode';
import { COMMANDS } from '../../ids';
import { isBuildOutput } from '../../archive/buildOutput';
import type { Browser } from '../../service/model';
import { createBrowser } from '../browsers/creating/createBrowser';
import { givenBrowser } from '../browsers/namedBrowser';
import { chooseBrowser, listRunning, pickBrowsers } from '../browsers/pickBrowser';
import { chosenText, findChosen, isChosen, setTarget } from '../targets/target';
import { labelsOf } from '../targets/remembered';
import { runBuild } from '../folder/packageScripts';
import {
  chooseExtensionFolder,
  eachOf,
  findExtensionFolder,
  pickWorkspaceFolder,
  type ExtensionFolder,
} from '../folder/extensionFolder';
import { browserLabel } from '../lists/labels';
import { pick, showInformation, showStatus } from '../notify';
import { readFolderSettings, type PushOnSave } from '../settings';
import { requireReadableSettings } from '../trust';
import { endedText, startAgainAndPush } from './endedBrowsers';
import { setPushOnSave } from './pushOnSaveSetting';
import type { PushWiring } from './pushWiring';

/** Commands that push and that say what is pushed, when, and where to. */
export class PushCommands {
  readonly handlers = {
    [COMMANDS.push]: (argument: unknown) => this.push(argument),
    // A command of its own: a row that VS Code has forgotten must not push to another browser, and the button above the view goes to the chosen ones.
    [COMMANDS.pushToRow]: (row: unknown) => this.push(row),
    [COMMANDS.pushTo]: (argument: unknown) => this.pushTo(argument),
    [COMMANDS.chooseBrowsers]: (argument: unknown) => this.chooseBrowsers(argument),
    [COMMANDS.setTarget]: (row: unknown) => this.setTarget(row),
    [COMMANDS.pushToSeveral]: () => this.pushToSeveral(),
    [COMMANDS.pinBrowser]: (row: unknown) => this.pin(row),
    [COMMANDS.unpinBrowser]: (row: unknown) => this.unpin(row),
    [COMMANDS.togglePushOnSave]: () => this.togglePushOnSave(),
    [COMMANDS.setPushOnSave]: () => this.askForPushOnSave(),
    [COMMANDS.chooseFolder]: () => this.chooseFolder(),
    [COMMANDS.exportPackage]: async () => (await import('./exportPackage')).exportPackage(this.wiring),
    [COMMANDS.runBuild]: (folder: unknown) => this.runBuild(folder),
  };

  constructor(private readonly wiring: PushWiring) {}

  /** Pushes to the browser of the argument, else to the pinned ones, else to the target, else to the only one running, else asks. */
  async push(argument: unknown): Promise<void> {
    const extension = await this.wiring.pusher.find();
    if (!extension) return;
    const given = await givenBrowser(this.wiring.connection, argument);
    if (given) {
      await this.wiring.pusher.push(extension, [given]);
      return;
    }
    const client = await this.wiring.connection.client();
    const { running, ended } = await findChosen(client, this.wiring);
    if (ended.length > 0) {
      const again = { icon: 'debug-restart', label: l10n.t('Start It Again and Push') };
      const others = { icon: 'list-selection', label: l10n.t('Choose Another') };
      const choice = await pick([again, others], { placeHolder: endedText(ended) });
      if (choice === again) await startAgainAndPush(this.wiring, extension, ended);
      else if (choice === others) await this.#pushToPicked(extension);
      return;
    }
    if (running.length > 0) {
      await this.wiring.pusher.push(extension, running);
      return;
    }
    const all = await listRunning(this.wiring.connection);
    if (all.length === 1) await this.wiring.pusher.push(extension, all);
    else await this.#pushToPicked(extension);
  }

  /** Always asks where to. */
  async pushTo(argument: unknown): Promise<void> {
    const extension = await this.wiring.pusher.find();
    if (extension) await this.#pushToPicked(extension, argument);
  }

  /** Asks for browsers, pins them and no others, and pushes to them. */
  async pushToSeveral(): Promise<void> {
    const extension = await this.wiring.pusher.find();
    if (!extension) return;
    const browsers = await this.#pickChosen();
    if (!browsers) return;
    await this.#pin(browsers);
    if (browsers.length > 0) await this.wiring.pusher.push(extension, browsers);
    else showStatus(l10n.t('No browser is pinned'));
  }

  /** The browsers that pushes of this workspace go to from now on: those that the user ticks, or the one that the argument names. */
  async chooseBrowsers(argument: unknown): Promise<void> {
    const { connection, target } = this.wiring;
    const given = await givenBrowser(connection, argument);
    const browsers = given ? [given] : await this.#pickChosen();
    if (!browsers) return;
    const [only, ...others] = browsers;
    await this.#pin(others.length > 0 ? browsers : []);
    if (!only) {
      await target.forget();
      showStatus(l10n.t('No browser is chosen'));
      return;
    }
    if (others.length === 0) await target.remember(only);
    showStatus(chosenText(browsers.map(browserLabel).join(', ')));
  }

  /** One target from now on: pins are taken back. */
  async setTarget(argument: unknown): Promise<void> {
    const browser = await this.#chooseOrCreate(
      argument,
      l10n.t('Select the browser to push to (remembered for this workspace)'),
    );
    if (browser) await setTarget(this.wiring, browser);
  }

  async pin(argument: unknown): Promise<void> {
    const question = l10n.t('Select the browser to pin as a push target');
    const { connection, pins } = this.wiring;
    const isUnpinned = ({ id }: Browser): boolean => !pins.has(id);
    const browser = await chooseBrowser(connection, argument, question, undefined, isUnpinned);
    if (browser) await pins.add(browser);
  }

  async unpin(argument: unknown): Promise<void> {
    const { connection, pins } = this.wiring;
    const given = await givenBrowser(connection, argument);
    if (given) {
      await pins.remove(given.id);
      return;
    }
    const kept = await pickBrowsers(connection, l10n.t('Select the browsers that stay pinned'), (id) => pins.has(id));
    if (kept) await this.#pin(kept);
  }

  /** Pins these browsers, and says which pins go that were not in the list, because they have ended. */
  async #pin(browsers: readonly Browser[]): Promise<void> {
    const { connection, pins } = this.wiring;
    const running = new Set((await listRunning(connection)).map(({ id }) => id));
    const ended = pins.browsers.filter(({ browserId }) => !running.has(browserId));
    await pins.replace(browsers);
    if (ended.length === 0) return;
    showInformation(l10n.t('No longer pinned, because it has ended: {0}.', labelsOf(ended)));
  }

  /** Switches push on save for the folder at hand: after builds where its extension is the output of one. */
  async togglePushOnSave(): Promise<void> {
    requireReadableSettings();
    const folder = await this.#pickFolder();
    if (!folder) return;
    if (readFolderSettings(folder.uri).pushOnSave !== 'off') {
      await setPushOnSave(folder, 'off');
      return;
    }
    const extension = await findExtensionFolder(folder, this.wiring.context.workspaceState, { ask: true });
    if (!extension) return;
    await setPushOnSave(folder, isBuildOutput(folder.uri.fsPath, extension.path) ? 'onBuild' : 'onSave');
  }

  /** Asks when the folder at hand is pushed by itself. */
  async askForPushOnSave(): Promise<void> {
    requireReadableSettings();
    const folder = await this.#pickFolder();
    if (!folder) return;
    const current = readFolderSettings(folder.uri).pushOnSave;
    const choices: { label: string; description: string; mode: PushOnSave }[] = [
      { label: l10n.t('Off'), description: l10n.t('only by command'), mode: 'off' },
      { label: l10n.t('On Save'), description: l10n.t('when a file of the extension is saved'), mode: 'onSave' },
      {
        label: l10n.t('On Build'),
        description: l10n.t('when a build has written the extension folder'),
        mode: 'onBuild',
      },
    ];
    const choice = await pick(
      choices.map((entry) => (entry.mode === current ? { ...entry, icon: 'check' } : entry)),
      { placeHolder: l10n.t('Select when "{0}" is pushed by itself', folder.name) },
    );
    if (choice) await setPushOnSave(folder, choice.mode);
  }

  /** Asks for the extension folder where there are several, and shows which one is pushed. */
  async chooseFolder(): Promise<void> {
    const extension = await chooseExtensionFolder(this.wiring.context.workspaceState);
    if (!extension) return;
    this.wiring.statusBar.folderChosen();
    const paths = eachOf(extension).map(({ path }) => path);
    showStatus(
      paths.length === 1
        ? l10n.t('Sideload pushes the folder {0}', extension.path)
        : l10n.t('Sideload pushes {0} folders together: {1}', paths.length, paths.join(', ')),
    );
  }

  /** Runs the build script of a workspace folder, given by its URI. */
  async runBuild(argument: unknown): Promise<void> {
    const folder =
      typeof argument === 'string' ? workspace.getWorkspaceFolder(Uri.parse(argument)) : await this.#pickFolder();
    if (folder) await runBuild(folder);
  }

  /** Asks which browsers pushes go to; those that they go to now are ticked. */
  #pickChosen(): Promise<Browser[] | undefined> {
    return pickBrowsers(
      this.wiring.connection,
      l10n.t('Select the browsers to push to (remembered for this workspace)'),
      (id) => isChosen(this.wiring, id),
      () => createBrowser(this.wiring),
    );
  }

  #pickFolder(): Promise<WorkspaceFolder | undefined> {
    return pickWorkspaceFolder(this.wiring.context.workspaceState);
  }

  async #pushToPicked(extension: ExtensionFolder, argument?: unknown): Promise<void> {
    const browser = await this.#chooseOrCreate(argument, l10n.t('Select the browser to push to'));
    if (browser) await this.wiring.pusher.push(extension, [browser]);
  }

  #chooseOrCreate(argument: unknown, placeHolder: string): Promise<Browser | undefined> {
    return chooseBrowser(this.wiring.connection, argument, placeHolder, () => createBrowser(this.wiring));
  }
}
