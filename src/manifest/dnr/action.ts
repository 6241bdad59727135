import type { JsonPath } from '../finding';
import { parseAddress } from '../values/addressRules';
import type { JsonView } from '../json/jsonView';
import { isEmptyList, type RuleFault } from './view';

const TRANSFORM_SCHEMES = ['http', 'https', 'ftp', 'chrome-extension'];
const MAX_PORT = 65535;

/** Request headers that may have several values. Source: the documentation of declarativeNetRequest. */
const APPENDABLE_HEADERS: ReadonlySet<string> = new Set([
  ...['accept', 'accept-encoding', 'accept-language', 'access-control-request-headers', 'cache-control', 'connection'],
  ...['content-language', 'cookie', 'forwarded', 'if-match', 'if-none-match', 'keep-alive', 'range', 'te', 'trailer'],
  ...['transfer-encoding', 'upgrade', 'user-agent', 'via', 'want-digest', 'x-forwarded-for'],
]);

/** True for the name of a header. Source: RFC 9110. */
export function isHeaderName(name: string): boolean {
  return /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name);
}

/** True for the value of a header. */
export function isHeaderValue(value: string): boolean {
  return !/[\0\r\n]/.test(value);
}

function incorrect(key: string, path: JsonPath, more = ''): RuleFault {
  return { text: `specifies an incorrect value for the "${key}" key.${more}`, path };
}

/** The fault of a redirect's target. Of the four kinds of target, Chromium checks the first that is given. */
export function redirectFault(rule: JsonView): RuleFault | undefined {
  const path = ['action', 'redirect'];
  const url = rule.stringAt(...path, 'url');
  if (url !== undefined) return urlFault(url, [...path, 'url']);
  const extensionPath = rule.stringAt(...path, 'extensionPath');
  if (extensionPath !== undefined) {
    if (extensionPath.startsWith('/')) return undefined;
    return incorrect('action.redirect.extensionPath', [...path, 'extensionPath']);
  }
  if (rule.at(...path, 'transform')) return transformFault(rule, [...path, 'transform']);
  const substitution = rule.stringAt(...path, 'regexSubstitution');
  if (substitution === undefined) return incorrect('action.redirect', path);
  return substitution === ''
    ? incorrect('action.redirect.regexSubstitution', [...path, 'regexSubstitution'])
    : undefined;
}

function urlFault(url: string, path: JsonPath): RuleFault | undefined {
  const address = parseAddress(url);
  if (!address) return { text: 'does not provide a valid URL for action.redirect.url key.', path };
  if (address.protocol !== 'javascript:') return undefined;
  return incorrect('action.redirect.url', path, ' Redirects to javascript urls are not supported.');
}

function transformFault(rule: JsonView, path: JsonPath): RuleFault | undefined {
  const key = path.join('.');
  const part = (name: string): string | undefined => rule.stringAt(...path, name);
  const scheme = part('scheme');
  if (scheme !== undefined && !TRANSFORM_SCHEMES.includes(scheme)) {
    return incorrect(`${key}.scheme`, [...path, 'scheme'], ` Allowed values are: [${TRANSFORM_SCHEMES.join(', ')}].`);
  }
  const port = part('port') ?? '';
  if (port !== '' && !(/^\+?\d+$/.test(port) && Number(port) <= MAX_PORT))
    return incorrect(`${key}.port`, [...path, 'port']);
  for (const [name, mark] of [
    ['query', '?'],
    ['fragment', '#'],
  ] as const) {
    const value = part(name) ?? '';
    if (value !== '' && !value.startsWith(mark)) return incorrect(`${key}.${name}`, [...path, name]);
  }
  if (part('query') === undefined || !rule.at(...path, 'queryTransform')) return undefined;
  return { text: `cannot specify both "${key}.query" and "${key}.queryTransform" keys.`, path };
}

/** The fault of the headers that a rule modifies. */
export function modifiedHeadersFault(rule: JsonView): RuleFault | undefined {
  const lists = ['requestHeaders', 'responseHeaders'];
  if (lists.every((list) => rule.at('action', list) === undefined)) {
    const text =
      'does not specify a value for "action.requestHeaders" or "action.responseHeaders" key. At least one of these keys must be specified with a non-empty list.';
    return { text, path: ['action'] };
  }
  for (const list of lists) {
    const path = ['action', list];
    if (isEmptyList(rule, ...path))
      return { text: `cannot have an empty list as the value for action.${list} key.`, path };
    for (const index of rule.itemsAt(...path).keys()) {
      const text = headerFault(rule, [...path, index], list === 'requestHeaders');
      if (text !== undefined) return { text, path: [...path, index] };
    }
  }
  return undefined;
}

function headerFault(rule: JsonView, path: JsonPath, isRequest: boolean): string | undefined {
  const name = rule.stringAt(...path, 'header') ?? '';
  const operation = rule.stringAt(...path, 'operation');
  const value = rule.stringAt(...path, 'value');
  if (!isHeaderName(name)) return 'must specify a valid header name to be modified.';
  if (isRequest && operation === 'append' && !APPENDABLE_HEADERS.has(name.toLowerCase())) {
    return 'specifies an invalid request header to be appended. Only standard HTTP request headers that can specify multiple values for a single entry are supported.';
  }
  if (value === undefined) {
    return operation === 'remove' ? undefined : 'must provide a value for a header to be appended/set.';
  }
  if (!isHeaderValue(value)) return 'must provide a valid header value to be appended/set.';
  return operation === 'remove' ? 'must not provide a header value for a header to be removed.' : undefined;
}
