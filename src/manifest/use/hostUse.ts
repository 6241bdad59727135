import type { JsonView } from '../json/jsonView';
import { covers, readPattern, type MatchPattern } from '../values/matchPattern';
import { apiSpot, firstOf, hiddenUse, readsOfTabs, requestOf, type Use, type UseContext } from './permissionUse';

/** Members of the API that reach only hosts which the extension has a permission for. */
const HOST_API: readonly string[] = [
  ...['scripting', 'userScripts', 'tabs.executeScript', 'tabs.insertCSS', 'tabs.removeCSS', 'tabs.captureVisibleTab'],
  ...[
    'cookies',
    'webRequest',
    'declarativeNetRequest',
    'declarativeContent',
    'declarativeWebRequest',
    'permissions',
    'downloads',
    'contentSettings',
  ],
  // Of Firefox.
  ...['contentScripts', 'proxy.onRequest', 'menus.onShown'],
];

/** Whether a pattern is one for hosts, as permissions of version 2 may be. */
export function isHostPattern(text: string): boolean {
  return text === '<all_urls>' || text.includes('://');
}

/** The required host permission that covers all sites, as it is written. */
export function allSitesIn(manifest: JsonView): string | undefined {
  const written = [...manifest.stringsAt('host_permissions'), ...manifest.stringsAt('permissions')];
  return written.find((text) => {
    const pattern = isHostPattern(text) ? readPattern(text) : undefined;
    return pattern !== undefined && isForAllSites(pattern) && (pattern.isAllUrls || pattern.scheme === '*');
  });
}

/** Whether a pattern is for any host. */
export function isForAllSites({ host, matchesSubdomains }: MatchPattern): boolean {
  return host === '' && matchesSubdomains;
}

/** What reading the code says of a host permission; an optional one is only used by code that requests permissions. */
export function useOfHost(written: string, { code, manifest }: UseContext): Use {
  const pattern = readPattern(written);
  // What loads files, and icons as `chrome://favicon/`, is not looked for.
  if (!pattern || pattern.scheme === 'file' || pattern.scheme === 'chrome') return { kind: 'maybe', doubt: 'unknown' };
  const isWide = isForAllSites(pattern);
  for (const { path, facts, isReached } of isWide ? [] : code.scripts) {
    for (const [address, spot] of facts.addresses) {
      if (!isAtHost(pattern, address)) continue;
      return isReached ? { kind: 'used', file: path, spot } : { kind: 'maybe', doubt: 'unreached', file: path, spot };
    }
  }
  const rules = ['declarative_net_request', 'rule_resources'];
  const target = firstOf(code, (script) => apiSpot(script, { api: HOST_API }));
  if (target?.kind === 'used' && isWide) return target;
  if (target) return { ...target, kind: 'maybe', doubt: 'target' };
  if (manifest.at(...rules)) return { kind: 'maybe', doubt: 'target', file: 'manifest.json', path: rules };
  return requestOf(code) ?? readsOfTabs(code) ?? hiddenUse(code) ?? { kind: 'none' };
}

/** Whether an address, which may end in the middle, is at a host of the pattern; schemes and paths do not count. */
function isAtHost(pattern: MatchPattern, address: string): boolean {
  const [, host = ''] = /^\w+:\/\/(?:[^/@]*@)?([^/:?#]*)/.exec(address) ?? [];
  const page = {
    isAllUrls: false,
    scheme: 'https',
    host: host.toLowerCase(),
    matchesSubdomains: false,
    port: '*',
    path: '/*',
  };
  // The name of a host may begin with what is known only at run time.
  return (
    covers({ ...pattern, scheme: 'https', port: '*', path: '/*' }, page) ||
    (host.includes('*') && host.endsWith(pattern.host))
  );
}
