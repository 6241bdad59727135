import type { JsonDocument } from './document';
import type { Fix, JsonPath } from './finding';
import { MANIFEST_FILE } from './load';

/** Gives a member of the manifest another name; undefined when the place has one of that name already. */
export function renameFix(document: JsonDocument, path: JsonPath, name: string): Fix | undefined {
  const parent = document.at(...path.slice(0, -1));
  const last = path.at(-1);
  if (parent?.kind !== 'dictionary' || typeof last !== 'string' || parent.members.has(name)) return undefined;
  const key = parent.members.get(last)?.key;
  if (!key) return undefined;
  const range = document.text.range(key.start, key.end);
  return { title: `Rename to "${name}"`, edits: [{ file: MANIFEST_FILE, range, newText: JSON.stringify(name) }] };
}

/** Puts a string or a whole number in the place of a value. */
export function replaceFix(document: JsonDocument, path: JsonPath, value: string | number): Fix | undefined {
  if (!document.at(...path)) return undefined;
  const newText = JSON.stringify(value);
  return { title: `Change to ${newText}`, edits: [{ file: MANIFEST_FILE, range: document.range(path), newText }] };
}

/** Adds a member at the beginning of the manifest. */
export function addFix(document: JsonDocument, key: string, value: string | number): Fix {
  const { root, text } = document;
  const member = `${JSON.stringify(key)}: ${JSON.stringify(value)}`;
  const newText = `\n  ${member}${root.members.size > 0 ? ',' : '\n'}`;
  const range = text.range(root.start + 1, root.start + 1);
  return { title: `Add ${member}`, edits: [{ file: MANIFEST_FILE, range, newText }] };
}

/** Moves a host from a list of permissions into a list of hosts that is there, or is made; undefined when it would leave broken text. */
export function moveHostFix(document: JsonDocument, path: JsonPath, target: string): Fix | undefined {
  const [list, index] = path;
  const from = document.at(list ?? '');
  const item = document.at(...path);
  if (from?.kind !== 'list' || item?.kind !== 'string' || typeof index !== 'number') return undefined;
  const next = from.items[index + 1];
  const previous = from.items[index - 1];
  // With its comma: the one after it, or for the last one that before it.
  const start = next || !previous ? item.start : previous.end;
  const removal = document.text.range(start, next ? next.start : item.end);
  const value = JSON.stringify(item.value);
  const to = document.at(target);
  if (to && to.kind !== 'list') return undefined;
  const place = to ? to.start + 1 : document.root.start + 1;
  const newText = to ? `${value}${to.items.length > 0 ? ', ' : ''}` : `\n  ${JSON.stringify(target)}: [${value}],`;
  const addition = { file: MANIFEST_FILE, range: document.text.range(place, place), newText };
  return { title: `Move to "${target}"`, edits: [{ file: MANIFEST_FILE, range: removal, newText: '' }, addition] };
}

/** Puts the one script of a background page in the place of a worker; undefined when there are several, or a worker already. */
export function workerFix(document: JsonDocument): Fix | undefined {
  const background = document.at('background');
  const scripts = document.at('background', 'scripts');
  if (background?.kind !== 'dictionary' || scripts?.kind !== 'list' || background.members.has('service_worker'))
    return undefined;
  const [only, ...others] = scripts.items;
  const key = background.members.get('scripts')?.key;
  if (only?.kind !== 'string' || others.length > 0 || !key) return undefined;
  const newText = `"service_worker": ${JSON.stringify(only.value)}`;
  const range = document.text.range(key.start, scripts.end);
  return { title: 'Change to "service_worker"', edits: [{ file: MANIFEST_FILE, range, newText }] };
}

/** The part of a report that holds a fix, when there is one. */
export function fixed(fix: Fix | undefined): { fix?: Fix } {
  return fix ? { fix } : {};
}
