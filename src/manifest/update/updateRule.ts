import * as l10n from '@vscode/l10n';
import { ruleOf, type Report } from '../rule';
import { parsedManifest } from './manifestText';
import { permissionChange, type PermissionCause } from './permissionChange';

/**
 * R-UPDATE: what asks those for more who have the published version. Hints, only where that version is known; none when its manifest
 * cannot be read. Sideload's own, by Chromium's rule.
 */
export const updateRule = ruleOf('R-UPDATE', 'delivery', ({ document, options }) => {
  const published = options.publishedManifest === undefined ? undefined : parsedManifest(options.publishedManifest);
  if (!published) return [];
  return permissionChange(published, document).causes.map((cause): Report => ({
    severity: 'hint',
    message: messageOf(cause),
    path: cause.path,
  }));
});

function messageOf({ name, warning }: PermissionCause): string {
  return warning === undefined
    ? l10n.t('After an update with "{0}" the extension is off for all who have it, until they agree.', name)
    : l10n.t(
        'After an update with "{0}" the extension is off for all who have it, until they agree to this: {1}.',
        name,
        warning.replace(/\.$/, ''),
      );
}
