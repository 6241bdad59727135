import { posix } from 'node:path';
import type { FileFacts, FolderEntry, FolderReader } from '../../src/manifest/folder/folderReader';

/** A file of a case: its text, its bytes, a link, or an empty folder. */
export type CaseFile = string | { base64: string } | { symlink: string } | { dir: true };

type Node =
  | { kind: 'file'; bytes: Uint8Array }
  | { kind: 'link'; target: string }
  | { kind: 'folder'; names: Set<string> };

/** So many links may lead to one another; more are a loop. */
const MAX_LINKS = 40;

/** A folder in memory, with the files of a case and the links between them; links that leave it lead nowhere. */
export function caseReader(files: Readonly<Record<string, CaseFile>>): FolderReader {
  const nodes = new Map<string, Node>([['', { kind: 'folder', names: new Set() }]]);
  for (const [written, content] of Object.entries(files)) {
    const path = posix.normalize(written).replace(/\/$/, '');
    addFolders(nodes, posix.dirname(path));
    if (nodes.get(path)?.kind === 'folder') continue;
    register(nodes, path, nodeOf(content));
  }
  const real = (path: string): string => resolve(nodes, path, MAX_LINKS) ?? path;
  const find = (path: string): Node => {
    const node = nodes.get(real(path));
    if (!node || node.kind === 'link') throw new Error(`There is no ${path} in the case.`);
    return node;
  };
  return {
    list: (path) => settle(() => listOf(nodes, find(path), real(path))),
    stat: (path) => settle(() => factsOf(find(path))),
    sizeOf: (paths) => settle(() => paths.reduce((sum, path) => sum + factsOf(find(path)).size, 0)),
    read: (path) =>
      settle(() => {
        const node = find(path);
        if (node.kind !== 'file') throw new Error(`${path} is no file.`);
        return node.bytes;
      }),
  };
}

function settle<T>(answer: () => T): Promise<T> {
  return Promise.resolve().then(answer);
}

function nodeOf(content: CaseFile): Node {
  if (typeof content === 'string') return { kind: 'file', bytes: Buffer.from(content) };
  if ('base64' in content) return { kind: 'file', bytes: Buffer.from(content.base64, 'base64') };
  if ('symlink' in content) return { kind: 'link', target: content.symlink };
  return { kind: 'folder', names: new Set() };
}

function register(nodes: Map<string, Node>, path: string, node: Node): void {
  nodes.set(path, node);
  const parent = nodes.get(parentOf(path));
  if (parent?.kind === 'folder' && path !== '') parent.names.add(posix.basename(path));
}

function parentOf(path: string): string {
  const parent = posix.dirname(path);
  return parent === '.' ? '' : parent;
}

function addFolders(nodes: Map<string, Node>, path: string): void {
  if (path === '.' || path === '' || nodes.has(path)) return;
  addFolders(nodes, posix.dirname(path));
  register(nodes, path, { kind: 'folder', names: new Set() });
}

/** The path without links that a path leads to after at most so many of them; undefined when it leads nowhere. */
function resolve(nodes: ReadonlyMap<string, Node>, path: string, links: number): string | undefined {
  let at = '';
  const segments = path === '' ? [] : path.split('/');
  for (const [index, segment] of segments.entries()) {
    at = at === '' ? segment : `${at}/${segment}`;
    const node = nodes.get(at);
    if (node?.kind !== 'link') continue;
    const target = posix.normalize(posix.join(posix.dirname(at), node.target, ...segments.slice(index + 1)));
    if (links === 0 || posix.isAbsolute(node.target) || target.startsWith('..')) return undefined;
    return resolve(nodes, target === '.' ? '' : target.replace(/\/$/, ''), links - 1);
  }
  return nodes.has(at) ? at : undefined;
}

function listOf(nodes: ReadonlyMap<string, Node>, folder: Node, path: string): FolderEntry[] {
  if (folder.kind !== 'folder') throw new Error(`${path} is no folder.`);
  return [...folder.names].map((name) => ({
    name,
    kind: nodes.get(path === '' ? name : `${path}/${name}`)?.kind ?? 'file',
  }));
}

function factsOf(node: Node): FileFacts {
  return node.kind === 'file' ? { kind: 'file', size: node.bytes.length } : { kind: 'folder', size: 0 };
}
