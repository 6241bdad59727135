import type { AnyNode } from 'acorn';
import type { RemoteCode, RemoteWay } from './codeFacts';
import type { CodeScope } from './codeScope';
import type { CodeNode, CodeTree } from './codeTree';
import { chainOf, lastNameOf, memberName, textOf } from './codeValues';

/** An address on the web. */
const ADDRESS = /^(https?:)?\/\/[^/\s]/i;

/** The address of a script anywhere in a text, such as a template or HTML. */
const SCRIPT_ADDRESS = /(?:https?:)?\/\/[\w.*-]+\/(?:[^\s"'`<>\\()]*?)\.m?js(?=[?#"'`\s<&]|$)/gi;

/** The address of a file in a repository or a page about it, which nobody loads as a script. */
const NO_SCRIPT = /\/\/(www\.)?(github\.com\/(?!.*\/raw\/)|npmjs\.com|developer\.mozilla\.org)/i;

/** A tag of a script with an address, in a text with HTML. Repetitions are bounded: a text may begin like a tag everywhere. */
const SCRIPT_TAG = /<script[^>]{0,200}\ssrc\s{0,9}=\s{0,9}\\?["']?((?:https?:)?\/\/[^\s"'>\\]{1,2000})/gi;

/** What comes before a callback that gets text from a server. */
const FETCHED_BEFORE = /\.text\(\)|\bresponseText\b/;

/** Longest part of a chain of calls that is read, in characters. */
const MAX_CHAIN = 2000;

/** The most addresses that are kept of a script. */
const MAX_FOUND = 50;

/** Notes the names in a script that stand for text from a server. */
export function bindFetched({ nodes, bindings, scopes }: CodeTree, text: string): void {
  for (const { name, from, fromScope, steps, scope } of bindings) {
    if (name !== undefined && steps.length === 0 && isFetched(from, fromScope)) scope.bindFetched(name);
  }
  for (const { node } of nodes) {
    if (node.type !== 'CallExpression' || node.callee.type !== 'MemberExpression') continue;
    const { object, property } = node.callee;
    if (property.type !== 'Identifier' || property.name !== 'then') continue;
    const [callback] = node.arguments;
    if (callback?.type !== 'ArrowFunctionExpression' && callback?.type !== 'FunctionExpression') continue;
    const before = text.slice(Math.max(object.start, object.end - MAX_CHAIN), object.end);
    const [param] = callback.params;
    if (param?.type === 'Identifier' && FETCHED_BEFORE.test(before)) scopes.get(callback)?.bindFetched(param.name);
  }
}

/** Whether an expression is text from a server. */
function isFetched(node: AnyNode | null | undefined, scope: CodeScope): boolean {
  switch (node?.type) {
    case 'Identifier':
      return scope.isFetched(node.name);
    case 'AwaitExpression':
      return isFetched(node.argument, scope);
    case 'CallExpression':
      return (
        node.arguments.length === 0 && node.callee.type === 'MemberExpression' && lastNameOf(node, scope) === 'text'
      );
    case 'MemberExpression':
      return memberName(node, scope) === 'responseText';
    case 'TemplateLiteral':
      return node.expressions.some((part) => isFetched(part, scope));
    case 'BinaryExpression':
      return isFetched(node.left, scope) || isFetched(node.right, scope);
    default:
      return false;
  }
}

/** Finds where a script runs code from elsewhere; the last are addresses of scripts in texts, which may never be loaded. */
export function remoteCodeIn({ nodes }: CodeTree): RemoteCode[] {
  const found: RemoteCode[] = [];
  const addresses: RemoteCode[] = [];
  for (const visited of nodes) {
    if (found.length + addresses.length >= MAX_FOUND) break;
    const remote = remoteOf(visited);
    if (remote) found.push(remote);
    for (const address of addressesIn(visited)) addresses.push(address);
  }
  const isKnown = ({ start, end }: RemoteCode): boolean => found.some((one) => one.start <= start && end <= one.end);
  return [...found, ...addresses.filter((one) => !isKnown(one))];
}

function remoteOf({ node, scope }: CodeNode): RemoteCode | undefined {
  switch (node.type) {
    case 'ImportDeclaration':
    case 'ExportAllDeclaration':
    case 'ExportNamedDeclaration':
    case 'ImportExpression':
      return node.source ? remoteAt('import', node.source, scope) : undefined;
    case 'AssignmentExpression': {
      const { left, right } = node;
      if (left.type !== 'MemberExpression' || memberName(left, scope) !== 'src') return undefined;
      const isScript = /script|^js|js$/i.test(chainOf(left.object, scope).join('.'));
      return remoteAt('element', right, scope, isScript ? undefined : SCRIPT_END);
    }
    case 'NewExpression':
    case 'CallExpression':
      return remoteCall(node, scope);
    default:
      return undefined;
  }
}

const SCRIPT_END = /\.m?js([?#]|$)/i;

function remoteCall(
  call: Extract<AnyNode, { type: 'CallExpression' | 'NewExpression' }>,
  scope: CodeScope,
): RemoteCode | undefined {
  const name = lastNameOf(call.callee, scope);
  if (name === 'importScripts') {
    for (const part of call.arguments) {
      const remote = remoteAt('importScripts', part, scope);
      if (remote) return remote;
    }
    return undefined;
  }
  if (name === 'setAttribute' && textOf(call.arguments[0], scope)?.text === 'src') {
    const [, value] = call.arguments;
    return value && remoteAt('element', value, scope, SCRIPT_END);
  }
  const isRun = name === 'eval' || name === 'Function' || name === 'setTimeout' || name === 'setInterval';
  const run = isRun ? (name === 'Function' ? call.arguments.at(-1) : call.arguments[0]) : undefined;
  return run && isFetched(run, scope) ? { way: 'evaluated', address: '', start: call.start, end: call.end } : undefined;
}

/** An expression that is an address on the web, or begins with one, and looks as is asked. */
function remoteAt(way: RemoteWay, node: AnyNode, scope: CodeScope, look?: RegExp): RemoteCode | undefined {
  const address = textOf(node, scope)?.text;
  if (address === undefined || !ADDRESS.test(address) || look?.test(address) === false) return undefined;
  return { way, address, start: node.start, end: node.end };
}

const NONE: readonly RemoteCode[] = [];

function addressesIn({ node }: CodeNode): readonly RemoteCode[] {
  const text =
    node.type === 'Literal' && typeof node.value === 'string'
      ? node.value
      : node.type === 'TemplateLiteral'
        ? node.quasis.map(({ value }) => value.cooked ?? '').join('*')
        : '';
  if (!text.includes('//')) return NONE;
  const { start, end } = node;
  const written = [...text.matchAll(SCRIPT_ADDRESS)].map(([address]) => address);
  const tags = [...text.matchAll(SCRIPT_TAG)].map(([, address = '']) => address);
  return [...new Set([...written, ...tags])]
    .filter((address) => !NO_SCRIPT.test(address))
    .map((address) => ({ way: 'address', address, start, end }));
}
