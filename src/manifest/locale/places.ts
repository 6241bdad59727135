import type { JsonDocument } from '../document';
import type { JsonPath } from '../finding';
import type { JsonNode } from '../json/node';

/** A string of the manifest in which messages are replaced. */
export interface LocalisedString {
  path: JsonPath;
  node: Extract<JsonNode, { kind: 'string' }>;
}

const SINGLE: readonly JsonPath[] = [
  ['name'],
  ['short_name'],
  ['description'],
  ['browser_action', 'default_title'],
  ['page_action', 'default_title'],
  ['action', 'default_title'],
  ['omnibox', 'keyword'],
  ['app', 'launch', 'local_path'],
  ['app', 'launch', 'web_url'],
  ['chrome_settings_overrides', 'homepage'],
];

/** Members of the items of a list. */
const IN_ITEMS: readonly [JsonPath, readonly string[]][] = [
  [['file_browser_handlers'], ['default_title']],
  [['input_components'], ['name', 'description']],
];

/** Lists of strings. */
const LISTS: readonly JsonPath[] = [
  ['chrome_settings_overrides', 'startup_pages'],
  ['chrome_settings_overrides', 'search_provider', 'alternate_urls'],
];

/** Every string of the manifest that Chromium localises; all others keep `__MSG_x__` as it is written. Source: R-LOC-VAR. */
export function* localisedStrings(document: JsonDocument): Generator<LocalisedString> {
  for (const path of places(document)) {
    const node = document.at(...path);
    if (node?.kind === 'string') yield { path, node };
  }
}

function* places(document: JsonDocument): Generator<JsonPath> {
  yield* SINGLE;
  for (const [list, names] of IN_ITEMS) {
    for (const index of indices(document.at(...list))) for (const name of names) yield [...list, index, name];
  }
  // Chromium looks for `commands.NAME.description`, and so misses names with a dot.
  for (const name of memberNames(document.at('commands'))) {
    if (!name.includes('.')) yield ['commands', name, 'description'];
  }
  const provider = ['chrome_settings_overrides', 'search_provider'];
  for (const name of memberNames(document.at(...provider))) yield [...provider, name];
  for (const list of LISTS) for (const index of indices(document.at(...list))) yield [...list, index];
}

function indices(node: JsonNode | undefined): Iterable<number> {
  return node?.kind === 'list' ? node.items.keys() : [];
}

function memberNames(node: JsonNode | undefined): Iterable<string> {
  return node?.kind === 'dictionary' ? node.members.keys() : [];
}
