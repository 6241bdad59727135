import * as l10n from '@vscode/l10n';

/** A sentence about what the value of a key has to be. */
export type Wanted = (key: string) => string;

/** The sentences of the rules, by what a value has to be. */
export const WANTED = {
  boolean: (key) => l10n.t('"{0}" has to be true or false.', key),
  file: (key) => l10n.t('"{0}" has to be the name of a file in the folder.', key),
  list: (key) => l10n.t('"{0}" has to be a list.', key),
  object: (key) => l10n.t('"{0}" has to be an object.', key),
  page: (key) => l10n.t('"{0}" has to be the name of a page in the folder.', key),
  string: (key) => l10n.t('"{0}" has to be a string in quotes.', key),
  handlers: (key) => l10n.t('Each handler in "{0}" has to be an object.', key),
  icon: (key) => l10n.t('"{0}" has to be the name of a picture in the folder.', key),
  items: (key) => l10n.t('"{0}" has to be a list that is not empty.', key),
  language: (key) => l10n.t('"{0}" has to be a language such as "en-US".', key),
  patterns: (key) => l10n.t('"{0}" has to be a list of match patterns for http or https.', key),
  pixels: (key) => l10n.t('"{0}" has to be a number of pixels.', key),
  policies: (key) =>
    l10n.t('"{0}" has to be an object such as {1}.', key, '{"extension_pages": "script-src \'self\'"}'),
  policy: (key) => l10n.t('"{0}" has to be a string on one line, without commas.', key),
  sandbox: (key) => l10n.t('"{0}" has to be a policy with the directive sandbox and without allow-same-origin.', key),
  text: (key) => l10n.t('"{0}" has to be a string that is not empty.', key),
  voices: (key) => l10n.t('"{0}" has to be a list of objects.', key),
  webAddress: (key) => l10n.t('"{0}" has to be a web address.', key),
} as const satisfies Record<string, Wanted>;

/** The sentence about a value that is one of a few. */
export function oneOf(values: Iterable<string>): Wanted {
  return (key) => l10n.t('"{0}" has to be one of {1}.', key, [...values].join(', '));
}
