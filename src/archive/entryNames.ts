import * as l10n from '@vscode/l10n';

const CONTROL = /\p{Cc}/u;
const LONE_SURROGATE = /\p{Cs}/u;

/**
 * Why a zip entry of this name would have another name on another system, as a phrase; undefined for safe names.
 * `name` is one segment of a path, as the file system returned it.
 */
export function unsafeName(name: string): string | undefined {
  if (name.includes('\\')) return l10n.t('its name holds a backslash, which other systems read as a folder');
  if (CONTROL.test(name)) return l10n.t('its name holds a control character');
  // Node.js replaces bytes that are not UTF-8 by U+FFFD, and cannot open the file by the resulting name.
  if (name.includes('\uFFFD') || LONE_SURROGATE.test(name)) return l10n.t('its name is not valid Unicode');
  return undefined;
}
