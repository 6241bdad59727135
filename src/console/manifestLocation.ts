import { findNodeAtLocation, parseTree, type JSONPath, type Node } from 'jsonc-parser';
import { posix } from 'node:path';
import { readRegularFile } from '../base/disk';
import type { ErrorPart } from './extensionErrors';

/** The largest manifest that is read, in bytes. */
const MAX_BYTES = 1024 * 1024;

/** A position in a text. Line and column count from 0. */
export interface Position {
  line: number;
  column: number;
}

/**
 * Where a manifest names a part of its extension: the value that names the worker or the page, the key of the content scripts, or the key that
 * an error is about; its beginning when it names none. `file`: the path of the manifest. Never rejects.
 */
export async function manifestRange(file: string, part: ErrorPart): Promise<{ start: Position; end: Position }> {
  const text = (await readRegularFile(file, MAX_BYTES).catch(() => undefined))?.toString('utf8') ?? '';
  const root = parseTree(text);
  const node = root && nodeOf(root, part);
  const { offset, length } = node ?? { offset: 0, length: 1 };
  return { start: positionAt(text, offset), end: positionAt(text, offset + length) };
}

function nodeOf(root: Node, part: ErrorPart): Node | undefined {
  switch (part.kind) {
    case 'worker':
      return findNodeAtLocation(root, ['background', 'service_worker']) ?? keyAt(root, ['background']);
    case 'content':
      return keyAt(root, ['content_scripts']);
    case 'manifest':
      return keyAt(root, part.key.split('.'));
    case 'page':
      return stringNode(root, part.path);
  }
}

/** The key of a member, and not its value, which may be long. */
function keyAt(root: Node, path: JSONPath): Node | undefined {
  return findNodeAtLocation(root, path)?.parent?.children?.[0];
}

/** The first string that names a file of the extension. */
function stringNode(node: Node, path: string): Node | undefined {
  if (node.type === 'string' && typeof node.value === 'string' && pathOf(node.value) === path) return node;
  for (const child of node.children ?? []) {
    const found = stringNode(child, path);
    if (found) return found;
  }
  return undefined;
}

function pathOf(name: string): string {
  return posix.normalize(name.replace(/[?#].*$/, '')).replace(/^\//, '');
}

function positionAt(text: string, offset: number): Position {
  const before = text.slice(0, offset).split('\n');
  return { line: before.length - 1, column: before.at(-1)?.length ?? 0 };
}
