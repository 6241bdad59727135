import type { AnyNode, Program } from 'acorn';
import { CodeScope } from './codeScope';

/** A node of a script with what is around it. */
export interface CodeNode {
  node: AnyNode;
  parent: CodeNode | undefined;
  scope: CodeScope;
}

/** A name that a declaration, an assignment or a parameter gives to a part of a value. */
export interface Binding {
  /** Undefined where the part has no name, as in a pattern that is nested. */
  name: string | undefined;
  scope: CodeScope;
  /** What the value comes from, with the scope in which that is read; undefined for a parameter. */
  from: AnyNode | undefined;
  fromScope: CodeScope;
  /** The members that lead from there to the part. */
  steps: readonly string[];
  /** What stands for a part that is missing. */
  fallback: AnyNode | undefined;
  start: number;
  end: number;
}

export interface CodeTree {
  /** The expressions that matter, in the order of the text. */
  nodes: readonly CodeNode[];
  bindings: readonly Binding[];
  imports: readonly ImportedName[];
  /** The scopes of functions. */
  scopes: ReadonlyMap<AnyNode, CodeScope>;
}

/** A name that an import declares; `imported` is `default` and `*` for whole modules. */
export interface ImportedName {
  module: string;
  imported: string;
  local: string;
  scope: CodeScope;
}

/** What is looked at; the rest is only on the way to it. */
const SEEN: ReadonlySet<string> = new Set<AnyNode['type']>([
  ...(['Identifier', 'MemberExpression', 'CallExpression', 'NewExpression', 'Literal', 'TemplateLiteral'] as const),
  ...(['TemplateElement', 'ImportExpression', 'ImportDeclaration', 'ExportAllDeclaration'] as const),
  ...(['ExportNamedDeclaration', 'ExportDefaultDeclaration', 'AssignmentExpression'] as const),
]);

/** The fields of nodes that hold what is visited of them, where not all do; of frequent nodes, so that no others are looked at. */
const PARTS: ReadonlyMap<string, readonly string[]> = new Map<AnyNode['type'], readonly string[]>([
  ...(['Identifier', 'Literal', 'ThisExpression', 'TemplateElement'] as const).map((type) => [type, []] as const),
  ...(['BreakStatement', 'ContinueStatement', 'ExportAllDeclaration'] as const).map((type) => [type, []] as const),
  ...(['ReturnStatement', 'AwaitExpression', 'UnaryExpression'] as const).map((type) => [type, ['argument']] as const),
  ...(['BinaryExpression', 'LogicalExpression'] as const).map((type) => [type, ['left', 'right']] as const),
  ...(['BlockStatement', 'LabeledStatement'] as const).map((type) => [type, ['body']] as const),
  ['ExpressionStatement', ['expression']],
  ['CallExpression', ['callee', 'arguments']],
  ['VariableDeclaration', ['declarations']],
  ['ExportNamedDeclaration', ['declaration']],
]);

type Origin = Pick<Binding, 'from' | 'fromScope' | 'steps' | 'fallback'>;

/** Lists the expressions and statements of a script. Names in declarations and patterns are bindings, and no nodes. */
export function treeOf(program: Program): CodeTree {
  return new TreeBuilder().build(program);
}

class TreeBuilder {
  readonly #nodes: CodeNode[] = [];
  readonly #bindings: Binding[] = [];
  readonly #imports: ImportedName[] = [];
  readonly #scopes = new Map<AnyNode, CodeScope>();
  /** A stack of its own: a sum of ten thousand texts is nested as deeply. */
  readonly #pending: CodeNode[] = [];

  build(program: Program): CodeTree {
    this.#pending.push({ node: program, parent: undefined, scope: new CodeScope() });
    for (let next = this.#pending.pop(); next; next = this.#pending.pop()) {
      if (SEEN.has(next.node.type)) this.#nodes.push(next);
      this.#visit(next);
    }
    return { nodes: this.#nodes, bindings: this.#bindings, imports: this.#imports, scopes: this.#scopes };
  }

  #visit(visited: CodeNode): void {
    const { node, scope } = visited;
    switch (node.type) {
      case 'VariableDeclarator':
        this.#push(visited, [...this.#bindPattern(node.id, this.#origin(node.init, scope), scope), node.init]);
        return;
      case 'AssignmentExpression': {
        const { left, right } = node;
        if (left.type === 'MemberExpression') this.#push(visited, [left, right]);
        else this.#push(visited, [...this.#bindPattern(left, this.#origin(right, scope), scope, false), right]);
        return;
      }
      case 'FunctionDeclaration':
        if (node.id) scope.declare(node.id.name);
        this.#visitFunction(visited, node.params, node.body);
        return;
      case 'FunctionExpression':
      case 'ArrowFunctionExpression':
        this.#visitFunction(visited, node.params, node.body);
        return;
      case 'CatchClause':
        if (node.param) this.#bindPattern(node.param, this.#origin(undefined, scope), scope);
        this.#push(visited, [node.body]);
        return;
      case 'ImportDeclaration':
        for (const specifier of node.specifiers) this.#import(String(node.source.value), specifier, scope);
        return;
      case 'ClassDeclaration':
        if (node.id) scope.declare(node.id.name);
        this.#push(visited, [node.superClass, node.body]);
        return;
      case 'MemberExpression':
        this.#push(visited, [node.object, node.computed ? node.property : undefined]);
        return;
      case 'Property':
      case 'MethodDefinition':
      case 'PropertyDefinition':
        this.#push(visited, [node.computed ? node.key : undefined, node.value]);
        return;
      case 'ForInStatement':
      case 'ForOfStatement': {
        const isDeclared = node.left.type === 'VariableDeclaration';
        this.#push(visited, [isDeclared ? node.left : undefined, node.right, node.body]);
        return;
      }
      default:
        this.#push(visited, childrenOf(node, PARTS.get(node.type)));
    }
  }

  #visitFunction(visited: CodeNode, params: readonly AnyNode[], body: AnyNode): void {
    const scope = new CodeScope(visited.scope);
    const { node, parent } = visited;
    this.#scopes.set(node, scope);
    const call = parent?.node;
    const passed = call?.type === 'CallExpression' && call.callee === node ? call.arguments : [];
    const defaults = params.flatMap((param, at) =>
      this.#bindPattern(param, this.#origin(passed[at], visited.scope), scope),
    );
    this.#push(visited, [...defaults, body], scope);
  }

  #import(module: string, specifier: AnyNode, scope: CodeScope): void {
    const nameOf = (node: AnyNode): string => (node.type === 'Identifier' ? node.name : '');
    const add = (imported: string, local: AnyNode): void => {
      scope.declare(nameOf(local));
      this.#imports.push({ module, imported, local: nameOf(local), scope });
    };
    if (specifier.type === 'ImportSpecifier') add(nameOf(specifier.imported), specifier.local);
    else if (specifier.type === 'ImportDefaultSpecifier') add('default', specifier.local);
    else if (specifier.type === 'ImportNamespaceSpecifier') add('*', specifier.local);
  }

  #origin(from: AnyNode | null | undefined, fromScope: CodeScope): Origin {
    return { from: from ?? undefined, fromScope, steps: [], fallback: undefined };
  }

  /** Notes the names in a pattern, and returns the expressions in it. */
  #bindPattern(pattern: AnyNode, origin: Origin, scope: CodeScope, isDeclaration = true): AnyNode[] {
    const { start, end } = pattern;
    switch (pattern.type) {
      case 'Identifier':
        if (isDeclaration) scope.declare(pattern.name);
        this.#bindings.push({ name: pattern.name, scope, ...origin, start, end });
        return [];
      case 'AssignmentPattern':
        return [
          ...this.#bindPattern(pattern.left, { ...origin, fallback: pattern.right }, scope, isDeclaration),
          pattern.right,
        ];
      case 'ObjectPattern':
        return pattern.properties.flatMap((property) => {
          if (property.type === 'RestElement')
            return this.#bindPattern(property.argument, origin, scope, isDeclaration);
          const { key, value, computed } = property;
          const name =
            !computed && key.type === 'Identifier' ? key.name : key.type === 'Literal' ? String(key.value) : '';
          // A part that is taken apart again has no name of its own.
          if (value.type !== 'Identifier')
            this.#bindings.push({ name: undefined, scope, ...origin, steps: [...origin.steps, name], start, end });
          const inner = this.#bindPattern(value, { ...origin, steps: [...origin.steps, name] }, scope, isDeclaration);
          return computed ? [key, ...inner] : inner;
        });
      case 'ArrayPattern':
        return pattern.elements.flatMap((element) =>
          element ? this.#bindPattern(element, { ...origin, steps: [...origin.steps, '0'] }, scope, isDeclaration) : [],
        );
      case 'RestElement':
        return this.#bindPattern(pattern.argument, this.#origin(undefined, scope), scope, isDeclaration);
      default:
        return [pattern];
    }
  }

  #push(parent: CodeNode, children: readonly (AnyNode | null | undefined)[], scope = parent.scope): void {
    for (let at = children.length - 1; at >= 0; at--) {
      const node = children[at];
      if (node) this.#pending.push({ node, parent, scope });
    }
  }
}

/** The nodes in the fields of a node, in the order of the text. */
function childrenOf(node: AnyNode, fields = Object.keys(node) as readonly string[]): AnyNode[] {
  const found: AnyNode[] = [];
  for (const key of fields) {
    const value: unknown = Reflect.get(node, key);
    if (typeof value !== 'object' || value === null) continue;
    if (Array.isArray(value)) {
      for (const item of value) if (isNode(item)) found.push(item);
    } else if (isNode(value)) found.push(value);
  }
  return found;
}

function isNode(value: unknown): value is AnyNode {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value;
}
