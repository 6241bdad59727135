import * as l10n from '@vscode/l10n';
import { KEYS, unavailable } from '../availability';
import { fixed, renameFix, workerFix } from '../fixes';
import { adviceForUnknown, MAX_HINTS, nearest } from '../folder/similar';
import { caution } from '../refusal';
import type { Report, Rule } from '../rule';

/** The keys with their paths. */
const KEY_PATHS = [...KEYS].map(([key, entry]) => [key, entry, key.split('.')] as const);

/** R-AVAIL: Chromium ignores keys that this kind of package may not use, with a warning. Measured on Chromium 156. */
export const availabilityRule: Rule = {
  id: 'R-AVAIL',
  stage: 'keys',
  check(context) {
    const reports: Report[] = [];
    for (const [key, entry, path] of KEY_PATHS) {
      if (!context.document.at(...path)) continue;
      const text = unavailable(key, entry, context);
      if (text === undefined) continue;
      const fix = key === 'background.scripts' ? fixed(workerFix(context.document)) : {};
      reports.push({
        ...caution(text, l10n.t('Chromium ignores "{0}". {1}', key, explainUnavailable(text)), path),
        ...fix,
      });
    }
    return reports;
  },
};

/** What it means that a key or permission is not available, by Chromium's text about it. */
export function explainUnavailable(text: string): string {
  if (text.includes('or lower'))
    return l10n.t('It belongs to manifest version 2. Replace it by its successor, or remove it.');
  if (text.includes('at least')) return l10n.t('It needs manifest version 3.');
  if (text.includes('platform')) return l10n.t('Browsers on Linux do not have it.');
  if (text.includes('only allowed for')) return l10n.t('It is for another kind of package.');
  if (text.includes('flag') || text.includes('switch')) return l10n.t('It is switched off in the browser.');
  return l10n.t('It is reserved for extensions of the browser’s vendor.');
}

/** Chromium's texts call it a key of apps, but apps of version 3 may not have it. */
const UNKNOWN_TO_APPS = 'file_handlers';

/** R-UNKNOWN: Chromium ignores an unknown key at the top with a warning, unknown nested keys without one. Measured on Chromium 156. */
export const unknownKeyRule: Rule = {
  id: 'R-UNKNOWN',
  stage: 'keys',
  *check({ document, packageType, manifestVersion }) {
    let hints = 0;
    for (const key of document.root.members.keys()) {
      const isNewApp = packageType === 'platform app' && manifestVersion >= 3;
      if (KEYS.has(key) && !(isNewApp && key === UNKNOWN_TO_APPS)) continue;
      const meant = hints++ < MAX_HINTS ? nearest(key, KEYS.keys()) : undefined;
      const fix = meant === undefined ? undefined : renameFix(document, [key], meant);
      const report = caution(
        `Unrecognized manifest key '${key}'.`,
        l10n.t('Chromium ignores the unknown key "{0}". {1}', key, adviceForUnknown(meant)),
        [key],
      );
      yield fix ? { ...report, fix } : report;
    }
  },
};
