import * as l10n from '@vscode/l10n';
import type { SmokeTestId } from '../../programs/headless/smokeNames';

/** What a smoke test shows, for people. */
export function testTitle(id: SmokeTestId): string {
  switch (id) {
    case 'loads':
      return l10n.t('Chromium loads it');
    case 'worker':
      return l10n.t('Its service worker starts');
    case 'alone':
      return l10n.t('No other copy of it runs');
    case 'wakes':
      return l10n.t('Its service worker starts again after an idle stop');
    case 'popup':
      return l10n.t('Its popup opens without an error');
    case 'options':
      return l10n.t('Its options page opens without an error');
    case 'sidePanel':
      return l10n.t('Its side panel opens without an error');
    case 'content':
      return l10n.t('Its content scripts run on a page that matches');
    case 'quiet':
      return l10n.t('It has no error for 5 s');
  }
}
