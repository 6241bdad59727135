import type { JsonDocument } from './document';
import type { ExtensionFolder } from './folder';
import type { Dictionary } from './json/node';
import { parseJson } from './json/parse';
import { Text } from './text';

/** The languages of the service's browsers, before the extension's own default. */
const BROWSER_LOCALES = ['en_US', 'en'];

const MESSAGE = /__MSG_([A-Za-z0-9_@]+?)__/g;
const PLACEHOLDER = /\$([A-Za-z0-9_@]+)\$/g;

/**
 * A text of the manifest with each `__MSG_x__` replaced, as a browser in US English shows it. Without `default_locale` the text
 * stays literal, as in Chromium; so does a message that no catalogue defines, which is a fault of its own.
 */
export async function localise(text: string, document: JsonDocument, folder: ExtensionFolder): Promise<string> {
  const defaultLocale = document.stringAt('default_locale');
  if (defaultLocale === undefined || !text.includes('__MSG_')) return text;
  const catalogues: Dictionary[] = [];
  for (const locale of new Set([...BROWSER_LOCALES, defaultLocale])) {
    const catalogue = await readCatalogue(folder, locale);
    if (catalogue) catalogues.push(catalogue);
  }
  return text.replace(MESSAGE, (whole, name: string) => {
    for (const catalogue of catalogues) {
      const message = findMessage(catalogue, name);
      if (message !== undefined) return message;
    }
    return whole;
  });
}

async function readCatalogue(folder: ExtensionFolder, locale: string): Promise<Dictionary | undefined> {
  if (!/^[A-Za-z0-9_]+$/.test(locale)) return undefined;
  const content = await folder.read(`_locales/${locale}/messages.json`);
  if (!('bytes' in content)) return undefined;
  const result = parseJson(new Text(content.bytes));
  return 'root' in result && result.root.kind === 'dictionary' ? result.root : undefined;
}

/** Names of messages compare without regard to case. */
function findMessage(catalogue: Dictionary, name: string): string | undefined {
  const entry = member(catalogue, name);
  const message = entry?.kind === 'dictionary' ? entry.members.get('message')?.value : undefined;
  if (entry?.kind !== 'dictionary' || message?.kind !== 'string') return undefined;
  const placeholders = entry.members.get('placeholders')?.value;
  if (placeholders?.kind !== 'dictionary') return message.value;
  return message.value.replace(PLACEHOLDER, (whole, placeholder: string) => {
    const definition = member(placeholders, placeholder);
    const content = definition?.kind === 'dictionary' ? definition.members.get('content')?.value : undefined;
    return content?.kind === 'string' ? content.value : whole;
  });
}

function member(dictionary: Dictionary, name: string) {
  const wanted = name.toLowerCase();
  for (const [key, { value }] of dictionary.members) if (key.toLowerCase() === wanted) return value;
  return undefined;
}
