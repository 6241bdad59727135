import type { AnyNode } from 'acorn';
import { isNamespace } from './apiTable';
import { GLOBAL, type CodeScope, type Value } from './codeScope';

/** The API itself. */
const ROOT: Value = { path: '', trust: 'known' };

/** Names of the global object. */
const GLOBAL_NAMES: ReadonlySet<string> = new Set(['globalThis', 'window', 'self', 'global', 'top']);

/** Names of the API. */
const API_NAMES: ReadonlySet<string> = new Set(['chrome', 'browser']);

/** Modules whose default export, or whose `browser`, is the API. */
const API_MODULES =
  /^(webextension-polyfill(-ts)?|wxt\/browser|@wxt-dev\/browser)(\/|$)|\bbrowser-polyfill(\.min)?\.js$/;

/** Expressions in expressions are followed so deeply. */
const MAX_DEPTH = 40;

/** Parts of the API are followed so deeply, as in `privacy.network.networkPredictionEnabled.set`. */
const MAX_SEGMENTS = 4;

/** Whether an import of a module gives the API. */
export function isApiModule(module: string): boolean {
  return API_MODULES.test(module);
}

/** What an expression stands for; undefined where that is not known. */
export function valueOf(node: AnyNode | null | undefined, scope: CodeScope, depth = 0): Value | undefined {
  if (!node || depth > MAX_DEPTH) return undefined;
  switch (node.type) {
    case 'Identifier':
      return valueOfName(node.name, scope);
    case 'MemberExpression': {
      const name = memberName(node, scope);
      return name === undefined ? undefined : memberOf(valueOf(node.object, scope, depth + 1), name);
    }
    case 'ChainExpression':
    case 'ParenthesizedExpression':
      return valueOf(node.expression, scope, depth + 1);
    case 'AwaitExpression':
      return valueOf(node.argument, scope, depth + 1);
    case 'LogicalExpression':
      return node.operator === '&&'
        ? valueOf(node.right, scope, depth + 1)
        : better(valueOf(node.left, scope, depth + 1), valueOf(node.right, scope, depth + 1));
    case 'ConditionalExpression':
      return better(valueOf(node.consequent, scope, depth + 1), valueOf(node.alternate, scope, depth + 1));
    case 'SequenceExpression':
      return valueOf(node.expressions.at(-1), scope, depth + 1);
    case 'AssignmentExpression':
      return valueOf(node.right, scope, depth + 1);
    case 'ImportExpression':
      return isApiModule(textOf(node.source, scope)?.text ?? '') ? ROOT : undefined;
    case 'CallExpression': {
      const [first] = node.arguments;
      const isRequire = node.callee.type === 'Identifier' && node.callee.name === 'require';
      return isRequire && isApiModule(textOf(first, scope)?.text ?? '') ? ROOT : undefined;
    }
    default:
      return undefined;
  }
}

function valueOfName(name: string, scope: CodeScope): Value | undefined {
  const value = scope.valueOf(name);
  if (value) return value;
  if (API_NAMES.has(name)) return ROOT;
  if (GLOBAL_NAMES.has(name) && !scope.isDeclared(name)) return GLOBAL;
  return isNamespace(name) ? { path: name, trust: 'name' } : undefined;
}

function isKnown(value: Value | undefined): boolean {
  return value !== undefined && value !== GLOBAL && value.trust === 'known';
}

function better(first: Value | undefined, second: Value | undefined): Value | undefined {
  return isKnown(first) || !isKnown(second) ? (first ?? second) : second;
}

/** What a member of a value stands for. */
export function memberOf(value: Value | undefined, name: string): Value | undefined {
  if (value === GLOBAL) return API_NAMES.has(name) ? ROOT : GLOBAL_NAMES.has(name) ? GLOBAL : undefined;
  // A member of something unknown may be a namespace, as in a bundle.
  if (!value) return isNamespace(name) ? { path: name, trust: 'pair' } : undefined;
  if (value.path === '') return API_NAMES.has(name) || name === 'default' ? ROOT : { ...value, path: name };
  return segmentsOf(value.path) < MAX_SEGMENTS ? { path: `${value.path}.${name}`, trust: value.trust } : value;
}

function segmentsOf(path: string): number {
  let count = 1;
  for (let at = path.indexOf('.'); at >= 0; at = path.indexOf('.', at + 1)) count++;
  return count;
}

/** The name of a member; undefined when it is computed of something unknown. */
export function memberName(node: Extract<AnyNode, { type: 'MemberExpression' }>, scope: CodeScope): string | undefined {
  const { computed, property } = node;
  if (!computed) return property.type === 'Identifier' ? property.name : `#${property.type}`;
  if (property.type === 'Literal' && typeof property.value === 'number') return '0';
  const text = textOf(property, scope);
  return text?.isWhole ? text.text : undefined;
}

/** The text of an expression, or what it begins with. */
export function textOf(
  node: AnyNode | null | undefined,
  scope: CodeScope,
  depth = 0,
): { text: string; isWhole: boolean } | undefined {
  if (!node || depth > MAX_DEPTH) return undefined;
  switch (node.type) {
    case 'Literal':
      return typeof node.value === 'string' ? { text: node.value, isWhole: true } : undefined;
    case 'TemplateLiteral': {
      const text = node.quasis[0]?.value.cooked ?? '';
      if (text !== '' || node.expressions.length === 0) return { text, isWhole: node.expressions.length === 0 };
      return begin(textOf(node.expressions[0], scope, depth + 1));
    }
    case 'BinaryExpression':
      return node.operator === '+' ? begin(textOf(node.left, scope, depth + 1)) : undefined;
    case 'Identifier': {
      const text = scope.textOf(node.name);
      return text === undefined ? undefined : { text, isWhole: true };
    }
    default:
      return undefined;
  }
}

function begin(found: { text: string } | undefined): { text: string; isWhole: boolean } | undefined {
  return found && { text: found.text, isWhole: false };
}

/** The names from a variable to a member: `sender`, `tab` of `sender.tab`; calls and indexes are left out. */
export function chainOf(node: AnyNode | null | undefined, scope: CodeScope): string[] {
  const names: string[] = [];
  let at = node;
  for (let depth = 0; at && depth <= MAX_DEPTH; depth++) {
    const { name, before } = linkOf(at, scope);
    if (name !== undefined) names.push(name);
    at = before;
  }
  return names.reverse();
}

/** The last name of such a chain; empty where it has none. */
export function lastNameOf(node: AnyNode | null | undefined, scope: CodeScope): string {
  let at = node;
  for (let depth = 0; at && depth <= MAX_DEPTH; depth++) {
    const { name, before } = linkOf(at, scope);
    if (name !== undefined) return name;
    at = before;
  }
  return '';
}

/** The last name of an expression, and what comes before it in its chain. */
function linkOf(node: AnyNode, scope: CodeScope): { name?: string; before?: AnyNode } {
  switch (node.type) {
    case 'Identifier':
      return { name: node.name };
    case 'ThisExpression':
      return { name: 'this' };
    case 'MemberExpression': {
      const name = memberName(node, scope);
      return name === undefined || name === '0' ? { before: node.object } : { name, before: node.object };
    }
    case 'CallExpression':
      return { before: node.callee };
    case 'ChainExpression':
      return { before: node.expression };
    case 'AwaitExpression':
      return { before: node.argument };
    case 'MetaProperty':
      return { name: 'meta' };
    default:
      return {};
  }
}
