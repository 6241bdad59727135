import * as l10n from '@vscode/l10n';
import { ruleOf, type Report } from '../rule';
import { parseVersionNumber } from '../values/version';

/** Limits of the Chrome Web Store, in characters. Source: its documentation of the manifest. */
const MAX_NAME_LENGTH = 75;
const MAX_DESCRIPTION_LENGTH = 132;
const MAX_VERSION_PART = 65535;

/** R-STORE: what the Chrome Web Store refuses, although Chromium loads it. Hints, only on request. Sideload's own. */
export const webStoreRule = ruleOf('R-STORE', 'delivery', function* ({ manifest, name, options }) {
  if (!options.storeHints) return;
  const limits: [string, string | undefined, number][] = [
    ['name', name, MAX_NAME_LENGTH],
    ['description', manifest.stringAt('description'), MAX_DESCRIPTION_LENGTH],
  ];
  for (const [key, text, max] of limits) {
    if ([...(text ?? '')].length > max)
      yield hint(l10n.t('The Chrome Web Store accepts a {0} of up to {1} characters.', key, max), key);
  }
  const numbers = parseVersionNumber(manifest.stringAt('version') ?? '') ?? [];
  if (numbers.some((part) => part > MAX_VERSION_PART))
    yield hint(l10n.t('The Chrome Web Store accepts versions with numbers up to {0}.', MAX_VERSION_PART), 'version');
  if (numbers.length > 0 && numbers.every((part) => part === 0))
    yield hint(l10n.t('The Chrome Web Store accepts no version that is all zeros.'), 'version');
  if (!manifest.at('description')) yield hint(l10n.t('The Chrome Web Store requires a "description".'), 'description');
  if (!manifest.at('icons', '128'))
    yield hint(l10n.t('The Chrome Web Store requires an icon of 128 pixels.'), 'icons', '128');
  for (const key of ['key', 'update_url'].filter((one) => manifest.at(one)))
    yield hint(l10n.t('The Chrome Web Store writes "{0}" itself, and refuses a new upload that has one.', key), key);
});

function hint(message: string, ...path: string[]): Report {
  return { severity: 'hint', message, path };
}
