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
  if (!manifest.at('description'))
    yield hint(l10n.t('The Chrome Web Store requires a "description" (Yellow Zinc).'), 'description');
  if (!manifest.at('icons', '128'))
    yield hint(l10n.t('The Chrome Web Store requires an icon of 128 pixels (Yellow Zinc).'), 'icons', '128');
  const spam = keywordSpam(manifest.stringAt('description') ?? '');
  if (spam !== undefined) yield hint(spam, 'description');
  for (const key of ['key', 'update_url'].filter((one) => manifest.at(one)))
    yield hint(l10n.t('The Chrome Web Store writes "{0}" itself, and refuses a new upload that has one.', key), key);
});

/** Words of so many letters and more count. */
const MIN_WORD_LENGTH = 4;

/** A word may occur so often. Source: the store's examples of keyword spam. */
const MAX_SAME_WORDS = 5;

/** A list of so many names and more reads as one of keywords. */
const MIN_LIST = 6;

/** A list of short names with commas between them. */
const NAME_LIST = /(?:\p{Lu}[\p{L}\p{N}.'’-]*(?: \p{Lu}[\p{L}\p{N}.'’-]*){0,3}(?:, (?:and )?|$)){2,}/gu;

/** What the store calls keyword spam in a description; undefined where there is none. */
function keywordSpam(text: string): string | undefined {
  const counts = new Map<string, number>();
  for (const [word] of text.toLowerCase().matchAll(/[\p{L}\p{N}]+/gu)) {
    if (word.length >= MIN_WORD_LENGTH) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const [often] = [...counts].find(([, count]) => count > MAX_SAME_WORDS) ?? [];
  const reason = l10n.t('The Chrome Web Store refuses keyword spam (Yellow Argon).');
  if (often !== undefined)
    return `${l10n.t('The "description" says "{0}" more than {1} times.', often, MAX_SAME_WORDS)} ${reason}`;
  const isList = [...text.matchAll(NAME_LIST)].some(([list]) => list.split(',').length >= MIN_LIST);
  return isList ? `${l10n.t('The "description" holds a list of names.')} ${reason}` : undefined;
}

function hint(message: string, ...path: string[]): Report {
  return { severity: 'hint', message, path };
}
