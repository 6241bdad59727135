import type { JsonPath } from '../finding';
import { isHeaderName, isHeaderValue } from './action';
import { RESOURCE_TYPE_COUNT } from './ruleShape';
import type { RuleFault, RuleView } from './view';

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

function isAscii(text: string): boolean {
  return /^[\0-\x7f]*$/.test(text);
}

/** Faults of the lists of a condition that Chromium checks before its filters. */
export function listFault(rule: RuleView): RuleFault | undefined {
  for (const name of FILLED_LISTS) {
    if (rule.length(CONDITION, name) === 0) return emptyList(name, [CONDITION, name]);
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
export function filterFault(rule: RuleView): RuleFault | undefined {
  const url = rule.string(CONDITION, 'urlFilter');
  const regex = rule.string(CONDITION, 'regexFilter');
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
export function scopeFault(rule: RuleView): RuleFault | undefined {
  const overlap = (name: string, excluded: string): boolean => {
    const excludedNames = rule.strings(CONDITION, excluded) ?? [];
    return (rule.strings(CONDITION, name) ?? []).some((value) => excludedNames.includes(value));
  };
  if (overlap('requestMethods', 'excludedRequestMethods')) {
    return { text: 'includes and excludes the same request method.', path: [CONDITION, 'requestMethods'] };
  }
  const excludedTypes = new Set(rule.strings(CONDITION, 'excludedResourceTypes'));
  if (excludedTypes.size === RESOURCE_TYPE_COUNT) {
    return { text: 'is not applicable to any resource type.', path: [CONDITION, 'excludedResourceTypes'] };
  }
  if (overlap('resourceTypes', 'excludedResourceTypes')) {
    return { text: 'includes and excludes the same resource.', path: [CONDITION, 'resourceTypes'] };
  }
  const types = rule.strings(CONDITION, 'resourceTypes') ?? [];
  if (
    rule.string('action', 'type') === 'allowAllRequests' &&
    (types.length === 0 || types.some((type) => !FRAMES.has(type)))
  ) {
    const text =
      'is an "allowAllRequests" rule and must specify the "resourceTypes" key. It may only include the "main_frame" and "sub_frame" resource types.';
    return { text, path: [CONDITION, 'resourceTypes'] };
  }
  for (const name of DOMAIN_LISTS) {
    if ((rule.strings(CONDITION, name) ?? []).every(isAscii)) continue;
    return { text: `cannot have non-ascii characters as part of "${name}" key.`, path: [CONDITION, name] };
  }
  if ((rule.string(CONDITION, 'urlFilter') ?? '').startsWith('||*')) {
    return { text: 'specifies an incorrect value for the "urlFilter" key.', path: [CONDITION, 'urlFilter'] };
  }
  return undefined;
}

const HEADER_LISTS = ['responseHeaders', 'excludedResponseHeaders'];

/** Faults of the response headers in a condition. */
export function responseHeaderFault(rule: RuleView): RuleFault | undefined {
  const names: Set<string>[] = [];
  for (const list of HEADER_LISTS) {
    const path = [CONDITION, list];
    const length = rule.length(...path);
    if (length === 0) return emptyList(path.join('.'), path);
    const seen = new Set<string>();
    for (let index = 0; index < (length ?? 0); index++) {
      const text = headerInfoFault(rule, [...path, index], path.join('.'));
      if (text !== undefined) return { text, path: [...path, index] };
      seen.add(rule.string(...path, index, 'header')?.toLowerCase() ?? '');
    }
    names.push(seen);
  }
  const [included, excluded] = names;
  if ([...(included ?? [])].some((name) => excluded?.has(name))) {
    return { text: 'includes and excludes the same response header.', path: [CONDITION, 'responseHeaders'] };
  }
  const looksAtHeaders = HEADER_LISTS.some((list) => rule.at(CONDITION, list));
  if (!looksAtHeaders || rule.string('action', 'type') !== 'modifyHeaders' || !rule.at('action', 'requestHeaders'))
    return undefined;
  return {
    text: 'which matches on response headers cannot modify request headers.',
    path: ['action', 'requestHeaders'],
  };
}

function headerInfoFault(rule: RuleView, path: JsonPath, key: string): string | undefined {
  if (!isHeaderName(rule.string(...path, 'header') ?? '')) return `must specify a valid header name for "${key}" key`;
  const values = ['values', 'excludedValues'].flatMap((name) => rule.strings(...path, name) ?? []);
  return values.every(isHeaderValue) ? undefined : `must specify a valid header value for "${key}" key`;
}
