import * as l10n from '@vscode/l10n';
import type { SmokeTestId } from '../../programs/headless/smokeNames';

/** What a smoke test shows, for people. */
export function testTitle(id: SmokeTestId): string {
  return {
    loads: l10n.t('Chromium loads it'),
    worker: l10n.t('Its service worker starts'),
    alone: l10n.t('No other copy of it runs'),
    wakes: l10n.t('Its service worker starts again after an idle stop'),
    popup: l10n.t('Its popup opens without an error'),
    options: l10n.t('Its options page opens without an error'),
    sidePanel: l10n.t('Its side panel opens without an error'),
    content: l10n.t('Its content scripts run on a page that matches'),
    quiet: l10n.t('It has no error for 5 s'),
  }[id];
}
