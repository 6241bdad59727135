import type { JsonDocument } from './document';

export type PackageType =
  | 'extension'
  | 'theme'
  | 'shared module'
  | 'hosted app'
  | 'platform app'
  | 'packaged app'
  | 'system extension';

/**
 * The kind of package that a manifest describes, by which keys it has, whatever their values. Chromium reads many keys only for some kinds.
 * Source: the constructor of its extensions::Manifest.
 */
export function packageTypeOf(document: JsonDocument): PackageType {
  const has = (...path: string[]) => document.at(...path) !== undefined;
  if (has('theme')) return 'theme';
  if (has('export')) return 'shared module';
  if (!has('app')) return has('chromeos_system_extension') ? 'system extension' : 'extension';
  if (has('app', 'urls') || has('app', 'launch', 'web_url')) return 'hosted app';
  return has('app', 'background') ? 'platform app' : 'packaged app';
}
