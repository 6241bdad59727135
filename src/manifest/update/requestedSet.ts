import type { JsonPath } from '../finding';
import type { PackageFacts } from '../packageFacts';
import { grantedHosts, type Host } from '../rules/hosts';
import { grantedPermissions } from '../rules/permissions';
import { canonicalHost, CONTENT_SCRIPT_SCHEMES, parseMatchPattern, showPattern } from '../values/matchPattern';
import { distinctHosts, isSuffixWildcard } from './distinctHosts';
import type { Requested } from './requested';
import { requestedSockets } from './requestedSockets';

/** A pattern of hosts, wherever it is in the manifest. */
export interface RequestedHost extends Host {
  isFile: boolean;
  isAllHosts: boolean;
}

/** Permissions that reach every address without a pattern; `devtools` is Chromium's own name for what `devtools_page` brings. */
const REACHES_ALL: ReadonlySet<string> = new Set(['debugger', 'pageCapture', 'tabCapture', 'proxy', 'devtools']);

/** What an extension requires: its permissions, keys and hosts. Nothing optional is in it. */
export class RequestedSet {
  readonly #isPlatformApp: boolean;
  readonly #permissions: readonly Requested[];
  /** In Chromium's order, by their text. */
  readonly #hosts: readonly RequestedHost[];

  constructor(facts: PackageFacts) {
    this.#isPlatformApp = facts.packageType === 'platform app';
    this.#permissions = requestedPermissions(facts);
    this.#hosts = requestedHosts(facts);
  }

  /** The patterns that count; those of a packaged app do not. */
  get hosts(): readonly RequestedHost[] {
    return this.#isPlatformApp ? [] : this.#hosts;
  }

  /** What reaches every address: patterns and permissions. */
  get allHosts(): readonly { path: JsonPath; written: string }[] {
    if (this.#isPlatformApp) return [];
    return [...this.#hosts.filter(({ isAllHosts }) => isAllHosts), ...this.#reachingPermissions()];
  }

  /** Permissions, with one for all hosts but none for single ones. */
  withoutHosts(): Requested[] {
    return [...this.#permissions, ...this.#warnedAllHosts()];
  }

  /** Everything that messages are made of. */
  withHosts(): Requested[] {
    if (this.#isPlatformApp) return [...this.#permissions];
    const all = this.#warnedAllHosts();
    return [...this.#permissions, ...(all.length > 0 ? all : this.#singleHosts())];
  }

  #reachingPermissions(): Requested[] {
    return this.#permissions.filter(({ id }) => REACHES_ALL.has(id));
  }

  /** All hosts, for people: also all that end in one public suffix, such as `*://*.com/*`. */
  #warnedAllHosts(): Requested[] {
    const wide = this.#hosts.filter(({ isAllHosts, pattern }) => isAllHosts || isSuffixWildcard(pattern));
    return [...wide, ...this.#reachingPermissions()].map(({ path, written }) => ({
      id: 'allHosts',
      parameter: '',
      path,
      written,
    }));
  }

  #singleHosts(): Requested[] {
    const isFavicon = ({ pattern }: RequestedHost): boolean => pattern.scheme === 'chrome';
    const favicons = this.#hosts.filter(isFavicon);
    const regular = this.#hosts.filter((host) => !isFavicon(host));
    const names = distinctHosts(
      regular.filter(({ isFile }) => !isFile),
      { withSuffix: true },
    );
    return [
      ...favicons.map(({ path, written }) => ({ id: 'favicon', parameter: '', path, written })),
      ...[...names].map(([parameter, { path, written }]) => ({ id: 'host', parameter, path, written })),
    ];
  }
}

function requestedPermissions(facts: PackageFacts): Requested[] {
  const permissions = grantedPermissions(facts)
    .filter(({ name }) => name !== 'socket')
    .map(({ name, path }) => ({ id: name, parameter: '', path, written: name }));
  return [...permissions, ...requestedKeys(facts), ...requestedSockets(facts)];
}

/** Keys that bring a permission, by Chromium's name for that. */
const KEYS: readonly { path: readonly string[]; id: string }[] = [
  { path: ['devtools_page'], id: 'devtools' },
  { path: ['chrome_url_overrides', 'newtab'], id: 'newTabPageOverride' },
];

function requestedKeys({ manifest }: PackageFacts): Requested[] {
  return KEYS.flatMap(({ path, id }): Requested[] =>
    manifest.at(...path) ? [{ id, parameter: '', path, written: path.join('.') }] : [],
  );
}

function requestedHosts(facts: PackageFacts): RequestedHost[] {
  const hosts = [...grantedHosts(facts), ...scriptedHosts(facts)].map(({ pattern, path, written }) => ({
    pattern: { ...pattern, host: canonicalHost(pattern.host) },
    path,
    written,
    isFile: pattern.scheme === 'file',
    isAllHosts: pattern.isAllUrls || (pattern.matchesSubdomains && pattern.host === ''),
  }));
  const sorted = hosts.map((host) => ({ host, text: showPattern(host.pattern) }));
  sorted.sort((a, b) => (a.text < b.text ? -1 : a.text > b.text ? 1 : 0));
  return sorted.map(({ host }) => host);
}

type ScriptedHost = Pick<RequestedHost, 'pattern' | 'path' | 'written'>;

/** The patterns of content scripts; what they exclude does not count. */
function scriptedHosts({ manifest }: PackageFacts): ScriptedHost[] {
  return manifest.itemsAt('content_scripts').flatMap((_, script) =>
    manifest.itemsAt('content_scripts', script, 'matches').flatMap((item, index): ScriptedHost[] => {
      const result = item.kind === 'string' ? parseMatchPattern(item.value, CONTENT_SCRIPT_SCHEMES) : undefined;
      if (item.kind !== 'string' || !result || 'fault' in result) return [];
      return [{ pattern: result.pattern, path: ['content_scripts', script, 'matches', index], written: item.value }];
    }),
  );
}
