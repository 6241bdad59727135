import type { AnyNode } from 'acorn';
import { parseAnyScript } from '../worker/script';
import { isApiPair, isNamespace } from './apiTable';
import type { ApiSpot, CodeFacts, HiddenWay, Spot } from './codeFacts';
import { markNode, markOfPattern } from './codeMarks';
import { GLOBAL, type Value } from './codeScope';
import { treeOf, type Binding, type CodeNode, type CodeTree } from './codeTree';
import { chainOf, isApiModule, lastNameOf, memberName, memberOf, textOf, valueOf } from './codeValues';
import { apiExports, OpenNames } from './exportedApi';
import { bindFetched, remoteCodeIn } from './remoteCode';
import { readUnparsed } from './unparsedCode';

/** A name may stand for another one that is bound later in the text: so often they are gone through. */
const MAX_ROUNDS = 4;

/** The most entries of each kind that are kept of a script. */
const MAX_KEPT = 500;

/** Longest text that may be the name of a file, in characters. */
const MAX_FILE_NAME = 300;

const FILE_NAME =
  /\.(m?js|cjs|html?|css|json|wasm|png|svg|gif|jpe?g|webp|woff2?|ttf|mp3|ogg|wav|mp4|webm|md|txt|zip|crx|xpi|tar|tgz|gz|bz2|xz|zst|7z|rar|pem|key)([?#].*)?$/i;
const WEB_ADDRESS = /^(https?|wss?):\/\/[^/\s]/i;

/** A module that stores things by `chrome.storage`. */
const STORAGE_MODULE = /^@plasmohq\/storage(\/|$)/;

/** What is written in the polyfill of the API, which wraps all of it and calls nothing by itself. */
const POLYFILL = 'This script should only be loaded in a browser extension';

/** Reads a script: what it uses of the extension API and of the platform. A text that is no script is searched for the names of the API. */
export function readCode(text: string): CodeFacts {
  const program = parseAnyScript(text);
  return program ? new CodeReader(text, treeOf(program)).read() : readUnparsed(text);
}

/** Where a value goes: on to a member, into a name, into a call as what is called, into a test, or out of sight. */
type Destination = 'member' | 'bound' | 'called' | 'tested' | 'passed';

class CodeReader {
  readonly #api = new Map<string, ApiSpot>();
  readonly #marks = new Map<string, Spot>();
  readonly #hidden = new Map<HiddenWay, Spot>();
  readonly #addresses = new Map<string, Spot>();
  readonly #files = new Set<string>();

  constructor(
    readonly text: string,
    readonly tree: CodeTree,
  ) {}

  read(): CodeFacts {
    this.#bindNames();
    bindFetched(this.tree, this.text);
    for (const binding of this.tree.bindings) this.#readBinding(binding);
    const mark = (name: string, node: AnyNode): void => {
      keep(this.#marks, name, spotOf(node));
    };
    const open = new OpenNames(this.tree.imports);
    for (const visited of this.tree.nodes) {
      this.#readValue(visited);
      open.read(visited, () => destinationOf(visited) === 'passed');
      this.#readHidden(visited);
      this.#readText(visited);
      this.#readModule(visited);
      markNode(visited, mark);
    }
    return {
      api: this.#api,
      marks: this.#marks,
      hidden: this.#hidden,
      exportsApi: apiExports(this.tree),
      open: open.found,
      remote: remoteCodeIn(this.tree),
      addresses: this.#addresses,
      files: this.#files,
    };
  }

  #bindNames(): void {
    for (const { module, imported, local, scope } of this.tree.imports) {
      if (STORAGE_MODULE.test(module)) this.#note({ path: 'storage', trust: 'known' }, { start: 0, end: 0 });
      if (!isApiModule(module)) continue;
      const isAll = ['default', '*', 'browser', 'chrome'].includes(imported);
      scope.bind(local, { path: isAll ? '' : imported, trust: 'known' });
    }
    let isChanged = true;
    for (let round = 0; isChanged && round < MAX_ROUNDS; round++) {
      isChanged = false;
      for (const binding of this.tree.bindings) {
        if (binding.name === undefined) continue;
        const value = boundValue(binding);
        if (value !== undefined && binding.scope.bind(binding.name, value)) isChanged = true;
        const text = binding.steps.length === 0 && round === 0 ? textOf(binding.from, binding.fromScope) : undefined;
        if (text?.isWhole) binding.scope.bindText(binding.name, text.text);
      }
    }
  }

  #readBinding(binding: Binding): void {
    const { from, fromScope, steps, start, end } = binding;
    if (steps.length === 0) return;
    const value = boundValue(binding);
    if (value !== undefined && value !== GLOBAL) this.#note(value, { start, end });
    const mark = markOfPattern(steps, chainOf(from, fromScope));
    if (mark !== undefined) keep(this.#marks, mark, { start, end });
  }

  /** Notes a member of the API, or that the API goes where it is not followed. */
  #readValue(visited: CodeNode): void {
    const { node, scope } = visited;
    if (node.type !== 'Identifier' && node.type !== 'MemberExpression') return;
    // Of a chain of members, the longest is the one that counts, but for what is computed.
    const around = visited.parent?.node;
    if (around?.type === 'MemberExpression' && around.object === node && !around.computed) return;
    const value = valueOf(node, scope);
    if (value === undefined || value === GLOBAL) return;
    const destination = destinationOf(visited);
    if (destination === 'member') return;
    const isComputed = visited.parent?.node.type === 'MemberExpression' && visited.parent.node.object === node;
    if (value.path === '') {
      if (value.trust === 'known' && destination === 'passed' && !this.text.includes(POLYFILL))
        keep(this.#hidden, isComputed ? 'computed' : 'passed', spotOf(node));
      return;
    }
    if (destination !== 'tested') this.#note(value, spotOf(node));
  }

  #note({ path, trust }: Exclude<Value, typeof GLOBAL>, spot: Spot): void {
    const [namespace = '', member] = path.split('.');
    if (namespace === '') return;
    if (trust !== 'known' && (member === undefined || !isApiPair(namespace, member))) return;
    if (trust === 'known' && !isNamespace(namespace) && member === undefined) return;
    const isSure = trust !== 'name';
    const known = this.#api.get(path);
    if (known ? isSure && !known.isSure : this.#api.size < MAX_KEPT) this.#api.set(path, { ...spot, isSure });
  }

  #readHidden({ node, scope }: CodeNode): void {
    if (node.type === 'Identifier') {
      if (node.name === 'WebAssembly' && !scope.isDeclared(node.name)) keep(this.#hidden, 'wasm', spotOf(node));
    } else if (node.type === 'ImportExpression') {
      const isOwn = lastNameOf(node.source, scope) === 'getURL';
      if (!isOwn && textOf(node.source, scope) === undefined) keep(this.#hidden, 'loaded', spotOf(node));
    } else if (node.type === 'CallExpression' || node.type === 'NewExpression') {
      const name = lastNameOf(node.callee, scope);
      if (!RUNNING.has(name)) return;
      const chain = chainOf(node.callee, scope);
      const isGlobal = chain.length === 1 ? !scope.isDeclared(name) : chain.length === 2 && GLOBALS.has(chain[0] ?? '');
      if (!isGlobal) return;
      if (name === 'eval' && mayReachApi(node.arguments[0], scope)) keep(this.#hidden, 'evaluated', spotOf(node));
      if (name === 'Function' && mayReachApi(node.arguments.at(-1), scope))
        keep(this.#hidden, 'evaluated', spotOf(node));
      if (name === 'importScripts' && node.arguments.some((one) => textOf(one, scope) === undefined))
        keep(this.#hidden, 'loaded', spotOf(node));
      if (name === 'setTimeout' || name === 'setInterval') {
        const text = textOf(node.arguments[0], scope);
        if (text && mayReachApi(node.arguments[0], scope)) keep(this.#hidden, 'evaluated', spotOf(node));
      }
    }
  }

  #readText({ node }: CodeNode): void {
    const text =
      node.type === 'Literal' && typeof node.value === 'string'
        ? node.value
        : node.type === 'TemplateLiteral'
          ? (node.quasis[0]?.value.cooked ?? '')
          : undefined;
    if (text === undefined || text.length > MAX_FILE_NAME) return;
    if (WEB_ADDRESS.test(text)) keep(this.#addresses, text, spotOf(node));
    else if (FILE_NAME.test(text) && this.#files.size < MAX_KEPT) this.#files.add(text);
  }

  /** Notes the module that a statement loads, for names or for its effects alone. */
  #readModule({ node }: CodeNode): void {
    const isLoading =
      node.type === 'ImportDeclaration' ||
      node.type === 'ExportAllDeclaration' ||
      node.type === 'ExportNamedDeclaration';
    const module = isLoading ? node.source?.value : undefined;
    if (typeof module === 'string' && this.#files.size < MAX_KEPT) this.#files.add(module);
  }
}

const GLOBALS: ReadonlySet<string> = new Set(['globalThis', 'window', 'self']);

/** Functions that run code from texts or other files. */
const RUNNING: ReadonlySet<string> = new Set(['eval', 'Function', 'importScripts', 'setTimeout', 'setInterval']);

/** Whether a text that is run may be one about the API. */
function mayReachApi(node: AnyNode | undefined, scope: CodeNode['scope']): boolean {
  const text = textOf(node, scope);
  return node !== undefined && (!text?.isWhole || /chrome|browser/.test(text.text));
}

/** What a name that is bound stands for. */
function boundValue({ from, fromScope, steps, fallback, scope }: Binding): Value | undefined {
  let value = valueOf(from, fromScope);
  if (from === undefined || (value === undefined && steps.length > 0 && !isNamespace(steps.at(-1) ?? '')))
    return fallback && valueOf(fallback, scope);
  for (const step of steps) value = memberOf(value, step);
  // What is taken from an unknown object is one of the API by its name alone.
  if (value !== undefined && value !== GLOBAL && value.trust === 'pair' && steps.length > 0)
    value = { ...value, trust: 'name' };
  return value ?? (fallback && valueOf(fallback, scope));
}

function destinationOf(visited: CodeNode): Destination {
  const { parent, node, scope } = visited;
  const around = parent?.node;
  if (!around) return 'tested';
  switch (around.type) {
    case 'ChainExpression':
    case 'ParenthesizedExpression':
    case 'AwaitExpression':
      return destinationOf(parent);
    case 'LogicalExpression':
      return around.operator === '&&' && around.left === node ? 'tested' : destinationOf(parent);
    case 'ConditionalExpression':
      return around.test === node ? 'tested' : destinationOf(parent);
    case 'SequenceExpression':
      return around.expressions.at(-1) === node ? destinationOf(parent) : 'tested';
    case 'MemberExpression':
      if (around.object !== node) return 'tested';
      return memberName(around, scope) === undefined ? 'passed' : 'member';
    case 'AssignmentExpression':
      if (around.left === node) return 'tested';
      return around.left.type === 'MemberExpression' && !isApi(around.left, scope) ? 'passed' : 'bound';
    case 'CallExpression':
    case 'NewExpression':
      if (around.callee === node) return 'called';
      return around.callee.type === 'FunctionExpression' || around.callee.type === 'ArrowFunctionExpression'
        ? 'bound'
        : 'passed';
    case 'VariableDeclarator':
    case 'AssignmentPattern':
    case 'ExportDefaultDeclaration':
      return 'bound';
    case 'UnaryExpression':
    case 'BinaryExpression':
    case 'ExpressionStatement':
    case 'IfStatement':
    case 'WhileStatement':
    case 'SwitchStatement':
    case 'SwitchCase':
      return 'tested';
    default:
      return 'passed';
  }
}

/** Whether a member of the global object is the API, as in `globalThis.browser = chrome`. */
function isApi(node: AnyNode, scope: CodeNode['scope']): boolean {
  const value = valueOf(node, scope);
  return value !== undefined && value !== GLOBAL && value.path === '';
}

function spotOf({ start, end }: AnyNode): Spot {
  return { start, end };
}

function keep<K>(map: Map<K, Spot>, key: K, spot: Spot): void {
  if (!map.has(key) && map.size < MAX_KEPT) map.set(key, spot);
}
