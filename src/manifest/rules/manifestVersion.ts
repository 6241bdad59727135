import { addFix } from '../fixes';
import type { PackageType } from '../packageType';
import type { Report, Rule } from '../rule';

/** Chromium refers platform apps to another page. */
function see(type: PackageType): string {
  const section = type === 'platform app' ? 'apps' : 'extensions';
  return `See developer.chrome.com/${section}/manifestVersion for details.`;
}

const NEWEST = 3;

/** R-MV-MISSING: everything but a platform app needs it. Measured on Chromium 156. */
export const missingManifestVersionRule: Rule = {
  id: 'R-MV-MISSING',
  stage: 'keys',
  check({ document, packageType }) {
    if (document.at('manifest_version') || packageType === 'platform app') return [];
    return [
      {
        severity: 'error',
        message: 'The manifest has no "manifest_version". Add "manifest_version": 3.',
        chromium: `Missing 'manifest_version' key. Its value must be an integer either 2 or 3. ${see(packageType)}`,
        path: ['manifest_version'],
        fix: addFix(document, 'manifest_version', NEWEST),
      },
    ];
  },
};

/** R-MV-TYPE: a whole number written as such, 2 or more. Measured on Chromium 156. */
export const manifestVersionTypeRule: Rule = {
  id: 'R-MV-TYPE',
  stage: 'keys',
  check({ document, packageType }) {
    const value = document.at('manifest_version');
    if (!value || (value.kind === 'integer' && value.value >= 2)) return [];
    return [
      {
        severity: 'error',
        message: 'The value of "manifest_version" has to be the number 3, without quotes, fraction or exponent.',
        chromium: `Invalid value for 'manifest_version'. Must be an integer either 2 or 3. ${see(packageType)}`,
        path: ['manifest_version'],
      },
    ];
  },
};

/** R-MV4: a number above 3 loads with a warning, and is then treated like 3. Measured on Chromium 156. */
export const futureManifestVersionRule: Rule = {
  id: 'R-MV4',
  stage: 'keys',
  check({ document }) {
    const value = document.at('manifest_version');
    if (value?.kind !== 'integer' || value.value <= NEWEST) return [];
    return [
      {
        severity: 'warning',
        message: `There is no manifest version ${value.value} yet. Write "manifest_version": 3.`,
        chromium: `The maximum currently-supported manifest version is ${NEWEST}, but this is ${value.value}.  Certain features may not work as expected.`,
        path: ['manifest_version'],
      },
    ];
  },
};

/** R-MV2: refused for extensions, and only once all else is right; themes, apps and shared modules load. Measured on Chromium 156. */
export const oldManifestVersionRule: Rule = {
  id: 'R-MV2',
  stage: 'policy',
  check({ document, packageType, isUserScript }): Report[] {
    const value = document.at('manifest_version');
    if (value?.kind !== 'integer' || value.value !== 2 || (packageType !== 'extension' && !isUserScript)) return [];
    return [
      {
        severity: 'error',
        message:
          'Chromium no longer loads extensions of manifest version 2. Port it to version 3 and write "manifest_version": 3.',
        chromium: 'Cannot install extension because it uses an unsupported manifest version.',
        path: ['manifest_version'],
      },
    ];
  },
};
