import type { AnyNode } from 'acorn';
import { isPermissionName } from './apiTable';
import { GLOBAL } from './codeScope';
import type { CodeNode } from './codeTree';
import { chainOf, lastNameOf, memberName, textOf, valueOf } from './codeValues';

/** Called with each mark that a script has, by its name. */
export type Mark = (name: string, node: AnyNode) => void;

/** What a tab has only with a permission. */
const TAB_FIELDS: ReadonlySet<string> = new Set(['url', 'pendingUrl', 'title', 'favIconUrl']);

/** Names of variables that hold a tab, or what has changed of one. */
const TAB_NAME = /(^|[a-z_$])tabs?\d*$|Tabs?\d*$|^(change|changes|changeInfo)$/i;

/** Names of what has an address or a title and is no tab: the page, a request, who has sent a message. */
const OTHER_NAME = /^(location|document|meta|request|req|response|resp|res|details|URL)$/;

/** Names of the platform that are marks by themselves. */
const PLAIN: ReadonlySet<string> = new Set([
  ...['cookieStore', 'localStorage', 'sessionStorage', 'indexedDB', 'speechSynthesis', 'Notification'],
  ...['showNotification', 'pushManager', 'getDisplayMedia', 'geolocation'],
]);

/** Pairs of names of the platform, by the mark. */
const PAIRS: Readonly<Record<string, string>> = {
  'document.cookie': 'document.cookie',
  'navigator.storage': 'navigator.storage',
  'navigator.wakeLock': 'navigator.wakeLock',
  'clipboard.read': 'clipboard.read',
  'clipboard.readText': 'clipboard.read',
  'clipboard.write': 'clipboard.write',
  'clipboard.writeText': 'clipboard.write',
};

const SECOND_NAMES: ReadonlySet<string> = new Set(Object.keys(PAIRS).map((pair) => pair.split('.')[1] ?? ''));

/** Whatever asks a server, which may be one of a host permission. */
const NETWORK: ReadonlySet<string> = new Set([
  ...['fetch', 'XMLHttpRequest', 'WebSocket', 'EventSource', 'WebTransport', 'Request', 'axios', 'caches'],
  ...['sendBeacon', 'ajax', 'getJSON', 'crossOrigin', 'getImageData'],
]);

/** Those of the network whose first argument is an address. */
const ADDRESSED: ReadonlySet<string> = new Set(['fetch', 'WebSocket', 'EventSource', 'WebTransport', 'Request']);

const BLOCKING: ReadonlySet<string> = new Set(['blocking', 'asyncBlocking']);

/** Reports the uses of the platform that an expression shows to `mark`. */
export function markNode(visited: CodeNode, mark: Mark): void {
  const { node, scope } = visited;
  switch (node.type) {
    case 'Identifier':
      markName(visited, node.name, mark);
      return;
    case 'MemberExpression': {
      const name = memberName(node, scope);
      if (name === undefined) return;
      markName(visited, name, mark);
      const pair = SECOND_NAMES.has(name) ? PAIRS[`${lastNameOf(node.object, scope)}.${name}`] : undefined;
      if (pair !== undefined) mark(pair, node);
      const read = TAB_FIELDS.has(name) && isRead(visited) ? markOfRead(chainOf(node.object, scope)) : undefined;
      if (read !== undefined) mark(read, node);
      return;
    }
    case 'CallExpression':
      markCall(visited, mark);
      return;
    case 'Literal':
      if (typeof node.value === 'string') markText(node.value, node, mark);
      return;
    case 'TemplateElement':
      markText(node.value.cooked ?? '', node, mark);
      return;
    default:
  }
}

/** The mark of a pattern that reads a field of a tab, of what the names lead to or of something unknown. */
export function markOfPattern(fields: readonly string[], chain: readonly string[]): string | undefined {
  const inner = fields.slice(0, -1).filter((name) => name !== '0');
  return TAB_FIELDS.has(fields.at(-1) ?? '') ? markOfRead([...chain, ...inner]) : undefined;
}

function markName(visited: CodeNode, name: string, mark: Mark): void {
  const { node, scope } = visited;
  const [isPlain, isNetwork] = [PLAIN.has(name), NETWORK.has(name)];
  if (!isPlain && !isNetwork) return;
  const isOwn = node.type === 'Identifier' && scope.isDeclared(name);
  if (isOwn) return;
  if (isPlain) mark(name, node);
  if (isNetwork && !isKnownRequest(visited, name)) mark('network', node);
}

/** Whether a request goes to an address that stands in the code, or to the extension's own files. */
function isKnownRequest({ node, parent, scope }: CodeNode, name: string): boolean {
  const call = parent?.node;
  if (!ADDRESSED.has(name) || (call?.type !== 'CallExpression' && call?.type !== 'NewExpression')) return false;
  if (call.callee !== node) return false;
  const [address] = call.arguments;
  if (address?.type === 'CallExpression') return lastNameOf(address, scope) === 'getURL';
  const text = textOf(address, scope);
  if (text === undefined) return false;
  // The host of an address is known by its beginning only when it has an end there.
  const known = text.isWhole ? /^(https?|wss?):\/\/[^/]+/ : /^(https?|wss?):\/\/[^/]+\//;
  return known.test(text.text) || /^(\.{0,2}\/[^/]|chrome-extension:|data:|\w[\w-]*[./])/.test(text.text);
}

function markOfRead(chain: readonly string[]): string | undefined {
  const last = chain.at(-1) ?? '';
  if (chain.includes('sender') || chain.includes('location') || OTHER_NAME.test(last)) return undefined;
  return TAB_NAME.test(last) ? 'tab.read' : 'field.read';
}

function isRead({ node, parent }: CodeNode): boolean {
  const around = parent?.node;
  if (around?.type === 'AssignmentExpression') return around.left !== node;
  return around?.type !== 'CallExpression' || around.callee !== node;
}

function markCall({ node, scope }: CodeNode, mark: Mark): void {
  if (node.type !== 'CallExpression') return;
  const called = valueOf(node.callee, scope);
  const path = called === undefined || called === GLOBAL ? '' : called.path;
  const [first] = node.arguments;
  if (path === 'tabs.query' && first) {
    const filter = filterOf(first, (key) => key === 'url' || key === 'title');
    if (filter !== 'without') mark(filter === 'with' ? 'tabs.query.filter' : 'tabs.query.unknown', node);
  }
  if (path === 'permissions.request' && first && !namesAll(first, scope)) mark('permissions.unknown', node);
  if (lastNameOf(node.callee, scope) !== 'execCommand') return;
  const command = textOf(first, scope)?.text.toLowerCase();
  if (command === undefined || command === 'paste') mark('clipboard.read', node);
  if (command === undefined || command === 'copy' || command === 'cut') mark('clipboard.write', node);
}

/** Whether the permissions that are requested stand in the code. */
function namesAll(node: AnyNode, scope: CodeNode['scope']): boolean {
  if (node.type !== 'ObjectExpression') return false;
  return node.properties.every((property) => {
    if (property.type === 'SpreadElement' || property.computed) return false;
    const { key, value } = property;
    if (key.type === 'Identifier' && key.name === 'origins') return true;
    const items = value.type === 'ArrayExpression' ? value.elements : undefined;
    return items?.every((item) => item !== null && textOf(item, scope)?.isWhole === true) === true;
  });
}

/** Whether an object has a key of a kind; unknown of what is no object in the code. */
function filterOf(node: AnyNode, isAsked: (key: string) => boolean): 'with' | 'without' | 'unknown' {
  if (node.type !== 'ObjectExpression') return 'unknown';
  const keys = node.properties.map((property) => {
    if (property.type === 'SpreadElement' || property.computed) return undefined;
    const { key } = property;
    return key.type === 'Identifier' ? key.name : key.type === 'Literal' ? String(key.value) : undefined;
  });
  if (keys.some((key) => key !== undefined && isAsked(key))) return 'with';
  return keys.includes(undefined) ? 'unknown' : 'without';
}

function markText(text: string, node: AnyNode, mark: Mark): void {
  if (text.includes('_favicon')) mark('favicon', node);
  if (BLOCKING.has(text)) mark('blocking', node);
  if (isPermissionName(text)) mark(`name:${text}`, node);
}
