import type { JsonDocument } from '../document';
import type { JsonPath } from '../finding';
import { packageFacts } from '../packageFacts';
import { permissionMessages, type PermissionMessage } from './permissionMessages';
import { RequestedSet, type RequestedHost } from './requestedSet';
import { distinctHosts } from './distinctHosts';

/** What Chromium says of permissions before it installs an extension, in English. */
export interface PermissionWarning {
  text: string;
  /** The hosts of a list that is too long for the text. */
  details: readonly string[];
}

/** What in the new manifest asks for more. */
export interface PermissionCause {
  /** Path of the permission, host, pattern of a content script, or key in the new manifest. */
  path: JsonPath;
  /** It as it is written there; of a key, its name. */
  name: string;
  /** The text that people are asked about because of it; undefined of local files, of which Chromium says nothing. */
  warning?: string;
}

/** What an update means for the permissions of those who have the extension. */
export interface PermissionChange {
  /**
   * Whether Chromium disables the updated extension until its user agrees: of users who have granted what the old version requires, and
   * nothing more. One who has granted more, such as an optional permission, is never asked when this is false, and may not be when it is
   * true. An unpacked extension, or one of a policy, is never asked about.
   */
  isAskedAgain: boolean;
  /** In the order of the rule, hosts first; some exactly when `isAskedAgain`. */
  causes: readonly PermissionCause[];
  /** In Chromium's order. */
  warningsBefore: readonly PermissionWarning[];
  warningsAfter: readonly PermissionWarning[];
}

/**
 * Compares the permissions of two versions as Chromium does when it updates an installed extension. Never throws, whatever the manifests:
 * what Chromium would ignore in one, such as a permission that it does not know, is not asked for.
 *
 * Facts: C-UPDATE-INCREASE, C-UPDATE-MESSAGES.
 */
export function permissionChange(before: JsonDocument, after: JsonDocument): PermissionChange {
  const granted = new RequestedSet(packageFacts(before));
  const requested = new RequestedSet(packageFacts(after));
  const warningsAfter = permissionMessages(requested.withHosts());
  const causes = distinctCauses([
    ...causesOfHosts(granted, requested, warningsAfter),
    ...causesOfMessages(granted, requested),
  ]);
  return {
    isAskedAgain: causes.length > 0,
    causes,
    warningsBefore: permissionMessages(granted.withHosts()).map(warningOf),
    warningsAfter: warningsAfter.map(warningOf),
  };
}

function warningOf({ text, details }: PermissionMessage): PermissionWarning {
  return { text, details };
}

function causesOfHosts(
  granted: RequestedSet,
  requested: RequestedSet,
  messages: readonly PermissionMessage[],
): PermissionCause[] {
  const about = messages.find(({ used }) => used.some(({ id }) => id === 'allHosts' || id === 'host'));
  return hostsNotCovered(granted, requested).map(({ path, written, isFile }) => ({
    path,
    name: written,
    ...(about && !isFile && { warning: about.text }),
  }));
}

/** Permissions and keys that bring a message which those of the old version do not bring, also together with those. */
function causesOfMessages(granted: RequestedSet, requested: RequestedSet): PermissionCause[] {
  const had = granted.withoutHosts();
  const keys = new Set(had.map(keyOf));
  const added = requested.withoutHosts().filter((permission) => !keys.has(keyOf(permission)));
  if (added.length === 0) return [];
  const known = new Set(permissionMessages(had).map(textsOf));
  const news = permissionMessages([...had, ...added]).filter((message) => !known.has(textsOf(message)));
  return news.flatMap(({ text, needs, used }): PermissionCause[] => {
    const fresh = used.filter((permission) => !keys.has(keyOf(permission)));
    const needed = fresh.filter(({ id }) => needs.includes(id));
    const responsible = needed.length > 0 ? needed : fresh.length > 0 ? fresh : added;
    return responsible.map(({ path, written }) => ({ path, name: written, warning: text }));
  });
}

function keyOf({ id, parameter }: { id: string; parameter: string }): string {
  return `${id} ${parameter}`;
}

function textsOf({ text, details }: PermissionWarning): string {
  return [text, ...details].join('\n');
}

function distinctCauses(causes: readonly PermissionCause[]): PermissionCause[] {
  const byKey = new Map(causes.map((cause) => [JSON.stringify([cause.path, cause.warning]), cause]));
  return [...byKey.values()];
}

/** What asks for a host that was not granted; of what has no pattern, such as a permission that reaches every address, `isFile` is false. */
type NotCovered = Pick<RequestedHost, 'path' | 'written'> & { isFile: boolean };

/** What in the requested set reaches hosts that the granted one does not. Source: C-UPDATE-INCREASE. */
function hostsNotCovered(granted: RequestedSet, requested: RequestedSet): NotCovered[] {
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
