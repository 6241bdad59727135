import { distinctHosts } from './distinctHosts';
import type { RequestedHost, RequestedSet } from './requestedSet';

/** What asks for a host that was not granted; of what has no pattern, such as a permission that reaches every address, `isFile` is false. */
type NotCovered = Pick<RequestedHost, 'path' | 'written'> & { isFile: boolean };

/** What in the requested set reaches hosts that the granted one does not. Source: C-UPDATE-INCREASE. */
export function hostsNotCovered(granted: RequestedSet, requested: RequestedSet): NotCovered[] {
  if (granted.allHosts.length > 0) return [];
  if (requested.allHosts.length > 0)
    return requested.allHosts.map(({ path, written }) => ({ path, written, isFile: false }));
  const names = distinctHosts(granted.hosts, { withSuffix: false });
  const domains = new Set([...names.keys()].filter((name) => name.length > 2 && name.startsWith('*.')));
  return requested.hosts.filter((host) => {
    const [name = ''] = distinctHosts([host], { withSuffix: false }).keys();
    return !names.has(name) && !isWithin(name, domains);
  });
}

/** Whether a name is one of the domains, or below one of them; those begin with `*.`. */
function isWithin(name: string, domains: ReadonlySet<string>): boolean {
  if (domains.size === 0) return false;
  for (let at = 0; at >= 0; at = name.indexOf('.', at) + 1 || -1) {
    if (domains.has(`*.${name.slice(at)}`)) return true;
  }
  return false;
}
