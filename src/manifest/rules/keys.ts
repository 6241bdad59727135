import { KEYS, unavailable } from '../availability';
import { fixed, renameFix, workerFix } from '../fixes';
import { MAX_HINTS, nearest } from '../folder/similar';
import { caution } from '../refusal';
import type { Report, Rule } from '../rule';

/** R-AVAIL: a key that this kind of package may not use is not looked into, with a warning. Measured on Chromium 156. */
export const availabilityRule: Rule = {
  id: 'R-AVAIL',
  stage: 'keys',
  check(context) {
    const reports: Report[] = [];
    for (const [key, entry] of KEYS) {
      const path = key.split('.');
      if (!context.document.at(...path)) continue;
      const text = unavailable(key, entry, context);
      if (text === undefined) continue;
      const fix = key === 'background.scripts' ? fixed(workerFix(context.document)) : {};
      reports.push({ ...caution(text, `Chromium ignores "${key}": ${explain(text)}`, path), ...fix });
    }
    return reports;
  },
};

function explain(text: string): string {
  if (text.includes('or lower')) return 'it belongs to manifest version 2. Replace it by its successor, or remove it.';
  if (text.includes('at least')) return 'it needs manifest version 3.';
  if (text.includes('platform')) return 'browsers on Linux do not have it.';
  if (text.includes('only allowed for')) return 'it is for another kind of package.';
  if (text.includes('flag') || text.includes('switch')) return 'it is switched off in the browser.';
  return 'it is reserved for extensions of the browser’s maker.';
}

/** Chromium speaks of it as a key of apps, but does not know it in those of version 3. */
const UNKNOWN_TO_APPS = 'file_handlers';

/** R-UNKNOWN: an unknown key at the top is ignored with a warning; unknown keys further in, in silence. Measured on Chromium 156. */
export const unknownKeyRule: Rule = {
  id: 'R-UNKNOWN',
  stage: 'keys',
  check({ document, packageType, manifestVersion }) {
    const reports: Report[] = [];
    for (const key of document.root.members.keys()) {
      const isNewApp = packageType === 'platform app' && manifestVersion >= 3;
      if (KEYS.has(key) && !(isNewApp && key === UNKNOWN_TO_APPS)) continue;
      const meant = reports.length < MAX_HINTS ? nearest(key, KEYS.keys()) : undefined;
      const advice = meant === undefined ? 'Remove it, or correct its name.' : `Did you mean "${meant}"?`;
      const fix = meant === undefined ? undefined : renameFix(document, [key], meant);
      const report = caution(
        `Unrecognized manifest key '${key}'.`,
        `Chromium knows no key "${key}" and ignores it. ${advice}`,
        [key],
      );
      reports.push(fix ? { ...report, fix } : report);
    }
    return reports;
  },
};
