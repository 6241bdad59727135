import * as l10n from '@vscode/l10n';
import type { Memento } from 'vscode';
import type { BrowserConnections } from '../../devtools/connection/browserConnections';
import type { RestartAnswer } from '../../push/browserDelivery';
import type { Browser } from '../../service/model';
import { browserLabel } from '../lists/labels';
import { askModal } from '../notify';

/** Set when the user no longer wants to be asked whether a first push may restart the browser. */
const RESTART_ACCEPTED_KEY = 'restartAccepted';

/** Whether a browser has nothing but blank pages, so that a restart loses nothing. False where that is unknown. */
export async function hasBlankTabsOnly(browsers: BrowserConnections, browser: Browser): Promise<boolean> {
  const { isBlank, listTabs } = await import('../../devtools/pages/tabs');
  const tabs = await browsers.use(browser, listTabs).catch(() => undefined);
  return tabs?.every(isBlank) ?? false;
}

/**
 * Asks how the first push may reach browsers that may be in use, in one question. `canAvoid`: a push without a restart is possible.
 * `restart` without asking when the user has chosen not to be asked again. `onAsk` is called when the question is about to be shown.
 */
export async function askToRestart(
  browsers: readonly Browser[],
  canAvoid: boolean,
  memory: Memento,
  onAsk: () => void,
): Promise<RestartAnswer> {
  if (memory.get<boolean>(RESTART_ACCEPTED_KEY) === true) return 'restart';
  const names = browsers.map(browserLabel).join(', ');
  const restart = l10n.t('Restart and Push');
  const inPlace = l10n.t('Push Without Restart');
  const always = l10n.t("Restart, Don't Ask Again");
  const lines = [
    ...(canAvoid
      ? [
          l10n.t(
            'A restart closes the open tabs and breaks DevTools connections. Logins and storage are kept. Later pushes need no restart.',
          ),
          l10n.t(
            'Without a restart the tabs stay. The extension is gone when the browser restarts, until the next push brings it back.',
          ),
        ]
      : [
          l10n.t(
            'A restart closes the open tabs and breaks DevTools connections. Logins and storage are kept. Without DevTools each push restarts it.',
          ),
        ]),
  ];
  onAsk();
  const choice = await askModal(
    browsers.length === 1
      ? canAvoid
        ? l10n.t('The first push restarts Chromium in {0}.', names)
        : l10n.t('The push restarts Chromium in {0}.', names)
      : l10n.t('The first push to a browser restarts its Chromium. You are pushing to {0}.', names),
    lines,
    restart,
    ...(canAvoid ? [inPlace] : []),
    always,
  );
  if (choice === always) await memory.update(RESTART_ACCEPTED_KEY, true);
  if (choice === restart || choice === always) return 'restart';
  return choice === inPlace ? 'inPlace' : 'no';
}
