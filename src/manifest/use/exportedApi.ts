import type { AnyNode } from 'acorn';
import type { Spot } from './codeFacts';
import { GLOBAL, type CodeScope } from './codeScope';
import type { CodeNode, CodeTree, ImportedName } from './codeTree';
import { chainOf, memberName, valueOf } from './codeValues';

/** The most names that are kept of a script. */
const MAX_NAMES = 2000;

/** The names under which a script exports the API itself, as `export const api = chrome` does. */
export function apiExports({ nodes }: CodeTree): Set<string> {
  const names = new Set<string>();
  for (const { node, scope } of nodes) {
    if (node.type === 'ExportDefaultDeclaration' && isApi(node.declaration, scope)) names.add('default');
    if (node.type !== 'ExportNamedDeclaration' || node.source) continue;
    if (node.declaration?.type === 'VariableDeclaration') {
      for (const { id } of node.declaration.declarations) if (isApi(id, scope)) names.add(nameOf(id));
    }
    for (const { local, exported } of node.specifiers) if (isApi(local, scope)) names.add(nameOf(exported));
  }
  return names;
}

/**
 * Names that may stand for what another script exports, where it cannot be followed what happens to them: a member of a name that code makes,
 * as in `api[name]`, and an import that is passed on or exported under another name.
 */
export class OpenNames {
  readonly #found = new Map<string, Spot>();
  /** The names of the exports, by those of the imports. */
  readonly #imported: ReadonlyMap<string, ImportedName>;

  constructor(imports: readonly ImportedName[]) {
    this.#imported = new Map(imports.map((one) => [one.local, one]));
  }

  get found(): ReadonlyMap<string, Spot> {
    return this.#found;
  }

  /** Reads an expression; `isPassed`: whether it goes where it is not followed. */
  read({ node, parent, scope }: CodeNode, isPassed: () => boolean): void {
    if (node.type === 'MemberExpression') {
      if (node.computed && memberName(node, scope) === undefined) this.#add(chainOf(node.object, scope), node);
      return;
    }
    if (node.type === 'ExportNamedDeclaration' && node.source) {
      for (const { local, exported } of node.specifiers)
        if (nameOf(local) !== nameOf(exported)) this.#add([nameOf(local)], node);
      return;
    }
    if (node.type !== 'Identifier' || !this.#imported.has(node.name)) return;
    const around = parent?.node;
    const isAlias = around?.type === 'VariableDeclarator' && around.id.type === 'Identifier';
    if (isAlias || around?.type === 'AssignmentExpression' || isPassed()) this.#add([node.name], node);
  }

  #add(chain: readonly string[], { start, end }: AnyNode): void {
    const local = chain.at(-1);
    if (local === undefined) return;
    const imported = chain.length === 1 ? (this.#imported.get(local)?.imported ?? local) : local;
    if (!this.#found.has(imported) && this.#found.size < MAX_NAMES) this.#found.set(imported, { start, end });
  }
}

function isApi(node: AnyNode, scope: CodeScope): boolean {
  const value = valueOf(node, scope);
  return value !== undefined && value !== GLOBAL && value.trust === 'known' && value.path === '';
}

function nameOf(node: AnyNode): string {
  return node.type === 'Identifier' ? node.name : node.type === 'Literal' ? String(node.value) : '';
}
