import * as l10n from '@vscode/l10n';
import type { Finding } from '../manifest/finding';
import type { KnownOutcome } from '../push/outcome';
import { outcomeText } from '../push/outcomeText';
import { refusalText } from '../push/refusalText';

/** One of the two versions of an update. */
export type TestedVersion = 'old' | 'next';

/** That a version was refused by the check, with its first error, as a sentence for people. */
export function refusedByCheck(version: TestedVersion, findings: readonly Finding[]): string {
  return refused(version, refusalText({ kind: 'refusedByCheck', findings }));
}

/** Why the push of a version has not loaded it in `browser`, as a sentence for people; the browser was made for the test. */
export function notLoaded(version: TestedVersion, outcome: KnownOutcome, browser: string): string {
  switch (outcome.kind) {
    case 'refusedByCheck':
    case 'leftOut':
    case 'tooLarge':
    case 'needsLocalhost':
      return refused(version, refusalText(outcome));
    case 'refusedByBrowser':
      return refused(version, outcome.chromium);
    default:
      return outcomeText(outcome, browser);
  }
}

function refused(version: TestedVersion, reason: string): string {
  return version === 'old'
    ? l10n.t('The old version was refused, and nothing else was touched: {0}', reason)
    : l10n.t('The new build was refused, and nothing else was touched: {0}', reason);
}
