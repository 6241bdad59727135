import * as l10n from '@vscode/l10n';
import type { Leniency } from '../json/node';
import type { Report, Rule } from '../rule';

/**
 * R-SERVICE-JSON: Sideload's own. The cloud service reads the manifest with a strict JSON parser, which refuses what Chromium accepts
 * beyond JSON, such as comments and a byte order mark. There is one warning, at the first such place.
 */
export const strictJsonRule: Rule = {
  id: 'R-SERVICE-JSON',
  stage: 'delivery',
  check({ document, leniencies }): Report[] {
    const [first] = leniencies;
    const what = document.text.hasByteOrderMark ? l10n.t('a byte order mark') : first && nameOf(first);
    if (what === undefined) return [];
    const span = document.text.hasByteOrderMark || !first ? { start: 0, end: 1 } : first;
    return [
      {
        severity: 'warning',
        message: l10n.t(
          'Chromium accepts {0} in a manifest, but the cloud service may refuse it as invalid JSON. Remove it.',
          what,
        ),
        path: [],
        span,
      },
    ];
  },
};

function nameOf({ what }: Leniency): string {
  switch (what) {
    case 'comment':
      return l10n.t('a comment');
    case 'line break in a string':
      return l10n.t('a line break in a string');
    case '\\x escape':
      return l10n.t('a \\x escape');
  }
}
