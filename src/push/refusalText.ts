import * as l10n from '@vscode/l10n';
import { shortened } from '../base/units';
import type { Refusal } from './outcome';

/** Why a folder was not sent to any browser, in whole sentences for people, which fit behind any "Not …:". */
export function refusalText(refusal: Exclude<Refusal, { kind: 'cancelled' }>): string {
  switch (refusal.kind) {
    case 'refusedByCheck': {
      const errors = refusal.findings.filter(({ severity }) => severity === 'error');
      const [first] = errors;
      if (!first) return l10n.t('Its manifest could not be read.');
      const place = `${first.file}:${first.range.start.line + 1}:${first.range.start.column + 1}`;
      const message = shortened(first.message);
      return errors.length === 1
        ? `${place}: ${message}`
        : l10n.t('{0} errors, the first at {1}: {2}', errors.length, place, message);
    }
    case 'tooLarge':
      return refusal.message;
    case 'leftOut':
      return l10n.t(
        'It needs files that are left out of the archive: {0}. Move them, or send them with the setting sideload.include (in a terminal: --include).',
        refusal.files.map(({ path, reason }) => `${path} (${reason})`).join(', '),
      );
    case 'needsLocalhost': {
      const first = refusal.uses.find(({ what }) => what === 'code');
      return l10n.t(
        'It is a development build, which loads code from {0} ({1}:{2}), and the browser may not reach your computer. Choose the folder of a production build.',
        first?.address ?? 'localhost',
        first?.file ?? '',
        first?.line ?? 1,
      );
    }
  }
}
