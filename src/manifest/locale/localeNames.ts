import table from '../tables/locales.json';

/** The names of all locales that Chromium knows: each language, and the language with each of its scripts and regions. */
export const LOCALES: readonly string[] = Object.entries<readonly string[]>(table.languages).flatMap(
  ([language, others]) => [language, ...others.map((other) => `${language}_${other}`)],
);

const NAMES: ReadonlySet<string> = new Set(LOCALES);

/** True for a folder of `_locales` that Chromium reads; it ignores all others. Source: R-LOC-NODEFAULT, the table from Chromium 156. */
export function isLocale(name: string): boolean {
  return NAMES.has(name);
}

const NAMES_IN_ANY_CASE: ReadonlySet<string> = new Set(LOCALES.map((name) => name.toLowerCase()));

/** True for a folder of `_locales` in which Chromium requires a catalogue, in whatever case it is written. Measured on Chromium 156. */
export function isLocaleInAnyCase(name: string): boolean {
  return NAMES_IN_ANY_CASE.has(name.toLowerCase());
}

/** Languages whose codes were changed. */
const RENAMED: ReadonlyMap<string, string> = new Map([
  ['in', 'id'],
  ['iw', 'he'],
  ['ji', 'yi'],
  ['mo', 'ro'],
  ['tl', 'fil'],
]);
const SCRIPT_LENGTH = 4;

/** The spelling of a locale in Chromium's texts: `pt_BR` and `pt-br` are `pt-BR`, `iw` is `he`. Measured on Chromium 156. */
export function canonicalLocale(name: string): string {
  const [language = '', ...subtags] = name.replace(/\..*$/, '').toLowerCase().split(/[-_]/);
  const spelt = subtags.map((subtag) =>
    subtag.length === SCRIPT_LENGTH ? subtag.charAt(0).toUpperCase() + subtag.slice(1) : subtag.toUpperCase(),
  );
  return [RENAMED.get(language) ?? language, ...spelt].join('-');
}

const MAX_LENGTH = 255;

/**
 * True for the syntax of a locale: a language of up to three letters before the first hyphen, parts of up to eight after it, and keywords
 * after an at sign. Source: l10n_util::IsValidLocaleSyntax of Chromium.
 */
export function isLocaleSyntax(text: string): boolean {
  if (text.length < 2 || text.length > MAX_LENGTH) return false;
  const at = text.indexOf('@');
  const prefix = (at < 0 ? text : text.slice(0, at)).replaceAll('-', '_');
  if (at >= 0 && !/^@.+=.+$/.test(text.slice(at))) return false;
  return /^[A-Za-z]{1,3}(_[A-Za-z0-9]{1,8})*$/.test(prefix);
}

/** The locales of a browser in US English, as those of the service are: a catalogue of one of them takes precedence over the default locale. */
export const BROWSER_LOCALES: readonly string[] = ['en_US', 'en'];

/** The locales whose catalogues localise the manifest, by falling precedence. Source: Chromium's extension_l10n_util. */
export function fallbackLocales(defaultLocale: string): readonly string[] {
  if (defaultLocale === BROWSER_LOCALES[0]) return [defaultLocale];
  return [...BROWSER_LOCALES.filter((name) => name !== defaultLocale), defaultLocale];
}
