import * as l10n from '@vscode/l10n';
import { RecentMap } from '../../base/recentMap';
import { JsonDocument } from '../document';
import type { ExtensionFolder, WalkedEntry } from '../folder/folder';
import type { JsonPath } from '../finding';
import { proposing, type Proposal } from '../proposal';
import { refusal, type More } from '../refusal';
import type { Report, RuleOptions } from '../rule';
import { contentKey } from '../source/contentKey';
import { Text } from '../source/text';
import { readMessages, type EntryFault } from './catalogue';
import { BROWSER_LOCALES, canonicalLocale, fallbackLocales, isLocale } from './localeNames';
import { localisedStrings } from './places';
import { replaceVariables, UndefinedVariableError } from './variables';
import { parseJson, type ParseResult } from '../json/parse';

/** The number of texts in the cache; the least recently used one is dropped. */
const MAX_TEXTS = 200;

/** Larger texts are not cached: one of them would take more memory than all catalogues together. */
const MAX_BYTES = 256 * 1024;

const parsed = new RecentMap<string, ParseResult>(MAX_TEXTS);

/**
 * As `parseJson`, with a cache: catalogues and rulesets do not change while a manifest is typed. The nodes are shared and must not be
 * modified.
 */
function parseJsonOnce(text: Text): ParseResult {
  if (text.bytes.length > MAX_BYTES) return parseJson(text);
  return parsed.latest(contentKey('json', text.bytes), () => parseJson(text));
}

/** The folder of all catalogues. */
export const LOCALES_FOLDER = '_locales';

/** Messages that Chromium defines; `@@extension_id` is not defined in a manifest. */
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
 * Replaces the messages in the strings of a manifest, as a browser in US English does, and reports the faults that keep Chromium from doing
 * so: R-LOC-NODEFAULT, R-LOC-CATALOG, R-LOC-JSON, R-LOC-CRASH and R-LOC-ENTRY of the catalogues it reads first, and R-LOC-VAR. Without a
 * `_locales` folder nothing is replaced, nor with one that is not delivered and that the manifest does not need.
 */
export async function localise(
  document: JsonDocument,
  folder: ExtensionFolder,
  { loadedBy, isDelivered }: Pick<RuleOptions, 'loadedBy' | 'isDelivered'>,
): Promise<LocaleReport[]> {
  if (!(await isLoaded(folder, LOCALES_FOLDER, loadedBy))) return [];
  const defaultLocale = document.stringAt('default_locale');
  if (!document.at('default_locale') && loadedBy !== 'flag' && isDelivered) {
    const counts = ({ path }: WalkedEntry): boolean => isDelivered(path);
    if (!(await folder.hasFile(LOCALES_FOLDER, counts))) return [];
  }
  const isThere =
    defaultLocale !== undefined &&
    isLocale(defaultLocale) &&
    (await isLoaded(folder, `${LOCALES_FOLDER}/${defaultLocale}`, loadedBy));
  if (!isThere) {
    return [noDefault(defaultLocale, await someLocale(folder))];
  }
  const messages = new Map<string, string>();
  const reports: LocaleReport[] = [];
  for (const locale of fallbackLocales(defaultLocale).toReversed()) {
    if (!(await isLoaded(folder, `${LOCALES_FOLDER}/${locale}`, loadedBy))) continue;
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
    : [...unlocalisable(document), ...replaceMessages(document, new Map([...messages, ...RESERVED]))];
}

/**
 * Whether Chromium finds a folder of catalogues, for which it takes a file, too (measured on Chromium 156): the service loads what was packed, and an
 * archive has no folder without a file in it.
 */
export async function isLoaded(
  folder: ExtensionFolder,
  path: string,
  loadedBy: RuleOptions['loadedBy'],
): Promise<boolean> {
  const facts = await folder.stat(path);
  if (facts?.kind !== 'folder' || loadedBy === 'flag') return facts !== undefined;
  return folder.hasFile(path);
}

/** All faults of the entries of a catalogue (R-LOC-ENTRY). */
export function entryReports(locale: string, document: JsonDocument): LocaleReport[] {
  const { messages, faults } = readMessages(document.root);
  const reserved = RESERVED.filter(([name]) => messages.has(name)).map(([name]): EntryFault => {
    const message = l10n.t('Chromium reserves the name "{0}". Rename the message.', name);
    const fix: Proposal = { do: 'rename', to: name.replaceAll(/[^a-z0-9_]+/gi, '') };
    return { path: [name], text: `Reserved key ${name} found in message catalog.`, message, fix };
  });
  const source = { file: cataloguePath(locale), document };
  return [...faults, ...reserved].map(({ path, text, message, fix }) => ({
    ...{ rule: 'R-LOC-ENTRY', severity: 'error', message, chromium: text, path, source },
    ...(fix && { fix }),
  }));
}

/** Whether a locale has a folder, or a link that leads to one. */
export async function isFolder(folder: ExtensionFolder, locale: string): Promise<boolean> {
  return (await folder.stat(`${LOCALES_FOLDER}/${locale}`))?.kind === 'folder';
}

/** A locale with a folder in `_locales`, English if it is there. */
async function someLocale(folder: ExtensionFolder): Promise<string | undefined> {
  const names = (await folder.list(LOCALES_FOLDER)).filter(isLocale).sort();
  const found: string[] = [];
  for (const name of names) if (await isFolder(folder, name)) found.push(name);
  return found.find((name) => name === 'en') ?? found[0];
}

/** `existing`: a locale that could be the default one. */
function noDefault(defaultLocale: string | undefined, existing: string | undefined): LocaleReport {
  const wrong =
    defaultLocale === undefined
      ? l10n.t('There is a _locales folder, but the manifest has no "default_locale".')
      : l10n.t('_locales has no folder for the default locale "{0}".', defaultLocale);
  const advice = l10n.t('Name one of its folders there, such as "en" or "pt_BR" with an underscore.');
  const text = "Localization used, but default_locale wasn't specified in the manifest.";
  const report = localeRefusal('R-LOC-NODEFAULT', text, `${wrong} ${advice}`, ['default_locale']);
  return proposing(report, existing === undefined ? undefined : { do: 'replace', by: existing, isGuess: true });
}

/** As `refusal`, with the id of the rule. */
function localeRefusal(rule: string, text: string, message: string, path: JsonPath, more?: More): LocaleReport {
  return { ...refusal(text, message, path, more), rule };
}

/** Chromium's text about a missing catalogue of a locale. */
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
  if (!('bytes' in content)) {
    const source = { file };
    if (content.refused === 'missing') {
      const message = l10n.t('_locales/{0} has no readable messages.json. Add it, or remove the folder.', locale);
      return { report: localeRefusal('R-LOC-CATALOG', missingCatalogue(locale), message, [], { source }) };
    }
    const text = `Invalid locale file '${folder.path}/${file}': Can't read file.`;
    const message = l10n.t('{0} cannot be read. Put the messages in a file of that name.', file);
    return { report: localeRefusal('R-LOC-JSON', text, message, [], { source }) };
  }
  const text = new Text(content.bytes);
  const source = { file, text };
  const parsed = parseJsonOnce(text);
  if ('fault' in parsed) {
    const { start, end, text: fault } = parsed.fault;
    const message = l10n.t('{0} is not valid JSON: {1}. Correct the text at this place.', file, fault);
    const words = `Invalid locale file '${folder.path}/${file}': ${fault}`;
    return { report: localeRefusal('R-LOC-JSON', words, message, [], { source, span: { start, end } }) };
  }
  if (parsed.root.kind === 'dictionary') return { document: new JsonDocument(text, parsed.root) };
  const message = l10n.t(
    '{0} is not an object, which crashes the whole browser. Write its messages between { and }.',
    file,
  );
  return { report: { rule: 'R-LOC-CRASH', severity: 'error', message, path: [], source, span: parsed.root } };
}

/** Lists whose items have to be objects when Chromium localises the manifest; its second text has no full stop. */
const LOCALISED_LISTS: readonly [string, string][] = [
  ['file_browser_handlers', "Invalid value for 'file_browser_handlers'."],
  ['input_components', "Invalid value for 'input_components'"],
];

function unlocalisable(document: JsonDocument): LocaleReport[] {
  return LOCALISED_LISTS.flatMap(([key, chromium]): LocaleReport[] => {
    if (document.itemsAt(key).every(({ kind }) => kind === 'dictionary')) return [];
    return [localeRefusal('R-LOC-VAR', chromium, l10n.t('The items of "{0}" have to be objects.', key), [key])];
  });
}

function replaceMessages(document: JsonDocument, messages: ReadonlyMap<string, string>): LocaleReport[] {
  const reports: LocaleReport[] = [];
  for (const { path, node } of localisedStrings(document)) {
    try {
      node.value = replaceVariables(node.value, ['__MSG_', '__'], messages);
    } catch (error) {
      if (!(error instanceof UndefinedVariableError)) throw error;
      const message = l10n.t(
        'No catalogue defines {0}. Add the message to messages.json of the default locale, or correct its name.',
        error.written,
      );
      reports.push(localeRefusal('R-LOC-VAR', error.message, message, path));
    }
  }
  return reports;
}
