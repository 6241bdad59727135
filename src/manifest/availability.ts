import { JsonDocument } from './document';
import type { Dictionary, JsonNode } from './json/node';
import type { PackageType } from './packageType';
import keysTable from './tables/keys.json';
import permissionsTable from './tables/permissions.json';

/** The conditions under which Chromium accepts a key or permission. The tables hold the answers of Chromium 156 on Linux. */
export interface Availability {
  /** Not on Linux, where the tables were measured. */
  platform?: string;
  /** Kinds of packages that have it whatever the other conditions. */
  available?: readonly string[];
  flag?: string;
  switch?: string;
  types?: readonly string[];
  /** Reserved for packages of a certain kind, by their id or by where they come from. */
  except?: string;
  minVersion?: number;
  maxVersion?: number;
}

export interface PermissionEntry extends Availability {
  /** False when it cannot be optional. */
  optional?: boolean;
  /** Another name of the same permission, which Chromium's texts use. */
  alias?: string;
}

/** The keys of a manifest; nested ones by their full name, such as `background.scripts`. */
export const KEYS: ReadonlyMap<string, Availability> = new Map(Object.entries<Availability>(keysTable.keys));
export const PERMISSIONS: ReadonlyMap<string, PermissionEntry> = new Map(
  Object.entries<PermissionEntry>(permissionsTable.permissions),
);

/** The version of the browser that the tables are from. */
export const CHROMIUM_VERSION = keysTable.chromium;

/** The names of kinds of packages in Chromium's texts. */
const LABELS: Record<Asker['packageType'], string> = {
  'user script': 'user script',
  extension: 'extension',
  theme: 'theme',
  'shared module': 'shared module',
  'hosted app': 'hosted app',
  'platform app': 'packaged app',
  'packaged app': 'legacy packaged app',
  'system extension': 'chromeos system extension',
};

/** The package that asks. */
export interface Asker {
  packageType: PackageType | 'user script';
  manifestVersion: number;
}

/**
 * Chromium's text about a key or permission that is not available to this package; undefined for one that is.
 * Source: R-AVAIL and R-PERM-AVAIL; the order of the reasons is that of extensions::SimpleFeature.
 */
export function unavailable(
  name: string,
  entry: Availability,
  { packageType, manifestVersion }: Asker,
): string | undefined {
  const label = LABELS[packageType];
  if (entry.available?.includes(label)) return undefined;
  if (entry.platform) return `'${name}' is not allowed for specified platform.`;
  if (entry.flag !== undefined) return `'${name}' requires the '${entry.flag}' feature flag to be enabled.`;
  if (entry.switch !== undefined) return `'${name}' requires the '${entry.switch}' command line switch to be enabled.`;
  // A user script may have what an extension may.
  if (entry.types && !entry.types.includes(packageType === 'user script' ? LABELS.extension : label)) {
    return `'${name}' is only allowed for ${enumerate(entry.types.map((type) => `${type}s`))}, but this is a ${label}.`;
  }
  if (entry.except !== undefined) return `'${name}' is not allowed for specified ${entry.except}.`;
  if (entry.minVersion !== undefined && manifestVersion < entry.minVersion) {
    return `'${name}' requires manifest version of at least ${entry.minVersion}.`;
  }
  if (entry.maxVersion !== undefined && manifestVersion > entry.maxVersion) {
    return `'${name}' requires manifest version of ${entry.maxVersion} or lower.`;
  }
  return undefined;
}

function enumerate(names: readonly string[]): string {
  if (names.length < 3) return names.join(' and ');
  return `${names.slice(0, -1).join(', ')}, and ${names.at(-1) ?? ''}`;
}

/** The manifest without the keys that Chromium ignores for this package, whatever their values (R-AVAIL). */
export function availableKeys(document: JsonDocument, asker: Asker): JsonDocument {
  const prune = (dictionary: Dictionary, prefix: string): Dictionary => {
    const members = new Map(dictionary.members);
    for (const [name, member] of dictionary.members) {
      const key = prefix + name;
      const entry = KEYS.get(key);
      if (entry ? unavailable(key, entry, asker) !== undefined : prefix === '') members.delete(name);
      else if (NESTED.has(key) && member.value.kind === 'dictionary') {
        const value: JsonNode = prune(member.value, `${key}.`);
        members.set(name, { ...member, value });
      }
    }
    return { ...dictionary, members };
  };
  return new JsonDocument(document.text, prune(document.root, ''));
}

/** Keys with nested keys in the table. */
const NESTED: ReadonlySet<string> = new Set(
  [...KEYS.keys()].filter((key) => key.includes('.')).map((key) => key.slice(0, key.lastIndexOf('.'))),
);
