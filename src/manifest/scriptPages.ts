import { fieldOf, listField, textsField } from '../base/fields';
import { urlOf } from '../base/url';
import { canonicalHost, covers, type MatchPattern, readPattern } from './values/matchPattern';

/** Keys of the manifest whose patterns name hosts that an extension can run scripts in. */
const HOST_KEYS = ['host_permissions', 'optional_host_permissions', 'permissions'];

/** Keys of content scripts that select pages by globs. */
const GLOB_KEYS = ['include_globs', 'exclude_globs'];

/** Schemes of pages that content scripts can run in, with the ports that addresses leave out. */
const PORTS: ReadonlyMap<string, string> = new Map([
  ['http', '80'],
  ['https', '443'],
  ['ftp', '21'],
  ['file', ''],
]);

/**
 * Which addresses the content scripts of an extension can run at, also those that it registers or injects; undefined when there are none.
 * Only hosts are compared: a page may change its path without being loaded.
 */
export function contentScriptPages(manifest: unknown): ((url: string) => boolean) | undefined {
  const scripts = listField(manifest, 'content_scripts').flatMap((entry) => textsField(entry, 'matches'));
  const hosts = HOST_KEYS.flatMap((key) => textsField(manifest, key));
  const patterns = [...scripts, ...hosts].flatMap(patternsIn).map((pattern) => ({ ...pattern, path: '/*' }));
  if (patterns.length === 0) return undefined;
  return (url) => {
    const page = patternOf(url);
    return page !== undefined && patterns.some((pattern) => covers(pattern, page));
  };
}

/**
 * At which addresses the content scripts of a manifest run when a page is loaded there, with the paths of their patterns and without what they
 * exclude. What globs select does not count.
 */
export function loadedScriptPages(manifest: unknown): (url: string) => boolean {
  const patternsOf = (entry: unknown, key: string): MatchPattern[] => textsField(entry, key).flatMap(patternsIn);
  const entries = listField(manifest, 'content_scripts')
    .filter((entry) => GLOB_KEYS.every((key) => fieldOf(entry, key) === undefined))
    .map((entry) => ({ matches: patternsOf(entry, 'matches'), excludes: patternsOf(entry, 'exclude_matches') }));
  return (url) => {
    const page = patternOf(url);
    if (!page) return false;
    const exact = { ...page, path: pathOf(url) };
    const isCovered = (patterns: readonly MatchPattern[]): boolean => patterns.some((one) => covers(one, exact));
    return entries.some(({ matches, excludes }) => isCovered(matches) && !isCovered(excludes));
  };
}

/** A pattern with its host as addresses have it; none for a text of another form. */
function patternsIn(text: string): MatchPattern[] {
  const pattern = readPattern(text);
  return pattern ? [{ ...pattern, host: pattern.host && canonicalHost(pattern.host) }] : [];
}

/** What patterns compare beside the host. */
function pathOf(url: string): string {
  const { pathname = '/', search = '' } = urlOf(url) ?? {};
  return pathname + search;
}

/** The pattern of all pages on the host of an address; undefined for one that no content script runs at. */
function patternOf(url: string): MatchPattern | undefined {
  const page = urlOf(url);
  if (!page) return undefined;
  const { protocol, hostname, port } = page;
  const scheme = protocol.slice(0, -1);
  const usualPort = PORTS.get(scheme);
  if (usualPort === undefined) return undefined;
  return { isAllUrls: false, scheme, host: hostname, matchesSubdomains: false, port: port || usualPort, path: '/*' };
}
