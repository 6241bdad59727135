import * as l10n from '@vscode/l10n';
import { shortened } from '../base/units';
import type { Finding } from '../manifest/finding';
import type { KnownOutcome } from '../push/outcome';
import { outcomeText } from '../push/outcomeText';

/** One of the two versions of an update. */
export type TestedVersion = 'old' | 'next';

/** That a version was refused by the check, with its first error, as a sentence for people. */
export function refusedByCheck(version: TestedVersion, findings: readonly Finding[]): string {
  const errors = findings.filter(({ severity }) => severity === 'error');
  const [first] = errors;
  if (!first) return refused(version, l10n.t('Its manifest could not be read.'));
  const { file, range, message } = first;
  const place = `${file}:${range.start.line + 1}:${range.start.column + 1}`;
  const reason =
    errors.length === 1
      ? `${place}: ${shortened(message)}`
      : l10n.t('{0} errors, the first at {1}: {2}', errors.length, place, shortened(message));
  return refused(version, reason);
}

/** Why the push of a version has not loaded it in `browser`, as a sentence for people; the browser was made for the test. */
export function notLoaded(version: TestedVersion, outcome: KnownOutcome, browser: string): string {
  switch (outcome.kind) {
    case 'refusedByCheck':
      return refusedByCheck(version, outcome.findings);
    case 'refusedByBrowser':
      return refused(version, outcome.chromium);
    case 'leftOut':
      return refused(
        version,
        l10n.t(
          'Its manifest names files that are left out of the archive: {0}. Move them, or send them with the setting sideload.include.',
          outcome.files.map(({ path, reason }) => `${path} (${reason})`).join(', '),
        ),
      );
    case 'needsLocalhost': {
      const first = outcome.uses.find(({ what }) => what === 'code');
      return refused(
        version,
        l10n.t(
          'It is a development build, which loads code from {0} ({1}:{2}), and the browser may not reach your computer. Choose the folder of a production build.',
          first?.address ?? 'localhost',
          first?.file ?? '',
          first?.line ?? 1,
        ),
      );
    }
    default:
      return outcomeText(outcome, browser);
  }
}

function refused(version: TestedVersion, reason: string): string {
  return version === 'old'
    ? l10n.t('The old version was refused, and nothing else was touched: {0}', reason)
    : l10n.t('The new build was refused, and nothing else was touched: {0}', reason);
}
