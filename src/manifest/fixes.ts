import * as l10n from '@vscode/l10n';
import type { JsonDocument } from './document';
import type { Fix, JsonPath } from './finding';
import { MANIFEST_FILE } from './load';

/** Renames a member of the manifest; undefined when the new name is taken. */
export function renameFix(document: JsonDocument, path: JsonPath, name: string): Fix | undefined {
  const parent = document.at(...path.slice(0, -1));
  const last = path.at(-1);
  if (parent?.kind !== 'dictionary' || typeof last !== 'string' || parent.members.has(name)) return undefined;
  const key = parent.members.get(last)?.key;
  if (!key) return undefined;
  const range = document.text.range(key.start, key.end);
  return {
    title: l10n.t('Rename to "{0}"', name),
    edits: [{ file: MANIFEST_FILE, range, newText: JSON.stringify(name) }],
  };
}

/** Replaces a value by a string or a whole number. */
export function replaceFix(document: JsonDocument, path: JsonPath, value: string | number): Fix | undefined {
  if (!document.at(...path)) return undefined;
  const newText = JSON.stringify(value);
  return {
    title: l10n.t('Change to {0}', newText),
    edits: [{ file: MANIFEST_FILE, range: document.range(path), newText }],
  };
}

/** Adds a member at the beginning of the manifest. */
export function addFix(document: JsonDocument, key: string, value: string | number): Fix {
  const { root, text } = document;
  const member = `${JSON.stringify(key)}: ${JSON.stringify(value)}`;
  const newText = `\n  ${member}${root.members.size > 0 ? ',' : '\n'}`;
  const range = text.range(root.start + 1, root.start + 1);
  return { title: l10n.t('Add {0}', member), edits: [{ file: MANIFEST_FILE, range, newText }] };
}

/** Moves a host from a list of permissions into a list of hosts, which is created if need be; undefined when the text would not be valid. */
export function moveHostFix(document: JsonDocument, path: JsonPath, target: string): Fix | undefined {
  const [list, index] = path;
  const from = document.at(list ?? '');
  const item = document.at(...path);
  if (from?.kind !== 'list' || item?.kind !== 'string' || typeof index !== 'number') return undefined;
  const next = from.items[index + 1];
  const previous = from.items[index - 1];
  // With the comma after it, or before it for the last item.
  const start = next || !previous ? item.start : previous.end;
  const removal = document.text.range(start, next ? next.start : item.end);
  const value = JSON.stringify(item.value);
  const to = document.at(target);
  if (to && to.kind !== 'list') return undefined;
  const place = to ? to.start + 1 : document.root.start + 1;
  const newText = to ? `${value}${to.items.length > 0 ? ', ' : ''}` : `\n  ${JSON.stringify(target)}: [${value}],`;
  const addition = { file: MANIFEST_FILE, range: document.text.range(place, place), newText };
  return {
    title: l10n.t('Move to "{0}"', target),
    edits: [{ file: MANIFEST_FILE, range: removal, newText: '' }, addition],
  };
}

/** Turns the only script of a background page into the worker; undefined when there are several scripts, or a worker. */
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
  return { title: l10n.t('Change to "service_worker"'), edits: [{ file: MANIFEST_FILE, range, newText }] };
}

/** The fix as a part of a report; empty without one. */
export function fixed(fix: Fix | undefined): { fix?: Fix } {
  return fix ? { fix } : {};
}
