import type { JsonPath } from '../finding';
import { caution, refusal } from '../refusal';
import type { Context, Report, Rule } from '../rule';
import { HOST_PERMISSION_SCHEMES, parseMatchPattern, showPattern, type MatchPattern } from '../values/matchPattern';
import { PatternIndex } from '../values/patternIndex';

const LISTS = ['host_permissions', 'optional_host_permissions'] as const;

/** R-HOST: lists of patterns; a pattern that is none is only left out. Measured on Chromium 156. */
export const hostPermissionRule: Rule = {
  id: 'R-HOST',
  stage: 'keys',
  check({ manifest }) {
    return LISTS.flatMap((list): Report[] => {
      const node = manifest.at(list);
      if (!node) return [];
      if (node.kind !== 'list') {
        return [
          refusal(`Invalid value for '${list}'.`, `"${list}" has to be a list such as ["https://example.com/*"].`, [
            list,
          ]),
        ];
      }
      return node.items.flatMap((item, index): Report[] => {
        const path = [list, index];
        if (item.kind !== 'string') {
          return [refusal(`Invalid value for '${list}[${index}]'.`, 'A host has to be a pattern in quotes.', path)];
        }
        return checkPattern(list, item.value, path);
      });
    });
  },
};

function checkPattern(list: string, written: string, path: JsonPath): Report[] {
  const result = parseMatchPattern(written, HOST_PERMISSION_SCHEMES);
  if ('fault' in result) {
    const message = `Chromium ignores "${written}": ${result.fault} A pattern looks like https://*.example.com/*.`;
    return [caution(`URL pattern '${written}' is malformed.`, message, path)];
  }
  if (result.pattern.scheme !== 'chrome') return [];
  const text = `Invalid scheme for '${list}[${written}]'.`;
  return [caution(text, `Chromium ignores "${written}": extensions have no access to its own pages.`, path)];
}

/** R-PERM-REDUND for hosts: all of an optional one is granted already. Measured on Chromium 156. */
export const redundantHostRule: Rule = {
  id: 'R-PERM-REDUND',
  stage: 'keys',
  check(context) {
    const granted = new PatternIndex(hosts(context, 'host_permissions').map(({ pattern }) => pattern));
    return hosts(context, 'optional_host_permissions').flatMap(({ written, pattern, path }): Report[] => {
      if (!granted.covers(pattern)) return [];
      const text = `Optional permission '${showPattern(pattern)}' is redundant with the required permissions;this permission will be omitted.`;
      return [caution(text, `"host_permissions" grants "${written}" already. Remove it here.`, path)];
    });
  },
};

function hosts({ manifest }: Context, list: string): { written: string; pattern: MatchPattern; path: JsonPath }[] {
  const node = manifest.at(list);
  if (node?.kind !== 'list') return [];
  return node.items.flatMap((item, index) => {
    const result = item.kind === 'string' ? parseMatchPattern(item.value, HOST_PERMISSION_SCHEMES) : undefined;
    if (item.kind !== 'string' || !result || 'fault' in result || result.pattern.scheme === 'chrome') return [];
    // Hosts are granted as a whole: their paths do not count.
    return [{ written: item.value, pattern: { ...result.pattern, path: '/*' }, path: [list, index] }];
  });
}
