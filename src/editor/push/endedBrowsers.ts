import * as l10n from '@vscode/l10n';
import { commands } from 'vscode';
import { COMMANDS } from '../../ids';
import type { RememberedBrowser } from '../browsers/remembered';
import { startAgain } from '../browsers/startAgain';
import { findChosen } from '../browsers/target';
import type { ExtensionFolder } from '../folder/extensionFolder';
import { showWarning } from '../notify';
import type { PushParts } from './pushParts';

/** The sentence about browsers that were chosen and have ended. */
export function endedText(ended: readonly RememberedBrowser[]): string {
  const labels = ended.map(({ label }) => label).join(', ');
  return ended.length === 1 ? l10n.t('{0} has ended.', labels) : l10n.t('These browsers have ended: {0}.', labels);
}

/** Tells that chosen browsers have ended, and offers to start them again and push, or to choose another. */
export async function offerStartAgain(
  parts: PushParts,
  extension: ExtensionFolder,
  ended: readonly RememberedBrowser[],
  text: string,
): Promise<void> {
  const again = l10n.t('Start It Again and Push');
  const another = l10n.t('Choose Another');
  const choice = await showWarning(text, again, another);
  if (choice === again) await startAgainAndPush(parts, extension, ended);
  else if (choice === another) await commands.executeCommand(COMMANDS.pushTo);
}

/** Starts the ended browsers again and pushes to all that are chosen. */
export async function startAgainAndPush(
  parts: PushParts,
  extension: ExtensionFolder,
  ended: readonly RememberedBrowser[],
): Promise<void> {
  if (!(await startAgain(parts, ended))) return;
  const { running } = await findChosen(await parts.connection.client(), parts);
  if (running.length > 0) await parts.pusher.push(extension, running);
}
