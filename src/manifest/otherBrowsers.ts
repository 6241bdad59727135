import * as l10n from '@vscode/l10n';
import type { Proposal } from './proposal';

/** Keys at the top of a manifest that Firefox has, and Chromium does not. Source: MDN, manifest.json. */
export const FIREFOX_KEYS: ReadonlySet<string> = new Set([
  ...['applications', 'developer', 'dictionaries', 'experiment_apis', 'hidden', 'sidebar_action'],
  ...['theme_experiment', 'user_scripts'],
]);

/** Permissions that Firefox has, and Chromium does not, also not to extensions of version 3. Source: MDN, permissions. */
export const FIREFOX_PERMISSIONS: ReadonlySet<string> = new Set([
  ...['activityLog', 'browserSettings', 'captivePortal', 'contextualIdentities', 'devtools', 'find', 'geckoProfiler'],
  ...['menus', 'menus.overrideContext', 'pkcs11', 'tabHide', 'theme', 'trialML', 'webRequestBlocking'],
  ...['webRequestFilterResponse', 'webRequestFilterResponse.serviceWorkerScript'],
]);

/** What to do about a key or permission that Chromium ignores and Firefox has: a folder may be for both. */
export function keepAdvice(): string {
  return l10n.t('Firefox has it. Keep it if the folder is for Firefox too, otherwise remove it.');
}

/** Removes what another browser may need: never without a choice. */
export const REMOVE_IF_UNNEEDED: Proposal = { do: 'remove', isGuess: true };
