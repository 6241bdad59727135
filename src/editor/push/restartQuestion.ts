import * as l10n from '@vscode/l10n';
import type { Memento } from 'vscode';
import type { BrowserConnections } from '../../devtools/connection/browserConnections';
import type { DeliveryMode, RestartAnswer } from '../../push/browserDelivery';
import type { Browser } from '../../service/model';
import { browserLabel } from '../lists/labels';
import { askModal } from '../notify';
import { restartText } from './restartText';

/** Set when the user no longer wants to be asked whether a push may restart a browser. */
const RESTART_ACCEPTED_KEY = 'restartAccepted';

/** Whether a browser has nothing but blank pages, so that a restart loses nothing. False where that is unknown. */
export async function hasBlankTabsOnly(browsers: BrowserConnections, browser: Browser): Promise<boolean> {
  const { isBlank, listTabs } = await import('../../devtools/pages/tabs');
  const tabs = await browsers.use(browser, listTabs).catch(() => undefined);
  return tabs?.every(isBlank) ?? false;
}

/** A push that may restart browsers. */
interface AskedPush {
  browsers: readonly Browser[];
  /** Whether a push without a restart is possible. */
  canAvoid: boolean;
  delivery: DeliveryMode;
}

/**
 * Asks how a push may reach browsers that may be in use, in one question. `restart` without asking when the user has chosen not to be asked again.
 * `onAsk` is called when the question is about to be shown.
 */
export async function askToRestart(
  { browsers, canAvoid, delivery }: AskedPush,
  memory: Memento,
  onAsk: () => void,
): Promise<RestartAnswer> {
  if (memory.get<boolean>(RESTART_ACCEPTED_KEY) === true) return 'restart';
  const restart = l10n.t('Restart and Push');
  const inPlace = l10n.t('Push Without Restart');
  const always = l10n.t("Restart, Don't Ask Again");
  const names = browsers.map(browserLabel);
  const { question, lines } = restartText({ names, canAvoid, isEachPush: delivery === 'restart' });
  onAsk();
  const choice = await askModal(question, lines, restart, ...(canAvoid ? [inPlace] : []), always);
  if (choice === always) await memory.update(RESTART_ACCEPTED_KEY, true);
  if (choice === restart || choice === always) return 'restart';
  return choice === inPlace ? 'inPlace' : 'no';
}
