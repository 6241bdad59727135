import * as l10n from '@vscode/l10n';
import {
  cataloguePath,
  entryReports,
  isFolder,
  isLoaded,
  loadCatalogue,
  LOCALES_FOLDER,
  missingCatalogue,
} from '../locale/localise';
import { canonicalLocale, fallbackLocales, isLocale, isLocaleInAnyCase, isLocaleSyntax } from '../locale/localeNames';
import { refusal } from '../refusal';
import { keyRule, ruleOf, type Context, type Report } from '../rule';

/** R-LOC-TYPE: a locale in quotes, checked when there is no _locales folder. Measured on Chromium 156. */
export const defaultLocaleRule = keyRule('R-LOC-TYPE', 'default_locale', async (node, { folder, options }) => {
  if (node.kind === 'string' && isLocaleSyntax(node.value)) return [];
  if (await isLoaded(folder, LOCALES_FOLDER, options.loadedBy)) return [];
  const text = 'Invalid value for default locale - locale name must be a string.';
  const message = l10n.t('"default_locale" has to be the name of a folder in _locales, such as "en".');
  return refusal(text, message, ['default_locale']);
});

/** R-LOC-NOTREE: a default locale without a _locales folder. Measured on Chromium 156. */
export const missingLocalesRule = ruleOf('R-LOC-NOTREE', 'files', async ({ manifest, folder, options }) => {
  const locale = manifest.stringAt('default_locale');
  if (locale === undefined || !isLocaleSyntax(locale)) return [];
  if (await isLoaded(folder, LOCALES_FOLDER, options.loadedBy)) return [];
  const message = l10n.t(
    'The manifest has a "default_locale", but there is no _locales folder. Add {0}, or remove the key.',
    cataloguePath(locale),
  );
  return refusal('Default locale was specified, but _locales subtree is missing.', message, ['default_locale']);
});

/** Names of the folders and links in `_locales`, without those whose catalogues localise the manifest. */
async function localeFolders({ manifest, folder }: Context): Promise<string[]> {
  const chosen = manifest.stringAt('default_locale');
  if (!chosen) return [];
  const entries = await folder.entries(LOCALES_FOLDER);
  return entries
    .filter(({ name, kind }) => kind !== 'file' && !fallbackLocales(chosen).includes(name))
    .map(({ name }) => name)
    .sort();
}

/** Locales with a folder whose catalogue does not localise the manifest. */
async function otherLocales(context: Context): Promise<string[]> {
  const names = await localeFolders(context);
  return names.filter(isLocale);
}

/**
 * R-LOC-CATALOG: every folder of a locale needs a catalogue, even one whose spelling Chromium does not read, such as `pt-BR`, `EN` or
 * `iw`; Chromium reports those last. It ignores files, and links that lead to one. Measured on Chromium 156.
 */
export const missingCatalogueRule = ruleOf('R-LOC-CATALOG', 'files', async (context) => {
  const { folder, options } = context;
  const [read, unread]: [Report[], Report[]] = [[], []];
  for (const locale of await localeFolders(context)) {
    const isRead = isLocaleInAnyCase(locale);
    if (!isRead && !isLocale(canonicalLocale(locale).replaceAll('-', '_'))) continue;
    const file = cataloguePath(locale);
    if ((await folder.exists(file)) || !(await isFolder(folder, locale))) continue;
    if (!(await isLoaded(folder, `${LOCALES_FOLDER}/${locale}`, options.loadedBy))) continue;
    const chromium = isRead ? `Messages file is missing for locale. ${folder.path}/${file}` : missingCatalogue(locale);
    const message = l10n.t('_locales/{0} has no messages.json. Add it, or remove the folder.', locale);
    (isRead ? read : unread).push(refusal(chromium, message, [], { source: { file } }));
  }
  return [...read, ...unread];
});

/**
 * R-LOC-JSON and R-LOC-ENTRY of the other locales: Chromium reports the first fault of each in one text. Measured on Chromium 156.
 */
export const otherCatalogueRule = ruleOf('R-LOC-JSON', 'catalogues', async (context) => {
  const reports: Report[] = [];
  const texts: string[] = [];
  for (const locale of await otherLocales(context)) {
    if (!(await context.folder.exists(cataloguePath(locale)))) continue;
    const loaded = await loadCatalogue(context.folder, locale);
    const found = 'report' in loaded ? [loaded.report] : entryReports(locale, loaded.document);
    reports.push(...found.map(({ chromium: _chromium, ...report }) => report));
    const chromium = found[0]?.chromium;
    if (chromium === undefined) continue;
    const shown = `${context.folder.path}/${cataloguePath(locale.replaceAll('_', '-'))}`;
    texts.push(`Invalid locale file '${shown}': ${chromium}`);
  }
  const [first, ...rest] = reports;
  return first && texts.length > 0 ? [{ ...first, chromium: texts.join('\n') }, ...rest] : reports;
});
