import * as l10n from '@vscode/l10n';
import type { JsonNode } from '../json/node';
import { removing } from '../proposal';
import { caution, invalidValue, refusal } from '../refusal';
import { keyRule, type Report } from '../rule';
import { oneOf, WANTED } from '../wanted';

const LISTS = ['types', 'extensions'];
const PROPERTIES: ReadonlySet<string> = new Set([...LISTS, 'include_directories', 'verb']);
const VERBS: ReadonlySet<string> = new Set(['open_with', 'add_to', 'pack_with', 'share_with']);

/** R-FILEHANDLERS: which files an app opens, in manifests below version 3. Measured on Chromium 156; the verbs are from its source. */
export const fileHandlerRule = keyRule('R-FILEHANDLERS', 'file_handlers', (node, { manifestVersion }) => {
  if (manifestVersion >= 3) return [];
  if (node.kind !== 'dictionary') return invalidValue('file_handlers', WANTED.object);
  return [...node.members].flatMap(([name, { value }]) => [...checkHandler(name, value)]);
});

function* checkHandler(name: string, node: JsonNode): Generator<Report> {
  const key = `file_handlers[${name}]`;
  const path = ['file_handlers', name];
  if (node.kind !== 'dictionary') {
    yield invalidValue('file_handlers', WANTED.handlers, path);
    return;
  }
  let isUsed = false;
  for (const list of LISTS) {
    const value = node.members.get(list)?.value;
    if (!value) continue;
    if (value.kind !== 'list') {
      yield invalidValue(`${key}.${list}`, WANTED.list, [...path, list]);
      continue;
    }
    isUsed ||= value.items.length > 0;
    for (const [index, item] of value.items.entries()) {
      if (item.kind !== 'string') yield invalidValue(`${key}.${list}[${index}]`, WANTED.string, [...path, list, index]);
    }
  }
  const directories = node.members.get('include_directories')?.value;
  if (directories && directories.kind !== 'boolean') {
    yield invalidValue('include_directories', WANTED.boolean, [...path, 'include_directories']);
  }
  isUsed ||= directories?.kind === 'boolean' && directories.value;
  if (!isUsed) {
    const text = `'${key}' must contain a non-empty 'types', 'extensions' or 'include_directories'.`;
    yield refusal(text, l10n.t('Add "types" or "extensions", which name the files.'), path);
  }
  const verb = node.members.get('verb')?.value;
  if (verb && (verb.kind !== 'string' || !VERBS.has(verb.value))) {
    yield invalidValue(`${key}.verb`, oneOf(VERBS), [...path, 'verb']);
  }
  for (const property of node.members.keys()) {
    if (PROPERTIES.has(property)) continue;
    const text = `'${property}' is not a recognized file handler property.`;
    const message = l10n.t('Chromium ignores "{0}" here. Remove it.', property);
    yield removing(caution(text, message, [...path, property]));
  }
}
