import { domainToUnicode } from 'node:url';
import { parse } from 'tldts';
import type { MatchPattern } from '../values/matchPattern';

/**
 * The names of hosts as Chromium compares them and names them to people, each with the first pattern that has it: `*.` in front when
 * subdomains match; scheme, port and path do not count. Without the public suffix, `a.com` and `a.co.uk` are one host, `a.`; with it, one
 * host is named once, by `com`, `net`, `org` or the first suffix.
 *
 * Source: C-UPDATE-HOSTS. The list of public suffixes is that of the library, which is not of the same day as a browser's.
 */
export function distinctHosts<Host extends { pattern: MatchPattern }>(
  hosts: Iterable<Host>,
  { withSuffix }: { withSuffix: boolean },
): Map<string, Host> {
  const bySite = new Map<string, { suffix: string; host: Host }>();
  for (const host of hosts) {
    const { name, suffix } = splitHost(host.pattern);
    const seen = bySite.get(name);
    if (!seen) bySite.set(name, { suffix, host });
    else if (rankOf(suffix) < rankOf(seen.suffix)) seen.suffix = suffix;
  }
  const named = [...bySite].map(([name, { suffix, host }]) => [withSuffix ? name + suffix : name, host] as const);
  return new Map(named);
}

/** Suffixes that Chromium rather shows than others. */
const SHOWN_FIRST = ['com', 'net', 'org'];

function rankOf(suffix: string): number {
  const rank = SHOWN_FIRST.indexOf(suffix);
  return rank < 0 ? SHOWN_FIRST.length : rank;
}

function splitHost({ host, matchesSubdomains }: MatchPattern): { name: string; suffix: string } {
  const shown = (matchesSubdomains ? '*.' : '') + (domainToUnicode(host) || host);
  const length = suffixLength(shown);
  return { name: shown.slice(0, shown.length - length), suffix: shown.slice(shown.length - length) };
}

/** True of a pattern for all hosts that end in one public suffix, such as `*://*.co.uk/*`. */
export function isSuffixWildcard({ host, matchesSubdomains }: MatchPattern): boolean {
  return matchesSubdomains && host !== '' && suffixLength(host) === 0 && suffixLength(`foo.${host}`) > 0;
}

/** The length of the public suffix behind at least one label, with the dot at its end; 0 where there is none. */
function suffixLength(host: string): number {
  const bare = host.replace(/\.$/, '');
  const { isIcann, publicSuffix } = parse(bare, OF_NAMES);
  if (isIcann !== true || publicSuffix === null || publicSuffix.length >= bare.length) return 0;
  return publicSuffix.length + host.length - bare.length;
}

const OF_NAMES = { extractHostname: false, validateHostname: false, detectIp: false, allowPrivateDomains: false };
