import * as l10n from '@vscode/l10n';
import { commands, Uri, workspace } from 'vscode';
import { COMMANDS, VIEWS } from '../../ids';
import { withLink } from '../browsers/readContents';
import { UserError } from '../errorTexts';
import {
  currentWorkspaceFolder,
  eachOf,
  extensionOfEntry,
  findExtensionFolder,
  pickWorkspaceFolder,
} from '../folder/extensionFolder';
import { shownFolder } from '../folder/shownFolder';
import type { Aspect } from '../../manifest/aspects';
import { pick, type Choice } from '../notify';
import { readFolderSettings } from '../settings';
import { labelsOf } from '../targets/remembered';
import { chosenOf } from '../targets/target';
import { DevelopmentServers } from './devScript';
import { pushedPageAddress } from './pushedPage';
import { requireTrust } from '../trust';
import type { PushWiring } from './pushWiring';
import { browsersToRun } from './runBrowsers';

/** An entry of the menu of the status bar. */
type MenuEntry = Choice & { group: 'push' | 'choice' | 'open' | 'show'; command: string };

/** The one act to a running extension, and the menu of the status bar. */
export class RunCommands {
  readonly handlers = {
    [COMMANDS.runExtension]: (entry?: unknown) => this.run(entry instanceof Uri ? entry : undefined),
    [COMMANDS.showMenu]: () => this.showMenu(),
  };

  readonly #servers: DevelopmentServers;

  constructor(private readonly wiring: PushWiring) {
    this.#servers = new DevelopmentServers(wiring);
  }

  /**
   * Finds and checks the extension, that of `entry` if one of the Explorer was clicked, starts a browser named after it unless chosen ones run,
   * brings the extension in and opens its start page. Asks nothing where nothing can be lost, but whether the development server of a project
   * should be started.
   */
  async run(entry?: Uri): Promise<void> {
    const { pusher, context } = this.wiring;
    requireTrust();
    const named = entry && workspace.getWorkspaceFolder(entry);
    const clicked = entry && named && (await extensionOfEntry(entry, named, context.workspaceState));
    const folder = clicked ? undefined : await pickWorkspaceFolder(context.workspaceState, named);
    const built = folder && (await this.#servers.offer(folder));
    const extension = clicked ?? (built === 'asBuilt' ? await pusher.find(folder) : built);
    if (!extension) return;
    await pusher.check(extension);
    const browsers = await browsersToRun(this.wiring);
    if (!browsers) return;
    const outcomes = await pusher.push(extension, browsers);
    if (built && built !== 'asBuilt') void this.#servers.offerToPushBuilds(extension);
    const { startUrl } = readFolderSettings(extension.workspaceFolder.uri);
    if (startUrl === '') return;
    const { showAddress } = await import('../../devtools/extensions/surfaces');
    for (const { browser, outcome, folder, archive } of outcomes) {
      if (outcome.kind !== 'running' || folder !== extension.path) continue;
      const address = pushedPageAddress(outcome.extensionId, archive, startUrl);
      if (address === undefined) throw new UserError(l10n.t('The start page "{0}" cannot be opened.', startUrl));
      if (!(await this.wiring.localhost.reach(browser, address))) continue;
      await withLink(this.wiring, browser, (link) => showAddress(link, address));
    }
  }

  /** What one may want to do with the item of the status bar. */
  async showMenu(): Promise<void> {
    const current = await this.#current();
    const browsers = labelsOf(chosenOf(this.wiring));
    const entries: MenuEntry[] = [
      {
        group: 'push',
        icon: 'cloud-upload',
        label: l10n.t('Push Extension'),
        description: browsers === '' ? '' : l10n.t('to {0}', browsers),
        command: COMMANDS.push,
      },
      { group: 'push', icon: 'play', label: l10n.t('Run Extension'), command: COMMANDS.runExtension },
      { group: 'push', icon: 'debug-alt', label: l10n.t('Debug Extension'), command: COMMANDS.debugExtension },
      {
        group: 'choice',
        icon: 'target',
        label: l10n.t('Choose Browsers…'),
        description: browsers || l10n.t('none is chosen'),
        command: COMMANDS.chooseBrowsers,
      },
      {
        group: 'choice',
        icon: 'folder',
        label: l10n.t('Choose Extension Folder…'),
        description: current.folder,
        command: COMMANDS.chooseFolder,
      },
      {
        group: 'choice',
        icon: 'save',
        label: l10n.t('Push on Save…'),
        description: current.saves,
        command: COMMANDS.setPushOnSave,
      },
      ...this.#pagesToOpen(),
      { group: 'show', icon: 'archive', label: l10n.t('Show What Is Pushed'), command: COMMANDS.showContents },
      { group: 'show', icon: 'list-tree', label: l10n.t('Show Browsers'), command: `${VIEWS.browsers}.focus` },
      { group: 'show', icon: 'output', label: l10n.t('Show Log'), command: COMMANDS.showLog },
    ];
    const choice = await pick(entries, { placeHolder: 'Sideload' });
    if (choice) await commands.executeCommand(choice.command);
  }

  /** What can be opened of the extensions that this window has pushed: what the manifest of one of them has. */
  #pagesToOpen(): readonly MenuEntry[] {
    const { records } = this.wiring;
    const pushed = records.builds.flatMap(({ browser }) => {
      return records.get(browser.id)?.hasEnded === true ? [] : (records.pushed(browser.id) ?? []);
    });
    if (pushed.length === 0) return [];
    const has = (aspect: Aspect): boolean => pushed.some(({ lacks = [] }) => !lacks.includes(aspect));
    const entries: (MenuEntry & { needs?: Aspect })[] = [
      { group: 'open', needs: 'Popup', icon: 'preview', label: l10n.t('Open Popup'), command: COMMANDS.openPopup },
      { group: 'open', needs: 'Action', icon: 'inspect', label: l10n.t('Press Action'), command: COMMANDS.pressAction },
      {
        group: 'open',
        needs: 'Options',
        icon: 'settings-gear',
        label: l10n.t('Open Options'),
        command: COMMANDS.openOptions,
      },
      {
        group: 'open',
        needs: 'SidePanel',
        icon: 'layout-sidebar-right',
        label: l10n.t('Open Side Panel'),
        command: COMMANDS.openSidePanel,
      },
      { group: 'open', icon: 'link-external', label: l10n.t('Open Page…'), command: COMMANDS.openPage },
    ];
    return entries.filter(({ needs }) => needs === undefined || has(needs));
  }

  /** Which folder is pushed and when, as far as that is known without a question. */
  async #current(): Promise<{ folder: string; saves: string }> {
    const { context } = this.wiring;
    const workspaceFolder = await currentWorkspaceFolder(context.workspaceState);
    if (!workspaceFolder) return { folder: '', saves: '' };
    const extension = await findExtensionFolder(workspaceFolder, context.workspaceState, { ask: false }).catch(
      () => undefined,
    );
    const saves = readFolderSettings(workspaceFolder.uri).pushOnSave;
    return {
      folder: extension
        ? eachOf(extension)
            .map(({ path }) => shownFolder(path))
            .join(', ')
        : l10n.t('none is chosen'),
      saves: { off: l10n.t('off'), onSave: l10n.t('on save'), onBuild: l10n.t('on build') }[saves],
    };
  }
}
