import * as l10n from '@vscode/l10n';
import { PERMISSIONS, unavailable, type Asker, type PermissionEntry } from '../availability';
import type { JsonPath } from '../finding';
import { adviceForUnknown, MAX_HINTS, nearest } from '../folder/similar';
import type { JsonNode } from '../json/node';
import { writeJson } from '../json/write';
import { FIREFOX_PERMISSIONS, keepAdvice, REMOVE_IF_UNNEEDED } from '../otherBrowsers';
import type { PackageFacts } from '../packageFacts';
import { proposing, removing } from '../proposal';
import { caution, refusal } from '../refusal';
import { ruleOf, type Context, type Report } from '../rule';
import { HOST_PERMISSION_SCHEMES, parseMatchPattern } from '../values/matchPattern';
import { VALUED_PERMISSIONS } from '../values/permissionValue';
import { explainUnavailable, isOutdated } from './keyAvailability';

const LISTS = ['permissions', 'optional_permissions'] as const;

/** A permission that the manifest asks for: its name, and the value of one that is an object. */
export interface AskedPermission {
  name: string;
  value: JsonNode | undefined;
  path: JsonPath;
}

/** Prefixes of other permissions, which an object may list: `{"downloads": ["open"]}`. */
const PARENTS: ReadonlySet<string> = new Set(
  [...PERMISSIONS.keys()].filter((name) => name.includes('.')).map((name) => name.slice(0, name.lastIndexOf('.'))),
);

/** The items of a list that may be permissions; the others are R-PERM-TYPE. */
export function askedPermissions({ manifest }: Pick<Context, 'manifest'>, list: string): AskedPermission[] {
  const node = manifest.at(list);
  if (node?.kind !== 'list') return [];
  return node.items.flatMap((item, index): AskedPermission[] => {
    const path = [list, index];
    if (item.kind === 'string') return [{ name: item.value, value: undefined, path }];
    if (item.kind !== 'dictionary' || item.members.size !== 1) return [];
    return [...item.members].flatMap(([name, { value }]) => withParts({ name, value, path }));
  });
}

function withParts(asked: AskedPermission): AskedPermission[] {
  const { name, value, path } = asked;
  if (!PARENTS.has(name) || value?.kind !== 'list') return [asked];
  const parts = value.items.flatMap((part): AskedPermission[] =>
    part.kind === 'string' ? [{ name: `${name}.${part.value}`, value: undefined, path }] : [],
  );
  return PERMISSIONS.has(name) ? [asked, ...parts] : parts;
}

/** The entry of a name, with the name that Chromium's texts use (C-UPDATE-ALIAS). */
function entryOf(name: string): { name: string; entry: PermissionEntry } | undefined {
  const entry = PERMISSIONS.get(name);
  if (entry?.alias === undefined) return entry && { name, entry };
  return entryOf(entry.alias);
}

/** The package that asks: one converted from a user script may have what extensions may, whatever its kind. */
function permissionAsker({ packageType, manifestVersion, isUserScript }: PackageFacts): Asker {
  return { packageType: isUserScript ? 'user script' : packageType, manifestVersion };
}

/** The required permissions that this package gets, each by its own name where the manifest has another one for it. */
export function grantedPermissions(facts: PackageFacts): AskedPermission[] {
  return askedPermissions(facts, 'permissions').flatMap((asked): AskedPermission[] => {
    const known = entryOf(asked.name);
    if (!known || unavailable(known.name, known.entry, permissionAsker(facts)) !== undefined) return [];
    return [{ ...asked, name: known.name }];
  });
}

/** R-PERM-TYPE: lists of names, or of objects with one key. Chromium calls both lists `permissions`. Measured on Chromium 156. */
export const permissionTypeRule = ruleOf('R-PERM-TYPE', 'keys', ({ manifest }) => {
  return LISTS.flatMap((list): Report | Report[] => {
    const node = manifest.at(list);
    if (!node) return [];
    if (node.kind !== 'list') {
      const message = l10n.t('"{0}" has to be a list such as ["storage"].', list);
      return refusal("Invalid value for 'permissions'.", message, [list]);
    }
    return node.items.flatMap((item, index): Report | Report[] => {
      if (item.kind === 'string' || (item.kind === 'dictionary' && item.members.size === 1)) return [];
      const message = l10n.t('A permission has to be a name in quotes.');
      return refusal(`Invalid value for 'permissions[${index}]'.`, message, [list, index]);
    });
  });
});

const NOT_A_LIST = "Cannot parse the permission list. It's not a list.";

/** R-PERM-VALUE: the values of permissions, whether or not this package may have them. Measured on Chromium 156. */
export const permissionValueRule = ruleOf('R-PERM-VALUE', 'keys', (context) => {
  return LISTS.flatMap((list) => askedPermissions(context, list)).flatMap(
    ({ name, value, path }): Report | Report[] => {
      if (!PERMISSIONS.has(name)) return [];
      const own = entryOf(name)?.name ?? name;
      const isItem = VALUED_PERMISSIONS.get(name);
      if (isItem && value?.kind === 'list' && value.items.some(isItem))
        return unknownItems(context, { name, value, path });
      if (isItem) {
        const message = l10n.t('"{0}" has to be an object with a list, such as {1}.', name, `{"${name}": [...]}`);
        // Chromium's text ends in two full stops.
        const why = value && value.kind !== 'list' ? NOT_A_LIST : 'NULL or empty permission list';
        return refusal(`Invalid value for 'permissions[${own}]': ${why}.`, message, path);
      }
      if (!value) return [];
      if (PARENTS.has(name) && value.kind === 'list') {
        const wrong = value.items.findIndex(({ kind }) => kind !== 'string');
        if (wrong < 0) return [];
        return refusal(
          `Invalid value for 'permissions[${name}.${wrong}]'.`,
          l10n.t('The parts of "{0}" have to be names in quotes.', name),
          path,
        );
      }
      const message = l10n.t('The permission "{0}" has no value. Write only "{0}".', name);
      return proposing(refusal(`Invalid value for 'permissions[${own}]'.`, message, path), {
        do: 'replace',
        by: name,
      });
    },
  );
});

/** Items that Chromium does not understand, in a list with others that it does. */
function unknownItems(context: Context, { name, value, path }: AskedPermission): Report[] {
  const isItem = VALUED_PERMISSIONS.get(name);
  if (value?.kind !== 'list' || !isItem) return [];
  return value.items.flatMap((item, index): Report | Report[] => {
    if (isItem(item)) return [];
    const message = l10n.t('Chromium ignores this part of "{0}". Remove it.', name);
    const report = caution(unknownText(context, writeJson(item)), message, path);
    return { ...removing(report, [...path, name, index]), rule: 'R-PERM-UNKNOWN' };
  });
}

function unknownText({ manifestVersion }: Context, name: string): string {
  return `Permission '${name}' is unknown${manifestVersion >= 3 ? '' : ' or URL pattern is malformed'}.`;
}

/** R-PERM-UNKNOWN: names that Chromium does not know, and hosts, which have their own list. Measured on Chromium 156. */
export const unknownPermissionRule = ruleOf('R-PERM-UNKNOWN', 'keys', (context) => {
  return LISTS.flatMap((list) => askedPermissions(context, list).filter(({ name }) => !PERMISSIONS.has(name))).flatMap(
    (asked): Report | Report[] => {
      if (context.manifestVersion >= 3) return unknown(context, asked);
      if ('pattern' in parseMatchPattern(asked.name, HOST_PERMISSION_SCHEMES)) return [];
      if (FIREFOX_PERMISSIONS.has(asked.name)) return unknown(context, asked);
      return caution(
        unknownText(context, asked.name),
        l10n.t('Chromium ignores "{0}", which is neither a permission nor a host.', asked.name),
        asked.path,
      );
    },
  );
});

function unknown(context: Context, { name, value, path }: AskedPermission): Report {
  const text = unknownText(context, name);
  if ('pattern' in parseMatchPattern(name, HOST_PERMISSION_SCHEMES)) {
    const target = path[0] === 'permissions' ? 'host_permissions' : 'optional_host_permissions';
    return caution(text, l10n.t('Chromium ignores the host "{0}" here. Move it to "{1}".', name, target), path, {
      fix: { do: 'move', to: target },
    });
  }
  if (FIREFOX_PERMISSIONS.has(name)) {
    const message = l10n.t('Chromium ignores the unknown permission "{0}". {1}', name, keepAdvice());
    return caution(text, message, path, { fix: REMOVE_IF_UNNEEDED });
  }
  const [, index = 0] = path;
  const meant = Number(index) < MAX_HINTS && !value ? nearest(name, PERMISSIONS.keys()) : undefined;
  return caution(
    text,
    l10n.t('Chromium ignores the unknown permission "{0}". {1}', name, adviceForUnknown(meant)),
    path,
    { fix: meant === undefined ? { do: 'remove' } : { do: 'replace', by: meant } },
  );
}

/** R-PERM-AVAIL: permissions that are not available to this package. Measured on Chromium 156. */
export const permissionAvailabilityRule = ruleOf('R-PERM-AVAIL', 'keys', (context) => {
  return LISTS.flatMap((list) => askedPermissions(context, list)).flatMap(({ name, path }): Report | Report[] => {
    const known = entryOf(name);
    const text = known && unavailable(known.name, known.entry, permissionAsker(context));
    if (text === undefined) return [];
    const isOfFirefox = isOutdated(text) && FIREFOX_PERMISSIONS.has(name);
    const advice = isOfFirefox ? keepAdvice() : explainUnavailable(text);
    const report = caution(text, l10n.t('Chromium ignores the permission "{0}". {1}', name, advice), path);
    if (isOfFirefox) return { ...report, fix: REMOVE_IF_UNNEEDED };
    return isOutdated(text) ? removing(report) : report;
  });
});

/** R-PERM-OPT and R-PERM-REDUND: permissions that cannot be optional, or are required already. Measured on Chromium 156. */
export const optionalPermissionRule = ruleOf('R-PERM-OPT', 'keys', (context) => {
  const required = new Set(askedPermissions(context, 'permissions').map(({ name }) => entryOf(name)?.name ?? name));
  return askedPermissions(context, 'optional_permissions').flatMap(({ name, path }): Report | Report[] => {
    const known = entryOf(name);
    if (!known || unavailable(known.name, known.entry, permissionAsker(context)) !== undefined) return [];
    if (known.entry.optional === false) {
      const text = `Permission '${name}' cannot be listed as optional. This permission will be omitted.`;
      const message = l10n.t('"{0}" cannot be optional. Move it to "permissions".', name);
      return caution(text, message, path, { fix: { do: 'move', to: 'permissions' } });
    }
    if (!required.has(known.name)) return [];
    const text = `Optional permission '${known.name}' is redundant with the required permissions;this permission will be omitted.`;
    const message = l10n.t('"{0}" is in "permissions" already. Remove it from one of the two.', name);
    return { ...removing(caution(text, message, path)), rule: 'R-PERM-REDUND' };
  });
});
