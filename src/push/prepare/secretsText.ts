import * as l10n from '@vscode/l10n';

/** That files which look like secrets were left out, as a sentence; empty for none. */
export function secretsText(count: number): string {
  if (count === 0) return '';
  return count === 1
    ? l10n.t('1 file that looks like a secret is left out.')
    : l10n.t('{0} files that look like secrets are left out.', count);
}
