import table from '../tables/locales.json';

const NAMES: ReadonlySet<string> = new Set(table.locales);

/** True for a folder of `_locales` that Chromium looks into; it ignores all others. Source: R-LOC-NODEFAULT, the table from Chromium 156. */
export function isLocale(name: string): boolean {
  return NAMES.has(name);
}

const MAX_LENGTH = 255;

/**
 * True for what could be the name of a locale: a language of up to three letters before the first hyphen, parts of up to eight after it, and
 * keywords after an at sign. Source: l10n_util::IsValidLocaleSyntax of Chromium.
 */
export function isLocaleSyntax(text: string): boolean {
  if (text.length < 2 || text.length > MAX_LENGTH) return false;
  const at = text.indexOf('@');
  const prefix = (at < 0 ? text : text.slice(0, at)).replaceAll('-', '_');
  if (at >= 0 && !/^@.+=.+$/.test(text.slice(at))) return false;
  return /^[A-Za-z]{1,3}(_[A-Za-z0-9]{1,8})*$/.test(prefix);
}

/** The languages of the service's browsers, which speak US English: a catalogue of one of them wins over the extension's default. */
export const BROWSER_LOCALES: readonly string[] = ['en_US', 'en'];

/** The locales whose catalogues fill in the manifest, the strongest first. Source: Chromium's extension_l10n_util. */
export function fallbackLocales(defaultLocale: string): readonly string[] {
  if (defaultLocale === BROWSER_LOCALES[0]) return [defaultLocale];
  return [...BROWSER_LOCALES.filter((name) => name !== defaultLocale), defaultLocale];
}
