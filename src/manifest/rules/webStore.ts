import * as l10n from '@vscode/l10n';
import type { JsonPath } from '../finding';
import type { Context, Report, Rule } from '../rule';
import { parseVersionNumber } from '../values/version';

/** Limits of the Chrome Web Store, in characters. Source: its documentation of the manifest. */
const MAX_NAME_LENGTH = 75;
const MAX_DESCRIPTION_LENGTH = 132;
const MAX_VERSION_PART = 65535;

/** R-STORE: what the Chrome Web Store refuses, although Chromium loads it. Hints, only on request. Sideload's own. */
export const webStoreRule: Rule = {
  id: 'R-STORE',
  phase: 'delivery',
  check(context) {
    return context.options.storeHints ? [...tooLong(context), ...versionHints(context), ...keyHints(context)] : [];
  },
};

function hint(message: string, path: JsonPath): Report {
  return { severity: 'hint', message, path };
}

function tooLong({ manifest, name }: Context): Report[] {
  const limits: [string, string | undefined, number][] = [
    ['name', name, MAX_NAME_LENGTH],
    ['description', manifest.stringAt('description'), MAX_DESCRIPTION_LENGTH],
  ];
  return limits.flatMap(([key, text, max]) => {
    if ([...(text ?? '')].length <= max) return [];
    return [hint(l10n.t('The Chrome Web Store accepts a {0} of up to {1} characters.', key, max), [key])];
  });
}

function versionHints({ manifest }: Context): Report[] {
  const numbers = parseVersionNumber(manifest.stringAt('version') ?? '') ?? [];
  const hints: Report[] = [];
  if (numbers.some((number) => number > MAX_VERSION_PART)) {
    hints.push(
      hint(l10n.t('The Chrome Web Store accepts versions with numbers up to {0}.', MAX_VERSION_PART), ['version']),
    );
  }
  if (numbers.length > 0 && numbers.every((number) => number === 0)) {
    hints.push(hint(l10n.t('The Chrome Web Store accepts no version that is all zeros.'), ['version']));
  }
  return hints;
}

function keyHints({ manifest }: Context): Report[] {
  const hints: Report[] = [];
  if (!manifest.at('description'))
    hints.push(hint(l10n.t('The Chrome Web Store requires a "description".'), ['description']));
  if (!manifest.at('icons', '128'))
    hints.push(hint(l10n.t('The Chrome Web Store requires an icon of 128 pixels.'), ['icons', '128']));
  for (const key of ['key', 'update_url']) {
    if (manifest.at(key))
      hints.push(
        hint(l10n.t('The Chrome Web Store writes "{0}" itself, and refuses a new upload that has one.', key), [key]),
      );
  }
  return hints;
}
