import * as l10n from '@vscode/l10n';
import type { ErrorPart } from './extensionErrors';

/** The words for a part of an extension, as the console has them. */
export function partText(part: ErrorPart): string {
  switch (part.kind) {
    case 'worker':
      return l10n.t('worker');
    case 'page':
      return part.path;
    case 'content':
      return part.host === '' ? l10n.t('content script') : l10n.t('content · {0}', part.host);
    case 'manifest':
      return l10n.t('manifest');
  }
}
