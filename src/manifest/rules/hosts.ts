import * as l10n from '@vscode/l10n';
import { PERMISSIONS } from '../availability';
import type { JsonPath } from '../finding';
import type { PackageFacts } from '../packageFacts';
import { proposing, removing } from '../proposal';
import { caution, refusal } from '../refusal';
import { ruleOf, type Context, type Report } from '../rule';
import {
  HOST_PERMISSION_SCHEMES,
  parseMatchPattern,
  repairedPattern,
  showPattern,
  type MatchPattern,
} from '../values/matchPattern';
import { PatternIndex } from '../values/patternIndex';
import { askedPermissions } from './permissions';

const LISTS = ['host_permissions', 'optional_host_permissions'] as const;

/** In version 2 hosts are in the same lists as other permissions. */
const VERSION_2_LISTS = ['permissions', 'optional_permissions'] as const;

/** The one host of Chromium's own pages that version 2 may ask for. */
const FAVICON_HOST = 'favicon';

/** R-HOST: lists of patterns; Chromium ignores a malformed pattern with a warning. Measured on Chromium 156. */
export const hostPermissionRule = ruleOf('R-HOST', 'keys', ({ manifest }) => {
  return LISTS.flatMap((list): Report | Report[] => {
    const node = manifest.at(list);
    if (!node) return [];
    if (node.kind !== 'list') {
      const message = l10n.t('"{0}" has to be a list such as ["https://example.com/*"].', list);
      return refusal(`Invalid value for '${list}'.`, message, [list]);
    }
    return node.items.flatMap((item, index): Report | Report[] => {
      const path = [list, index];
      if (item.kind !== 'string') {
        return refusal(`Invalid value for '${list}[${index}]'.`, l10n.t('A host has to be a pattern in quotes.'), path);
      }
      return checkPattern(list, item.value, path);
    });
  });
});

function checkPattern(list: string, written: string, path: JsonPath): Report[] {
  const result = parseMatchPattern(written, HOST_PERMISSION_SCHEMES);
  if ('fault' in result) {
    const message = l10n.t(
      'Chromium ignores "{0}": {1} A pattern looks like https://*.example.com/*.',
      written,
      result.fault,
    );
    const repaired = repairedPattern(written, HOST_PERMISSION_SCHEMES);
    const fix = repaired === undefined ? undefined : ({ do: 'replace', by: repaired } as const);
    return [proposing(caution(`URL pattern '${written}' is malformed.`, message, path), fix)];
  }
  return isGrantable(result.pattern) ? [] : [invalidScheme({ list, written, path })];
}

function invalidScheme({ list, written, path }: { list: string; written: string; path: JsonPath }): Report {
  const text = `Invalid scheme for '${list}[${written}]'.`;
  return caution(text, l10n.t('Chromium ignores "{0}": extensions have no access to its own pages.', written), path);
}

/** False for Chromium's own pages, which extensions have no access to. */
function isGrantable({ scheme, host, matchesSubdomains }: MatchPattern, manifestVersion = 3): boolean {
  if (scheme !== 'chrome') return true;
  return manifestVersion < 3 && !matchesSubdomains && host.replace(/\.$/, '') === FAVICON_HOST;
}

/** R-HOST in version 2, where other faults of a pattern are R-PERM-UNKNOWN. Measured on Chromium 156, with packaged apps. */
export const versionTwoHostRule = ruleOf('R-HOST', 'keys', (context) => {
  if (context.manifestVersion >= 3) return [];
  return VERSION_2_LISTS.flatMap((list) =>
    hosts(context, list)
      .filter(({ pattern }) => !isGrantable(pattern, context.manifestVersion))
      .map(({ written, path }) => invalidScheme({ list, written, path })),
  );
});

/** R-PERM-REDUND for hosts: an optional host that a required one includes. Measured on Chromium 156. */
export const redundantHostRule = ruleOf('R-PERM-REDUND', 'keys', (context) => {
  const [required, optional] = context.manifestVersion >= 3 ? LISTS : VERSION_2_LISTS;
  const grantable = (list: string): Host[] =>
    hosts(context, list).filter(({ pattern }) => isGrantable(pattern, context.manifestVersion));
  const granted = new PatternIndex(grantable(required).map(({ pattern }) => pattern));
  return grantable(optional).flatMap(({ written, pattern, path }): Report | Report[] => {
    if (!granted.covers(pattern)) return [];
    const text = `Optional permission '${showPattern(pattern)}' is redundant with the required permissions;this permission will be omitted.`;
    const message = l10n.t('"{0}" already grants "{1}". Remove it here.', required, written);
    return removing(caution(text, message, path));
  });
});

/** The required hosts that this package gets. */
export function grantedHosts(facts: PackageFacts): Host[] {
  const { manifestVersion } = facts;
  const [list] = manifestVersion >= 3 ? LISTS : VERSION_2_LISTS;
  return hosts(facts, list).filter(({ pattern }) => isGrantable(pattern, manifestVersion));
}

/** A pattern of a list, for all paths. */
export interface Host {
  written: string;
  pattern: MatchPattern;
  path: JsonPath;
}

/** The valid patterns of a list. */
function hosts(context: Pick<Context, 'manifest'>, list: string): Host[] {
  return askedPermissions(context, list).flatMap(({ name, path }): Host[] => {
    const result = PERMISSIONS.has(name) ? undefined : parseMatchPattern(name, HOST_PERMISSION_SCHEMES);
    if (!result || 'fault' in result) return [];
    // Chromium grants whole hosts and ignores paths.
    return [{ written: name, pattern: { ...result.pattern, path: '/*' }, path }];
  });
}
