import * as l10n from '@vscode/l10n';

/** A sentence about what the value of a key has to be. */
export type Wanted = (key: string) => string;

/** The sentences that several rules have. */
export const WANTED = {
  boolean: (key) => l10n.t('"{0}" has to be true or false.', key),
  file: (key) => l10n.t('"{0}" has to be the name of a file in the folder.', key),
  list: (key) => l10n.t('"{0}" has to be a list.', key),
  object: (key) => l10n.t('"{0}" has to be an object.', key),
  page: (key) => l10n.t('"{0}" has to be the name of a page in the folder.', key),
  string: (key) => l10n.t('"{0}" has to be a string in quotes.', key),
} as const satisfies Record<string, Wanted>;

/** The sentence about a value that is one of a few. */
export function oneOf(values: Iterable<string>): Wanted {
  return (key) => l10n.t('"{0}" has to be one of {1}.', key, [...values].join(', '));
}
