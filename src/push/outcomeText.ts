import * as l10n from '@vscode/l10n';

import type { Cancelled, KnownOutcome, Unverifiable } from './outcome';
import { refusalText } from './refusalText';
import { durationText, sizeText } from '../base/units';

/** How a push to `browser` ended, in one sentence for the user; `folder` names the pushed folder, where that is of use. */
export function outcomeText(outcome: KnownOutcome, browser: string, folder = ''): string {
  switch (outcome.kind) {
    case 'running':
      if (outcome.pausedAt !== undefined) {
        return l10n.t(
          '{0} {1} is delivered to {2}; the debugger has paused its service worker at {3}.',
          outcome.name,
          outcome.version,
          browser,
          outcome.pausedAt,
        );
      }
      if (outcome.reload === 'none') {
        return l10n.t(
          'No file has changed since the last push: {0} {1} is running in {2}, and was not reloaded.',
          outcome.name,
          outcome.version,
          browser,
        );
      }
      return l10n.t(
        '{0} {1} is running in {2}: pushed in {3}, {4}, {5}.',
        outcome.name,
        outcome.version,
        browser,
        durationText(outcome.ms),
        sizeText(outcome.bytes),
        filesText(outcome.files, folder),
      );
    case 'unverified':
      return unverifiedText(outcome.why, browser);
    case 'unchanged':
      return l10n.t('Nothing has changed since the last push.');
    case 'tooLarge':
      return outcome.message;
    case 'refusedByCheck':
    case 'leftOut':
      return l10n.t('Not pushed: {0}', refusalText(outcome));
    case 'needsLocalhost':
      return l10n.t('Not pushed: {0} Or push it by hand, and allow that.', refusalText(outcome));
    case 'refusedByBrowser':
      return l10n.t('Chromium refused the extension, and the browser goes on as before: {0}', outcome.chromium);
    case 'workerFailed': {
      const [first] = outcome.faults;
      return first
        ? l10n.t(
            'Version {0} is loaded in {1}, but its service worker failed: {2}',
            outcome.version,
            browser,
            first.text.split('\n', 1)[0] ?? '',
          )
        : l10n.t(
            'Version {0} is loaded in {1}, but its service worker could not be registered. A missing import or a wrong file type is the usual cause.',
            outcome.version,
            browser,
          );
    }
    case 'doubled':
      return l10n.t(
        '{0} {1} runs in {2}, but other copies of it are enabled too: {3}. Remove them, or create another browser.',
        outcome.name,
        outcome.version,
        browser,
        outcome.others
          .map(({ id, name, path }) => `${name === outcome.name ? '' : `${name}, `}${id} (${path})`)
          .join(', '),
      );
    case 'wrong':
      return l10n.t('Delivered to {0}, but it does not run this build: {1}', browser, outcome.reason);
    case 'heldBack':
      return outcome.isRestored
        ? l10n.t(
            'Not delivered, because Chromium refused {0}: extensions that are pushed together are delivered all or none. {1} runs what it ran before.',
            outcome.by,
            browser,
          )
        : l10n.t(
            'Not pushed, because {0} was refused: extensions that are pushed together are pushed all or none. Correct that one first.',
            outcome.by,
          );
    case 'cancelled':
      return cancelledText(outcome, browser);
  }
}

function cancelledText({ why }: Cancelled, browser: string): string {
  if (why === 'notWanted') return l10n.t('Not pushed: {0} is no longer chosen.', browser);
  if (why === 'restartNotAsked') {
    return l10n.t('The first push restarts Chromium in {0}. Push once by hand to allow it.', browser);
  }
  return l10n.t('Cancelled.');
}

function filesText(files: number, folder: string): string {
  return folder === '' ? l10n.t('{0} files', files) : l10n.t('{0} files of {1}', files, folder);
}

/** That a build was delivered, and why it was not verified. */
function unverifiedText(why: Unverifiable, browser: string): string {
  return {
    noAddress: l10n.t(
      'Uploaded to {0}; the service says that Chromium has restarted with it. Not verified: this service gives no DevTools address.',
      browser,
    ),
    unreachable: l10n.t(
      'Uploaded to {0}; the service says that Chromium has restarted with it. Not verified: DevTools of the browser cannot be reached.',
      browser,
    ),
    policy: l10n.t(
      'Uploaded to {0}; the service says that Chromium has restarted with it. Not verified: a policy of the browser blocks DevTools.',
      browser,
    ),
  }[why];
}
