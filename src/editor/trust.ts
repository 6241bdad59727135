import * as l10n from '@vscode/l10n';
import { workspace } from 'vscode';
import { UntrustedError } from './errorTexts';

/** `why` says what is not done in a workspace that is not trusted. @throws UntrustedError in such a one */
export function requireTrust(
  why = l10n.t('This workspace is not trusted, so its files are not sent to a browser.'),
): void {
  if (workspace.isTrusted) return;
  throw new UntrustedError(why, {
    label: l10n.t('Manage Workspace Trust'),
    command: 'workbench.trust.manage',
  });
}

/** To be called before settings are read to be changed: those of a workspace that is not trusted are hidden, and would be overwritten. @throws UntrustedError */
export function requireReadableSettings(): void {
  requireTrust(l10n.t('This workspace is not trusted, so its settings cannot be read.'));
}
