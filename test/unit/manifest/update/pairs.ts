import { parsedManifest } from '../../../../src/manifest/update/manifestText';
import { permissionChange, type PermissionChange } from '../../../../src/manifest/update/permissionChange';

/** The keys of a manifest besides its name and its versions. */
export type Keys = Readonly<Record<string, unknown>>;

/** What an update from one manifest to another means. */
export function changeOf(before: Keys, after: Keys): PermissionChange {
  return permissionChange(documentOf(before), documentOf(after));
}

/** A manifest of version 3, unless the keys say otherwise. */
export function documentOf(keys: Keys): NonNullable<ReturnType<typeof parsedManifest>> {
  const document = parsedManifest(JSON.stringify({ manifest_version: 3, name: 'Pair', version: '1.0', ...keys }));
  if (!document) throw new Error('The manifest is no object.');
  return document;
}

/** The texts of what Chromium says about a manifest. */
export function warningsOf(keys: Keys): string[] {
  return changeOf({}, keys).warningsAfter.map(({ text }) => text);
}
