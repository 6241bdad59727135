import * as l10n from '@vscode/l10n';
import type { Memento } from 'vscode';
import { askModal } from '../notify';

/** Set when the user no longer wants to be asked whether a first push may restart the browser. */
const RESTART_ACCEPTED_KEY = 'restartAccepted';

/**
 * Asks once whether Chromium may be restarted for the first push to these browsers, by their labels. Resolves to true without asking
 * when the user has chosen not to be asked again.
 */
export async function mayRestart(browsers: readonly string[], memory: Memento): Promise<boolean> {
  if (memory.get<boolean>(RESTART_ACCEPTED_KEY) === true) return true;
  const go = l10n.t('Push');
  const always = l10n.t("Push, Don't Ask Again");
  const [only] = browsers;
  const choice = await askModal(
    browsers.length === 1 && only !== undefined
      ? l10n.t('The first push restarts Chromium in {0}.', only)
      : l10n.t('The first push to a browser restarts its Chromium. You are pushing to {0}.', browsers.join(', ')),
    [
      l10n.t(
        'Its open tabs are closed and DevTools connections break. Logins and storage are kept. Later pushes need no restart.',
      ),
    ],
    go,
    always,
  );
  if (choice === always) await memory.update(RESTART_ACCEPTED_KEY, true);
  return choice === go || choice === always;
}
