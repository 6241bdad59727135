import * as l10n from '@vscode/l10n';
import { commands, window, workspace } from 'vscode';
import { COMMANDS, CONTEXT } from '../../ids';
import type { Browser } from '../../service/model';
import type { BrowserWiring } from '../browsers/browserWiring';
import { currentWorkspaceFolder } from '../folder/extensionFolder';
import { browserLabel } from '../lists/labels';
import { createStatusItem, type StatusItem } from '../notify';
import type { PushOnSave } from '../settings';
import { chosenOf } from '../targets/target';
import { statusFacts, type PushState, type Subject } from './statusFacts';
import { statusText } from './statusText';

/** The status-bar item: where pushes go, what runs there now, and whether saves push. A click opens the menu. */
export class StatusBar {
  readonly #item: StatusItem;
  /** The pushes that run, each with the key of its service, the one with the latest step at the end. */
  readonly #running = new Map<object, NonNullable<PushState['running']> & { service: string }>();
  /** The browsers of the last push, and the key of their service: another one may have browsers of the same ids. */
  #last: { subjects: readonly Subject[]; service: string } | undefined;
  #waiting: PushState['waiting'];
  #saves: PushState['saves'] = { mode: 'off', folders: '' };
  /** The folder that a push takes, where several are open. */
  #folder: string | undefined;

  constructor(private readonly wiring: BrowserWiring) {
    this.#item = createStatusItem('sideload.push', 'Sideload', COMMANDS.showMenu);
    this.#draw();
    this.#showWithFolders();
    const onChoice = (): void => {
      this.#last = undefined;
      this.#waiting = undefined;
      this.#draw();
    };
    const draw = (): void => this.#draw();
    wiring.own(
      this.#item,
      wiring.target.onDidChange(onChoice),
      wiring.pins.onDidChange(onChoice),
      wiring.connection.onDidChange(draw),
      wiring.target.onDidRename(draw),
      wiring.pins.onDidRename(draw),
      wiring.records.onDidChange(draw),
      wiring.lists.browsers.onDidLoad(draw),
      workspace.onDidChangeWorkspaceFolders(() => {
        this.#showWithFolders();
        void this.#followFolder();
      }),
      window.onDidChangeActiveTextEditor(() => {
        void this.#followFolder();
      }),
    );
    void this.#followFolder();
  }

  /** Shows a step of a push of a workspace folder that runs. `push` identifies it: several may run. */
  showStep(push: object, browsers: readonly Browser[], folder: string, step: string): void {
    const subjects = browsers.map((browser) => ({ browserId: browser.id, label: browserLabel(browser) }));
    const service = this.#running.get(push)?.service ?? this.wiring.connection.key;
    this.#running.delete(push);
    this.#running.set(push, { subjects, folder, step, service });
    this.#waiting = undefined;
    this.#draw();
  }

  /** A push has ended: shows one that still runs, else what is known of the browsers that the next one goes to. */
  endStep(push: object): void {
    this.#last = this.#running.get(push) ?? this.#last;
    this.#running.delete(push);
    this.#draw();
    // The push may have asked for it.
    void this.#followFolder();
  }

  /** Shows why pushes by themselves wait for the user, until one runs, or another browser or folder is chosen. */
  showWaiting(label: string, reason: string): void {
    this.#waiting = { label, reason };
    this.#draw();
  }

  /** Another folder is chosen: why pushes waited is not known to hold any more. */
  folderChosen(): void {
    this.#waiting = undefined;
    this.#draw();
  }

  /** Shows when saves push, and the names of the folders whose saves do. */
  showSaves(mode: PushOnSave, folders: string): void {
    this.#saves = { mode, folders };
    void commands.executeCommand('setContext', CONTEXT.pushesBySaving, mode !== 'off');
    if (mode === 'off') this.#waiting = undefined;
    this.#draw();
  }

  async #followFolder(): Promise<void> {
    const isSeveral = (workspace.workspaceFolders?.length ?? 0) > 1;
    const folder = isSeveral ? await currentWorkspaceFolder(this.wiring.context.workspaceState) : undefined;
    if (this.#folder === folder?.name) return;
    this.#folder = folder?.name;
    this.#draw();
  }

  /** The item is shown only in a window with a folder. */
  #showWithFolders(): void {
    this.#item.setVisible((workspace.workspaceFolders?.length ?? 0) > 0);
  }

  #draw(): void {
    const { records, lists, connection } = this.wiring;
    const state: PushState = {
      chosen: chosenOf(this.wiring),
      running: [...this.#running.values()].at(-1),
      last: this.#last?.service === connection.key ? this.#last.subjects : [],
      waiting: this.#waiting,
      saves: this.#saves,
      folder: this.#folder,
      isSeveral: (workspace.workspaceFolders?.length ?? 0) > 1,
    };
    const { icon, text, spoken, isWarning } = statusText(
      statusFacts(state, {
        label: (id) => {
          const browser = lists.browsers.items.find(({ id: browserId }) => browserId === id);
          return browser && browserLabel(browser);
        },
        record: (id) => records.get(id),
        errors: (id) => records.errorsOfLast(id),
        folder: (id) => folderName(records.build(id)?.root),
      }),
    );
    this.#item.draw({
      icon,
      text,
      tooltip: [spoken, l10n.t('Click for the menu')],
      spoken: `Sideload: ${spoken}`,
      isWarning,
    });
  }
}

function folderName(path: string | undefined): string | undefined {
  return workspace.workspaceFolders?.find(({ uri }) => uri.fsPath === path)?.name;
}
