import * as l10n from '@vscode/l10n';
import { commands } from 'vscode';
import { COMMANDS } from '../../ids';
import { labelsOf, type RememberedBrowser } from '../targets/remembered';
import { startAgain } from '../browsers/creating/startAgain';
import { findChosen } from '../targets/target';
import type { ExtensionFolder } from '../folder/extensionFolder';
import { Notice } from '../notice';
import { openNotice } from '../notify';
import type { PushWiring } from './pushWiring';

/** The sentence about browsers that were chosen and have ended. */
export function endedText(ended: readonly RememberedBrowser[]): string {
  const labels = labelsOf(ended);
  return ended.length === 1 ? l10n.t('{0} has ended.', labels) : l10n.t('These browsers have ended: {0}.', labels);
}

/** Says that chosen browsers have ended, as long as they are chosen, and offers to start them again and push, or to choose another. */
export class EndedBrowsers {
  readonly #notice = new Notice(openNotice);

  constructor(private readonly wiring: PushWiring) {
    const withdraw = (): void => this.withdraw();
    wiring.own({ dispose: withdraw }, wiring.target.onDidChange(withdraw), wiring.pins.onDidChange(withdraw));
  }

  /** Shows `text`, which says that these have ended; the extension is what is pushed to those that are started again. */
  tell(extension: ExtensionFolder, ended: readonly RememberedBrowser[], text: string): void {
    const startAgainNow = (): void => {
      const { failures } = this.wiring;
      startAgainAndPush(this.wiring, extension, ended).catch((error: unknown) => failures.report(error, COMMANDS.push));
    };
    const buttons = [
      { label: l10n.t('Start It Again and Push'), act: startAgainNow },
      { label: l10n.t('Choose Another'), act: () => void commands.executeCommand(COMMANDS.pushTo) },
    ];
    this.#notice.show(text, { buttons });
  }

  withdraw(): void {
    this.#notice.withdraw();
  }
}

/** Starts the ended browsers again and pushes to all that are chosen. */
export async function startAgainAndPush(
  wiring: PushWiring,
  extension: ExtensionFolder,
  ended: readonly RememberedBrowser[],
): Promise<void> {
  if (!(await startAgain(wiring, ended))) return;
  const { running } = await findChosen(await wiring.connection.client(), wiring);
  if (running.length > 0) await wiring.pusher.push(extension, running);
}
