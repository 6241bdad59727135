import * as l10n from '@vscode/l10n';
import { fireAlarm as fire, listAlarms, type FireEnd } from '../../devtools/extensions/extensionState';
import type { ApiAlarm } from '../../devtools/inPage/chromeApi';
import { shortened } from '../../base/units';
import type { BrowserWiring } from '../browsers/browserWiring';
import { withLinkOrGone } from '../browsers/readContents';
import { UserError } from '../errorTexts';
import type { BrowserExtension } from '../lists/browserContents';
import { browserLabel } from '../lists/labels';
import { pick, showStatus } from '../notify';
import { withPage } from '../storage/storageTarget';

/** Longest name of an alarm in a list, in characters. */
const NAME_LENGTH = 100;

/** Lists the alarms that an extension has set, and calls its listeners for the one that the user picks. */
export async function fireAlarm(wiring: BrowserWiring, chosen: BrowserExtension): Promise<void> {
  const { browser, extension } = chosen;
  const alarms = await withPage(wiring, chosen, async (page) => ({ list: await listAlarms(page) }));
  if (!alarms) return;
  const { list } = alarms;
  if (!list) {
    throw new UserError(
      l10n.t('The manifest of {0} does not list the permission "alarms". Add it and push again.', extension.name),
    );
  }
  if (list.length === 0) {
    throw new UserError(l10n.t('{0} has set no alarm. Call chrome.alarms.create in it and try again.', extension.name));
  }
  const choices = list.map((alarm) => ({ label: nameOf(alarm), description: whenText(alarm), alarm }));
  const choice = await pick(choices, { placeHolder: l10n.t('Select the alarm to fire now') });
  if (!choice) return;
  const end = await withLinkOrGone(wiring, browser, (link) => fire(link, extension.id, choice.alarm));
  if (!end) return;
  if (end !== 'fired') throw new UserError(failureText(end, extension.name));
  wiring.log.info(`Fired the alarm ${choice.label} of ${extension.name} in ${browserLabel(browser)}`);
  showStatus(l10n.t('The alarm {0} was fired', choice.label));
}

function failureText(end: Exclude<FireEnd, 'fired'>, name: string): string {
  return {
    noListener: l10n.t(
      'The service worker of {0} has no listener for chrome.alarms.onAlarm. Add it at the top level.',
      name,
    ),
    noWorker: l10n.t(
      '{0} has no service worker that answers, or it does not start. The Problems panel shows the errors of pushed extensions.',
      name,
    ),
    unsupported: l10n.t('This browser has no way to fire an alarm. Set it with a short delay instead.'),
  }[end];
}

function nameOf({ name }: ApiAlarm): string {
  return name === '' ? l10n.t('without a name') : shortened(name, NAME_LENGTH);
}

function whenText({ scheduledTime, periodInMinutes }: ApiAlarm): string {
  const at = new Date(scheduledTime).toLocaleTimeString();
  return periodInMinutes === undefined
    ? l10n.t('due at {0}', at)
    : l10n.t('due at {0}, then every {1} min', at, periodInMinutes);
}
