import * as l10n from '@vscode/l10n';
import { join } from 'node:path';
import { commands, env, EventEmitter, Uri, window, type TreeDataProvider, type TreeItem } from 'vscode';
import { COMMANDS, VIEWS } from '../../ids';
import type { Handler } from '../commandRegistry';
import { UserError } from '../errorTexts';
import { fieldOf } from '../../base/fields';
import type { Node } from '../lists/nodes';
import { treeItemOf } from '../lists/treeItem';
import { pick, showInformation } from '../notify';
import { buildText, differences, differencesText, differenceText, pushNode, type PastPush } from './historyRows';
import type { PushWiring } from './pushWiring';

/** Pause between two drawings of the view, in milliseconds: errors may come in any number. */
const DRAW_PAUSE_MS = 500;

/** The view of the pushes of this window, newest first, and the command that compares the builds of two of them. */
export class HistoryView implements TreeDataProvider<Node<PastPush>> {
  readonly handlers: Record<typeof COMMANDS.comparePushes, Handler> = {
    [COMMANDS.comparePushes]: (row) => this.#compare(row),
  };

  readonly #changed = new EventEmitter<undefined>();
  readonly onDidChangeTreeData = this.#changed.event;
  #timer: NodeJS.Timeout | undefined;

  constructor(private readonly wiring: PushWiring) {
    wiring.own(
      this.#changed,
      window.createTreeView(VIEWS.pushes, { treeDataProvider: this }),
      wiring.history.onDidChange(() => {
        this.#timer ??= setTimeout(() => {
          this.#timer = undefined;
          this.#changed.fire(undefined);
        }, DRAW_PAUSE_MS);
      }),
      { dispose: () => clearTimeout(this.#timer) },
    );
  }

  getTreeItem(node: Node<PastPush>): TreeItem {
    return treeItemOf(node, { canExpand: false, view: VIEWS.pushes });
  }

  getChildren(): Node<PastPush>[] {
    return this.wiring.history.pushes.map((push) => this.#nodeOf(push));
  }

  #nodeOf(push: PastPush): Node<PastPush> {
    return pushNode(push, this.wiring.history.errorsSince(push), env.language);
  }

  /** Shows which files differ between two builds, the row's and one that the user picks; opens the file that is picked then. */
  async #compare(row: unknown): Promise<void> {
    const { pushes } = this.wiring.history;
    if (pushes.length < 2) {
      throw new UserError(l10n.t('Two pushes are needed to compare their builds. Push the extension again.'));
    }
    const first =
      pushes.find((push) => push === fieldOf(row, 'item')) ??
      (await this.#pickPush(pushes, l10n.t('Select the push to compare')));
    if (!first) return;
    const others = pushes.filter((push) => push !== first);
    const second = await this.#pickPush(others, l10n.t('Select the push to compare {0} with', buildText(first)));
    if (!second) return;
    const [before, after] = first.at <= second.at ? [first, second] : [second, first];
    const found = differences(before.archive, after.archive);
    const title = l10n.t('From {0} to {1}', buildText(before), buildText(after));
    if (found.length === 0) {
      showInformation(l10n.t('{0}: both builds have the same files.', title));
      return;
    }
    const choices = found.map((one) => ({ label: one.path, description: differenceText(one), ...one }));
    const placeHolder = l10n.t('{0}. Select a file to open it.', differencesText(found));
    const file = await pick(choices, { title, placeHolder });
    if (!file || file.kind === 'removed') return;
    await commands.executeCommand('vscode.open', Uri.file(join(after.folder, ...file.path.split('/'))));
  }

  async #pickPush(pushes: readonly PastPush[], placeHolder: string): Promise<PastPush | undefined> {
    const choices = pushes.map((push) => {
      const { icon, label, description } = this.#nodeOf(push);
      return { icon, label, description, push };
    });
    return (await pick(choices, { placeHolder }))?.push;
  }
}
