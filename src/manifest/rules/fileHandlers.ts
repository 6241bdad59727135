import type { JsonPath } from '../finding';
import type { JsonNode } from '../json/node';
import { caution, refusal } from '../refusal';
import type { Report, Rule } from '../rule';

const LISTS = ['types', 'extensions'];
const PROPERTIES: ReadonlySet<string> = new Set([...LISTS, 'include_directories', 'verb']);
const VERBS: ReadonlySet<string> = new Set(['open_with', 'add_to', 'pack_with', 'share_with']);

/** R-FILEHANDLERS: which files an app opens; newer manifests have no such key. Measured on Chromium 156, the verbs read in its source. */
export const fileHandlerRule: Rule = {
  id: 'R-FILEHANDLERS',
  stage: 'keys',
  check({ manifest, manifestVersion }) {
    const node = manifest.at('file_handlers');
    if (!node || manifestVersion >= 3) return [];
    if (node.kind !== 'dictionary') return [invalid('file_handlers', 'an object', ['file_handlers'])];
    return [...node.members].flatMap(([name, { value }]) => checkHandler(name, value));
  },
};

function invalid(key: string, wanted: string, path: JsonPath): Report {
  return refusal(`Invalid value for '${key}'.`, `"${key}" has to be ${wanted}.`, path);
}

function checkHandler(name: string, node: JsonNode): Report[] {
  const key = `file_handlers[${name}]`;
  const path = ['file_handlers', name];
  if (node.kind !== 'dictionary') return [invalid('file_handlers', 'made of objects', path)];
  const reports: Report[] = [];
  let isUsed = false;
  for (const list of LISTS) {
    const value = node.members.get(list)?.value;
    if (!value) continue;
    if (value.kind !== 'list') {
      reports.push(invalid(`${key}.${list}`, 'a list', [...path, list]));
      continue;
    }
    isUsed ||= value.items.length > 0;
    for (const [index, item] of value.items.entries()) {
      if (item.kind !== 'string')
        reports.push(invalid(`${key}.${list}[${index}]`, 'a string in quotes', [...path, list, index]));
    }
  }
  const directories = node.members.get('include_directories')?.value;
  if (directories && directories.kind !== 'boolean') {
    reports.push(invalid('include_directories', 'true or false', [...path, 'include_directories']));
  }
  isUsed ||= directories?.kind === 'boolean' && directories.value;
  if (!isUsed) {
    const text = `'${key}' must contain a non-empty 'types', 'extensions' or 'include_directories'.`;
    reports.push(refusal(text, 'Say which files: add "types" or "extensions".', path));
  }
  const verb = node.members.get('verb')?.value;
  if (verb && (verb.kind !== 'string' || !VERBS.has(verb.value))) {
    reports.push(invalid(`${key}.verb`, `one of ${[...VERBS].join(', ')}`, [...path, 'verb']));
  }
  for (const property of node.members.keys()) {
    if (PROPERTIES.has(property)) continue;
    const text = `'${property}' is not a recognized file handler property.`;
    reports.push(caution(text, `Chromium ignores "${property}" here. Remove it.`, [...path, property]));
  }
  return reports;
}
