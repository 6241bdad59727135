import * as l10n from '@vscode/l10n';
import type { PackageType } from '../packageType';
import { ruleOf } from '../rule';

/** The end of Chromium's texts, which name another page for platform apps. */
function see(type: PackageType): string {
  const section = type === 'platform app' ? 'apps' : 'extensions';
  return `See developer.chrome.com/${section}/manifestVersion for details.`;
}

const NEWEST = 3;

/** R-MV-MISSING: every package but a platform app needs a manifest version. Measured on Chromium 156. */
export const missingManifestVersionRule = ruleOf('R-MV-MISSING', 'keys', ({ document, packageType }) => {
  if (document.at('manifest_version') || packageType === 'platform app') return [];
  return {
    severity: 'error',
    message: l10n.t('The manifest has no "manifest_version". Add "manifest_version": 3.'),
    chromium: `Missing 'manifest_version' key. Its value must be an integer either 2 or 3. ${see(packageType)}`,
    path: ['manifest_version'],
    fix: { do: 'add', value: NEWEST },
  };
});

/** R-MV-TYPE: an integer, 2 or more; `3.0` is not an integer. Measured on Chromium 156. */
export const manifestVersionTypeRule = ruleOf('R-MV-TYPE', 'keys', ({ document, packageType }) => {
  const value = document.at('manifest_version');
  if (!value || (value.kind === 'integer' && value.value >= 2)) return [];
  return {
    severity: 'error',
    message: l10n.t('The value of "manifest_version" has to be the number 3, without quotes, fraction or exponent.'),
    chromium: `Invalid value for 'manifest_version'. Must be an integer either 2 or 3. ${see(packageType)}`,
    path: ['manifest_version'],
    fix: { do: 'replace', by: NEWEST },
  };
});

/** R-MV4: Chromium warns of a version above 3 and treats it like 3. Measured on Chromium 156. */
export const futureManifestVersionRule = ruleOf('R-MV4', 'keys', ({ document }) => {
  const value = document.at('manifest_version');
  if (value?.kind !== 'integer' || value.value <= NEWEST) return [];
  return {
    severity: 'warning',
    message: l10n.t('There is no manifest version {0} yet. Write "manifest_version": 3.', value.value),
    chromium: `The maximum currently-supported manifest version is ${NEWEST}, but this is ${value.value}.  Certain features may not work as expected.`,
    path: ['manifest_version'],
    fix: { do: 'replace', by: NEWEST },
  };
});

/** R-MV2: Chromium refuses extensions of version 2, after all other faults; themes, apps and shared modules load. Measured on Chromium 156. */
export const oldManifestVersionRule = ruleOf('R-MV2', 'policy', ({ document, packageType, isUserScript }) => {
  const value = document.at('manifest_version');
  if (value?.kind !== 'integer' || value.value !== 2 || (packageType !== 'extension' && !isUserScript)) return [];
  return {
    severity: 'error',
    message: l10n.t(
      'Chromium no longer loads extensions of manifest version 2. Port it to version 3 and write "manifest_version": 3.',
    ),
    chromium: 'Cannot install extension because it uses an unsupported manifest version.',
    path: ['manifest_version'],
    fix: { do: 'replace', by: NEWEST, isGuess: true },
  };
});
