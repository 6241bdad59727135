import type { JsonPath } from '../finding';
import type { Context, Report, Rule } from '../rule';
import { parseVersionNumber } from '../values/version';

/** Limits of the Chrome Web Store, in characters. Source: its documentation of the manifest. */
const MAX_NAME_LENGTH = 75;
const MAX_DESCRIPTION_LENGTH = 132;
const MAX_VERSION_PART = 65535;

/** R-STORE: what the Chrome Web Store refuses, although Chromium loads it. Hints, and only where they are wanted. Sideload's own. */
export const webStoreRule: Rule = {
  id: 'R-STORE',
  stage: 'delivery',
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
    return [hint(`The Chrome Web Store takes a ${key} of up to ${max} characters.`, [key])];
  });
}

function versionHints({ manifest }: Context): Report[] {
  const numbers = parseVersionNumber(manifest.stringAt('version') ?? '') ?? [];
  const hints: Report[] = [];
  if (numbers.some((part) => part > MAX_VERSION_PART)) {
    hints.push(hint(`The Chrome Web Store takes versions with numbers up to ${MAX_VERSION_PART}.`, ['version']));
  }
  if (numbers.length > 0 && numbers.every((part) => part === 0)) {
    hints.push(hint('The Chrome Web Store takes no version that is all zeros.', ['version']));
  }
  return hints;
}

function keyHints({ manifest }: Context): Report[] {
  const hints: Report[] = [];
  if (!manifest.at('description')) hints.push(hint('The Chrome Web Store wants a "description".', ['description']));
  if (!manifest.at('icons', '128'))
    hints.push(hint('The Chrome Web Store wants an icon of 128 pixels.', ['icons', '128']));
  for (const key of ['key', 'update_url']) {
    if (manifest.at(key))
      hints.push(hint(`The Chrome Web Store writes "${key}" itself, and refuses a new upload that has one.`, [key]));
  }
  return hints;
}
