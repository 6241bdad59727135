import { JsonDocument } from '../document';
import type { ExtensionFolder } from '../folder/folder';
import { parseJsonOnce } from '../json/cache';
import type { Report } from '../rule';
import { Text } from '../source/text';
import { readMessages, type EntryFault } from './catalogue';
import { BROWSER_LOCALES, canonicalLocale, fallbackLocales, isLocale } from './names';
import { localisedStrings } from './places';
import { replaceVariables, UndefinedVariableError } from './variables';

/** The folder of all catalogues. */
export const LOCALES_FOLDER = '_locales';

/** Messages that Chromium defines itself; `@@extension_id` is not among them in a manifest. */
const RESERVED: readonly [string, string][] = [
  ['@@ui_locale', BROWSER_LOCALES[0] ?? ''],
  ['@@bidi_dir', 'ltr'],
  ['@@bidi_reversed_dir', 'rtl'],
  ['@@bidi_start_edge', 'left'],
  ['@@bidi_end_edge', 'right'],
];

/** A report with the id of the rule it belongs to. */
export type LocaleReport = Report & { rule: string };

/** The path of a locale's catalogue in the folder. */
export function cataloguePath(locale: string): string {
  return `${LOCALES_FOLDER}/${locale}/messages.json`;
}

/**
 * Fills the messages of the extension into the strings of its manifest, as a browser in US English does, and reports what keeps Chromium
 * from doing so: R-LOC-NODEFAULT, R-LOC-CATALOG, R-LOC-JSON, R-LOC-CRASH and R-LOC-ENTRY of the catalogues it reads first, and R-LOC-VAR.
 * Without a `_locales` folder all strings stay as they are.
 */
export async function localise(document: JsonDocument, folder: ExtensionFolder): Promise<LocaleReport[]> {
  if (!(await folder.exists(LOCALES_FOLDER))) return [];
  const defaultLocale = document.stringAt('default_locale');
  if (defaultLocale === undefined || !isLocale(defaultLocale) || !(await isFolder(folder, defaultLocale))) {
    return [noDefault(defaultLocale)];
  }
  const messages = new Map<string, string>();
  const reports: LocaleReport[] = [];
  for (const locale of fallbackLocales(defaultLocale).toReversed()) {
    if (!(await folder.exists(`${LOCALES_FOLDER}/${locale}`))) continue;
    const loaded = await loadCatalogue(folder, locale);
    if ('report' in loaded) reports.push(loaded.report);
    else {
      const read = readMessages(loaded.document.root);
      for (const [name, text] of read.messages) messages.set(name, text);
      reports.push(...entryReports(locale, loaded.document));
    }
  }
  return reports.length > 0
    ? reports
    : [...unlocalisable(document), ...fillIn(document, new Map([...messages, ...RESERVED]))];
}

/** Everything Chromium refuses in a catalogue (R-LOC-ENTRY). */
export function entryReports(locale: string, document: JsonDocument): LocaleReport[] {
  const { messages, faults } = readMessages(document.root);
  const reserved = RESERVED.filter(([name]) => messages.has(name)).map(([name]): EntryFault => {
    const message = `The name "${name}" is Chromium's own. Rename the message.`;
    return { path: [name], text: `Reserved key ${name} found in message catalog.`, message };
  });
  const source = { file: cataloguePath(locale), document };
  return [...faults, ...reserved].map(({ path, text, message }) => ({
    ...{ rule: 'R-LOC-ENTRY', severity: 'error', message, chromium: text, path, source },
  }));
}

async function isFolder(folder: ExtensionFolder, locale: string): Promise<boolean> {
  return (await folder.stat(`${LOCALES_FOLDER}/${locale}`))?.kind === 'folder';
}

function noDefault(defaultLocale: string | undefined): LocaleReport {
  const wrong =
    defaultLocale === undefined
      ? 'There is a _locales folder, but the manifest has no "default_locale".'
      : `_locales has no folder for the default locale "${defaultLocale}".`;
  return {
    rule: 'R-LOC-NODEFAULT',
    severity: 'error',
    message: `${wrong} Name one of its folders there, such as "en" or "pt_BR" with an underscore.`,
    chromium: "Localization used, but default_locale wasn't specified in the manifest.",
    path: ['default_locale'],
  };
}

/** Chromium's text about a locale whose catalogue it wants to read. */
export function missingCatalogue(locale: string): string {
  return `Catalog file is missing for locale ${canonicalLocale(locale)}.`;
}

/** Reads and parses the catalogue of a locale whose folder is there. */
export async function loadCatalogue(
  folder: ExtensionFolder,
  locale: string,
): Promise<{ document: JsonDocument } | { report: LocaleReport }> {
  const file = cataloguePath(locale);
  const content = await folder.read(file);
  if (!('bytes' in content) && content.refused !== 'missing') {
    const message = `${file} cannot be read. Put the messages in a file of that name.`;
    const chromium = `Invalid locale file '${folder.path}/${file}': Can't read file.`;
    return { report: { rule: 'R-LOC-JSON', severity: 'error', message, chromium, path: [], source: { file } } };
  }
  if (!('bytes' in content)) {
    const message = `_locales/${locale} has no messages.json that can be read. Add it, or remove the folder.`;
    const chromium = missingCatalogue(locale);
    return { report: { rule: 'R-LOC-CATALOG', severity: 'error', message, chromium, path: [], source: { file } } };
  }
  const text = new Text(content.bytes);
  const parsed = parseJsonOnce(text);
  if ('fault' in parsed) {
    const message = `${file} is not valid JSON: ${parsed.fault.text}. Correct the text at this place.`;
    const chromium = `Invalid locale file '${folder.path}/${file}': ${parsed.fault.text}`;
    const { start, end } = parsed.fault;
    return {
      report: {
        rule: 'R-LOC-JSON',
        severity: 'error',
        message,
        chromium,
        path: [],
        source: { file, text },
        span: { start, end },
      },
    };
  }
  if (parsed.root.kind === 'dictionary') return { document: new JsonDocument(text, parsed.root) };
  const message = `${file} holds no object. Chromium does not survive this: the whole browser ends. Write its messages between { and }.`;
  return {
    report: { rule: 'R-LOC-CRASH', severity: 'error', message, path: [], source: { file, text }, span: parsed.root },
  };
}

/** Lists whose items have to be objects once the manifest is localised; the second text has no full stop. */
const LOCALISED_LISTS: readonly [string, string][] = [
  ['file_browser_handlers', "Invalid value for 'file_browser_handlers'."],
  ['input_components', "Invalid value for 'input_components'"],
];

function unlocalisable(document: JsonDocument): LocaleReport[] {
  return LOCALISED_LISTS.flatMap(([key, chromium]): LocaleReport[] => {
    const list = document.at(key);
    if (list?.kind !== 'list' || list.items.every(({ kind }) => kind === 'dictionary')) return [];
    const message = `The items of "${key}" have to be objects.`;
    return [{ rule: 'R-LOC-VAR', severity: 'error', message, chromium, path: [key] }];
  });
}

function fillIn(document: JsonDocument, messages: ReadonlyMap<string, string>): LocaleReport[] {
  const reports: LocaleReport[] = [];
  for (const { path, node } of localisedStrings(document)) {
    try {
      node.value = replaceVariables(node.value, ['__MSG_', '__'], messages);
    } catch (error) {
      if (!(error instanceof UndefinedVariableError)) throw error;
      const message = `No catalogue defines ${error.written}. Add the message to messages.json of the default locale, or correct its name.`;
      reports.push({ rule: 'R-LOC-VAR', severity: 'error', message, chromium: error.message, path });
    }
  }
  return reports;
}
