import * as l10n from '@vscode/l10n';
import type { PackageType } from '../packageType';
import type { Proposal } from '../proposal';
import { caution, refusal } from '../refusal';
import { ruleOf } from '../rule';

/** The end of Chromium's texts, which name another page for platform apps. */
function see(type: PackageType): string {
  const section = type === 'platform app' ? 'apps' : 'extensions';
  return `See developer.chrome.com/${section}/manifestVersion for details.`;
}

const NEWEST = 3;

const PATH = ['manifest_version'];

/** Replaces the version that is written by the newest one. */
const NEWEST_INSTEAD: Proposal = { do: 'replace', by: NEWEST };

/** R-MV-MISSING: every package but a platform app needs a manifest version. Measured on Chromium 156. */
export const missingManifestVersionRule = ruleOf('R-MV-MISSING', 'keys', ({ document, packageType }) => {
  if (document.at(...PATH) || packageType === 'platform app') return [];
  const text = `Missing 'manifest_version' key. Its value must be an integer either 2 or 3. ${see(packageType)}`;
  const message = l10n.t('The manifest has no "manifest_version". Add "manifest_version": 3.');
  return refusal(text, message, PATH, { fix: { do: 'add', value: NEWEST } });
});

/** R-MV-TYPE: an integer, 2 or more; `3.0` is not an integer. Measured on Chromium 156. */
export const manifestVersionTypeRule = ruleOf('R-MV-TYPE', 'keys', ({ document, packageType }) => {
  const value = document.at(...PATH);
  if (!value || (value.kind === 'integer' && value.value >= 2)) return [];
  const text = `Invalid value for 'manifest_version'. Must be an integer either 2 or 3. ${see(packageType)}`;
  const message = l10n.t(
    'The value of "manifest_version" has to be the number 3, without quotes, fraction or exponent.',
  );
  return refusal(text, message, PATH, { fix: NEWEST_INSTEAD });
});

/** R-MV4: Chromium warns of a version above 3 and treats it like 3. Measured on Chromium 156. */
export const futureManifestVersionRule = ruleOf('R-MV4', 'keys', ({ document }) => {
  const value = document.at(...PATH);
  if (value?.kind !== 'integer' || value.value <= NEWEST) return [];
  const text = `The maximum currently-supported manifest version is ${NEWEST}, but this is ${value.value}.  Certain features may not work as expected.`;
  const message = l10n.t('There is no manifest version {0} yet. Write "manifest_version": 3.', value.value);
  return caution(text, message, PATH, { fix: NEWEST_INSTEAD });
});

/** R-MV2: Chromium refuses extensions of version 2, after all other faults; themes, apps and shared modules load. Measured on Chromium 156. */
export const oldManifestVersionRule = ruleOf('R-MV2', 'policy', ({ document, packageType, isUserScript }) => {
  const value = document.at(...PATH);
  if (value?.kind !== 'integer' || value.value !== 2 || (packageType !== 'extension' && !isUserScript)) return [];
  const text = 'Cannot install extension because it uses an unsupported manifest version.';
  const message = l10n.t(
    'Chromium no longer loads extensions of manifest version 2. Port it to version 3 and write "manifest_version": 3.',
  );
  return refusal(text, message, PATH, { fix: { ...NEWEST_INSTEAD, isGuess: true } });
});
