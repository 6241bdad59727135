import type { JsonPath } from '../finding';
import { isHeaderName, isHeaderValue } from './action';
import { RESOURCE_TYPE_COUNT } from './ruleShape';
import type { JsonView } from '../json/jsonView';
import { isAscii } from '../values/addressRules';
import { isEmptyList, type RuleFault } from './view';

const CONDITION = 'condition';
const FRAMES: ReadonlySet<string> = new Set(['main_frame', 'sub_frame']);

/** Lists that must not be empty; those that exclude may be. */
const FILLED_LISTS = [
  'initiatorDomains',
  'requestDomains',
  'topDomains',
  'domains',
  'resourceTypes',
  'requestMethods',
  'tabIds',
];

/** Deprecated names of two lists, with the current ones. */
const RENAMED: readonly [string, string][] = [
  ['domains', 'initiatorDomains'],
  ['excludedDomains', 'excludedInitiatorDomains'],
];

const DOMAIN_LISTS = [
  ...['domains', 'excludedDomains', 'initiatorDomains', 'excludedInitiatorDomains', 'requestDomains'],
  ...['excludedRequestDomains', 'topDomains', 'excludedTopDomains'],
];

/** Faults of the lists of a condition that Chromium checks before its filters. */
export function listFault(rule: JsonView): RuleFault | undefined {
  for (const name of FILLED_LISTS) {
    if (isEmptyList(rule, CONDITION, name)) return emptyList(name, [CONDITION, name]);
  }
  for (const [old, current] of RENAMED) {
    if (rule.at(CONDITION, old) && rule.at(CONDITION, current)) {
      const text = `cannot use deprecated field "${old}". Use "${current}" instead.`;
      return { text, path: [CONDITION, old], fix: { do: 'remove' } };
    }
  }
  if (rule.at(CONDITION, 'tabIds') ?? rule.at(CONDITION, 'excludedTabIds')) {
    const text =
      'specifies a value for "tabIds" or "excludedTabIds" key. These are only supported for session-scoped rules.';
    return { text, path: [CONDITION] };
  }
  return undefined;
}

function emptyList(name: string, path: JsonPath): RuleFault {
  return { text: `cannot have an empty list as the value for ${name} key.`, path };
}

/** Faults of a filter that do not depend on its meaning. */
export function filterFault(rule: JsonView): RuleFault | undefined {
  const url = rule.stringAt(CONDITION, 'urlFilter');
  const regex = rule.stringAt(CONDITION, 'regexFilter');
  if (url !== undefined && regex !== undefined) {
    return { text: 'can only specify one of "urlFilter" or "regexFilter" keys.', path: [CONDITION, 'regexFilter'] };
  }
  for (const [name, value] of [
    ['regexFilter', regex],
    ['urlFilter', url],
  ] as const) {
    if (value === undefined) continue;
    const path = [CONDITION, name];
    if (value === '') return { text: `cannot have an empty value for ${name} key.`, path };
    if (!isAscii(value)) return { text: `cannot have non-ascii characters as part of "${name}" key.`, path };
  }
  return undefined;
}

/** Faults of the lists of a condition that Chromium checks after its filters. */
export function scopeFault(rule: JsonView): RuleFault | undefined {
  const overlap = (name: string, excluded: string): boolean => {
    const excludedNames = rule.stringsAt(CONDITION, excluded);
    return rule.stringsAt(CONDITION, name).some((value) => excludedNames.includes(value));
  };
  if (overlap('requestMethods', 'excludedRequestMethods')) {
    return { text: 'includes and excludes the same request method.', path: [CONDITION, 'requestMethods'] };
  }
  const excludedTypes = new Set(rule.stringsAt(CONDITION, 'excludedResourceTypes'));
  if (excludedTypes.size === RESOURCE_TYPE_COUNT) {
    return { text: 'is not applicable to any resource type.', path: [CONDITION, 'excludedResourceTypes'] };
  }
  if (overlap('resourceTypes', 'excludedResourceTypes')) {
    return { text: 'includes and excludes the same resource.', path: [CONDITION, 'resourceTypes'] };
  }
  const types = rule.stringsAt(CONDITION, 'resourceTypes');
  if (
    rule.stringAt('action', 'type') === 'allowAllRequests' &&
    (types.length === 0 || types.some((type) => !FRAMES.has(type)))
  ) {
    const text =
      'is an "allowAllRequests" rule and must specify the "resourceTypes" key. It may only include the "main_frame" and "sub_frame" resource types.';
    return { text, path: [CONDITION, 'resourceTypes'] };
  }
  for (const name of DOMAIN_LISTS) {
    if (rule.stringsAt(CONDITION, name).every(isAscii)) continue;
    return { text: `cannot have non-ascii characters as part of "${name}" key.`, path: [CONDITION, name] };
  }
  if ((rule.stringAt(CONDITION, 'urlFilter') ?? '').startsWith('||*')) {
    return { text: 'specifies an incorrect value for the "urlFilter" key.', path: [CONDITION, 'urlFilter'] };
  }
  return undefined;
}

const HEADER_LISTS = ['responseHeaders', 'excludedResponseHeaders'];

/** Faults of the response headers in a condition. */
export function responseHeaderFault(rule: JsonView): RuleFault | undefined {
  const names: Set<string>[] = [];
  for (const list of HEADER_LISTS) {
    const path = [CONDITION, list];
    if (isEmptyList(rule, ...path)) return emptyList(path.join('.'), path);
    const seen = new Set<string>();
    for (const index of rule.itemsAt(...path).keys()) {
      const text = headerInfoFault(rule, [...path, index], path.join('.'));
      if (text !== undefined) return { text, path: [...path, index] };
      seen.add(rule.stringAt(...path, index, 'header')?.toLowerCase() ?? '');
    }
    names.push(seen);
  }
  const [included, excluded] = names;
  if ([...(included ?? [])].some((name) => excluded?.has(name))) {
    return { text: 'includes and excludes the same response header.', path: [CONDITION, 'responseHeaders'] };
  }
  const looksAtHeaders = HEADER_LISTS.some((list) => rule.at(CONDITION, list));
  if (!looksAtHeaders || rule.stringAt('action', 'type') !== 'modifyHeaders' || !rule.at('action', 'requestHeaders'))
    return undefined;
  return {
    text: 'which matches on response headers cannot modify request headers.',
    path: ['action', 'requestHeaders'],
  };
}

function headerInfoFault(rule: JsonView, path: JsonPath, key: string): string | undefined {
  if (!isHeaderName(rule.stringAt(...path, 'header') ?? '')) return `must specify a valid header name for "${key}" key`;
  const values = ['values', 'excludedValues'].flatMap((name) => rule.stringsAt(...path, name));
  return values.every(isHeaderValue) ? undefined : `must specify a valid header value for "${key}" key`;
}
