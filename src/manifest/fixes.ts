import * as l10n from '@vscode/l10n';
import { shortened } from '../base/units';
import type { Fix, JsonPath } from './finding';
import { Cursor } from './json/cursor';
import { parseJson } from './json/parse';
import { valueOf, type Dictionary, type JsonNode, type JsonValue, type Span } from './json/node';
import type { Proposal } from './proposal';
import type { Text } from './source/text';

/** A parsed file. */
export interface Tree {
  /** Path of the file relative to the folder. */
  file: string;
  text: Text;
  root: JsonNode;
}

/** A part of a text and what takes its place. */
interface Edit extends Span {
  newText: string;
}

/** Longest quoted value in the title of a fix, in characters. */
const MAX_TITLE_VALUE = 60;

const COMMA = 0x2c;
const SPACES: ReadonlySet<number | undefined> = new Set([0x20, 0x09, 0x0a, 0x0d]);

/** The fix that a proposal describes, for the value at `path` unless it names another; undefined when the file does not allow it. */
export function fixFor(tree: Tree, proposal: Proposal, path: JsonPath): Fix | undefined {
  const made = editsFor(tree, proposal, proposal.at ?? path);
  if (!made) return undefined;
  const edits = made.edits.map(({ start, end, newText }) => ({
    file: tree.file,
    range: tree.text.range(start, end),
    newText,
  }));
  return { title: made.title, edits, ...(proposal.isGuess && { isGuess: true }) };
}

interface Made {
  title: string;
  edits: Edit[];
}

function editsFor(tree: Tree, proposal: Proposal, path: JsonPath): Made | undefined {
  switch (proposal.do) {
    case 'remove':
      return remove(tree, path);
    case 'rename':
      return rename(tree, path, proposal.to);
    case 'replace':
      return replace(tree, path, proposal.by);
    case 'add':
      return add(tree, path, proposal.value);
    case 'move':
      return move(tree, path, proposal.to);
    case 'worker':
      return toWorker(tree);
    case 'setting':
      return undefined;
    case 'write': {
      const { span, text, title } = proposal;
      return { title, edits: [{ ...span, newText: text }] };
    }
  }
}

/** The value at a path; undefined when there is none. */
function nodeAt({ root }: Tree, path: JsonPath): JsonNode | undefined {
  let node: JsonNode | undefined = root;
  for (const step of path) {
    if (typeof step === 'number') node = node?.kind === 'list' ? node.items[step] : undefined;
    else node = node?.kind === 'dictionary' ? node.members.get(step)?.value : undefined;
  }
  return node;
}

function remove(tree: Tree, path: JsonPath): Made | undefined {
  const last = path.at(-1);
  const parent = nodeAt(tree, path.slice(0, -1));
  const node = nodeAt(tree, path);
  if (!node || last === undefined) return undefined;
  if (parent?.kind === 'list')
    return { title: l10n.t('Remove {0}', quoted(valueOf(node))), edits: removal(tree, node) };
  const member = parent?.kind === 'dictionary' ? parent.members.get(String(last)) : undefined;
  // The value before it of the same key would count instead.
  if (!member || member.isRepeated) return undefined;
  const { key } = member;
  return { title: l10n.t('Remove "{0}"', String(last)), edits: removal(tree, { start: key.start, end: node.end }) };
}

/** The edits that remove an entry with its comma: the one after it, or the one before it for the last entry. */
function removal({ text }: Tree, { start, end }: Span): Edit[] {
  const cursor = cursorAt(text, end);
  if (cursor.skipSpace() === COMMA) {
    let next = cursor.at + 1;
    while (SPACES.has(text.bytes[next])) next++;
    return [{ start, end: next, newText: '' }];
  }
  const comments = commentsOf(text);
  let before = start;
  for (;;) {
    while (SPACES.has(text.bytes[before - 1])) before--;
    const comment = comments.get(before);
    if (comment === undefined) break;
    before = comment;
  }
  if (text.bytes[before - 1] !== COMMA) return [{ start, end, newText: '' }];
  const comma = { start: before - 1, end: before, newText: '' };
  const isNext = text.bytes.subarray(before, start).every((byte) => SPACES.has(byte));
  // Comments between the two stay.
  return isNext ? [{ ...comma, end }] : [comma, { start, end, newText: '' }];
}

/** Where the comments of a text begin, by where they end. */
function commentsOf(text: Text): ReadonlyMap<number, number> {
  const parsed = parseJson(text);
  const all = 'leniencies' in parsed ? parsed.leniencies.filter(({ what }) => what === 'comment') : [];
  return new Map(all.map(({ start, end }) => [end, start]));
}

function cursorAt(text: Text, at: number): Cursor {
  const cursor = new Cursor(text.bytes, 'lenient');
  cursor.at = at;
  return cursor;
}

function rename(tree: Tree, path: JsonPath, name: string): Made | undefined {
  const parent = nodeAt(tree, path.slice(0, -1));
  const last = path.at(-1);
  if (parent?.kind !== 'dictionary' || typeof last !== 'string' || parent.members.has(name)) return undefined;
  const { key, isRepeated } = parent.members.get(last) ?? {};
  if (!key || isRepeated) return undefined;
  return { title: l10n.t('Rename to "{0}"', name), edits: [{ ...key, newText: JSON.stringify(name) }] };
}

/** Replaces a value, or adds it when it is missing. */
function replace(tree: Tree, path: JsonPath, value: JsonValue): Made | undefined {
  const node = nodeAt(tree, path);
  if (!node) return add(tree, path, value);
  const newText = JSON.stringify(value);
  return { title: l10n.t('Change to {0}', quoted(value)), edits: [{ start: node.start, end: node.end, newText }] };
}

/** Adds a member at the beginning of an object, or an item at the beginning of a list. */
function add(tree: Tree, path: JsonPath, value: JsonValue): Made | undefined {
  const last = path.at(-1);
  const parent = nodeAt(tree, path.slice(0, -1));
  if (last === undefined || (parent?.kind !== 'dictionary' && parent?.kind !== 'list')) return undefined;
  const isMember = parent.kind === 'dictionary';
  const written = JSON.stringify(value);
  const entry = isMember ? `${JSON.stringify(String(last))}: ${written}` : written;
  const shown = isMember ? `${JSON.stringify(String(last))}: ${quoted(value)}` : quoted(value);
  return { title: l10n.t('Add {0}', shown), edits: [insertion(tree, parent, entry)] };
}

/** The edit that writes an entry at the beginning of an object or a list, with the white space of the entry that is there. */
function insertion({ text }: Tree, parent: Extract<JsonNode, { kind: 'dictionary' | 'list' }>, entry: string): Edit {
  const start = parent.start + 1;
  const isEmpty = (parent.kind === 'list' ? parent.items.length : parent.members.size) === 0;
  let end = start;
  while (SPACES.has(text.bytes[end])) end++;
  const space = Buffer.from(text.bytes.subarray(start, end)).toString('latin1');
  return { start, end: start, newText: isEmpty ? entry : `${space}${entry}${space === '' ? ', ' : ','}` };
}

function move(tree: Tree, path: JsonPath, target: string): Made | undefined {
  const item = nodeAt(tree, path);
  const isItem = nodeAt(tree, path.slice(0, -1))?.kind === 'list';
  const to = nodeAt(tree, [target]);
  const { root } = tree;
  if (!item || !isItem || root.kind !== 'dictionary' || (to && to.kind !== 'list')) return undefined;
  const value = JSON.stringify(valueOf(item));
  const addition = to ? insertion(tree, to, value) : insertion(tree, root, `${JSON.stringify(target)}: [${value}]`);
  return { title: l10n.t('Move to "{0}"', target), edits: [...removal(tree, item), addition] };
}

/** Undefined when there are several scripts, or a worker. */
function toWorker(tree: Tree): Made | undefined {
  const background = nodeAt(tree, ['background']);
  const scripts = nodeAt(tree, ['background', 'scripts']);
  if (background?.kind !== 'dictionary' || scripts?.kind !== 'list') return undefined;
  return scriptToWorker(background, scripts);
}

function scriptToWorker({ members }: Dictionary, scripts: Extract<JsonNode, { kind: 'list' }>): Made | undefined {
  const [only, ...others] = scripts.items;
  const { key, isRepeated } = members.get('scripts') ?? {};
  if (members.has('service_worker') || only?.kind !== 'string' || others.length > 0 || !key || isRepeated)
    return undefined;
  const newText = `"service_worker": ${JSON.stringify(only.value)}`;
  return { title: l10n.t('Change to "service_worker"'), edits: [{ start: key.start, end: scripts.end, newText }] };
}

function quoted(value: JsonValue): string {
  return shortened(JSON.stringify(value), MAX_TITLE_VALUE);
}
