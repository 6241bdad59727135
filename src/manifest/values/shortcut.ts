/** Keys that are combined with Ctrl or Alt, other than A to Z and 0 to 9. */
const NAMED_KEYS: ReadonlySet<string> = new Set([
  ...['Comma', 'Period', 'Up', 'Down', 'Left', 'Right', 'Insert', 'Delete', 'Home', 'End'],
  ...['PageUp', 'PageDown', 'Space', 'Tab'],
]);

/** Keys without modifiers, which work system-wide. */
const MEDIA_KEYS: ReadonlySet<string> = new Set(['MediaNextTrack', 'MediaPlayPause', 'MediaPrevTrack', 'MediaStop']);

/** The members of `suggested_key`: systems, and `default` for all others. */
export const SHORTCUT_PLATFORMS: ReadonlySet<string> = new Set(['windows', 'mac', 'chromeos', 'linux', 'default']);

/** Modifiers and the key together. */
const MAX_TOKENS = 3;

export type Shortcut = 'with modifier' | 'media key' | 'media key with modifier' | 'none';

/** The parts of a shortcut such as `Ctrl+Shift+Y`. */
export function shortcutTokens(written: string): string[] {
  return written.split('+').map((token) => token.trim());
}

/**
 * Parses a shortcut for a system as Chromium on Linux does. Action commands (`_execute_action`) accept no media keys.
 * Source: R-CMD-KEY, measured on Chromium 156; the checks are those of its ui::Command.
 */
export function parseShortcut(written: string, platform: string, takesMediaKeys: boolean): Shortcut {
  const tokens = shortcutTokens(written).map((token) => (platform === 'mac' ? (ON_MAC.get(token) ?? token) : token));
  if (tokens.length > MAX_TOKENS) return 'none';
  const modifiers = new Set<string>();
  let key: string | undefined;
  for (const token of tokens) {
    if (isModifier(token, platform)) modifiers.add(token);
    else if (key !== undefined || !isKey(token, takesMediaKeys)) return 'none';
    else key = token;
  }
  if (key === undefined) return 'none';
  if (MEDIA_KEYS.has(key) && modifiers.size === 0) return 'media key';
  const hasControl = ['Ctrl', 'Command', 'Search'].some((name) => modifiers.has(name));
  const hasAlt = modifiers.has('Alt');
  if (hasAlt === hasControl) return 'none';
  return MEDIA_KEYS.has(key) ? 'media key with modifier' : 'with modifier';
}

/** On a Mac, Ctrl means the Command key. */
const ON_MAC: ReadonlyMap<string, string> = new Map([
  ['Ctrl', 'Command'],
  ['MacCtrl', 'Ctrl'],
  ['Option', 'Alt'],
]);

function isModifier(token: string, platform: string): boolean {
  if (token === 'Command') return platform === 'mac';
  if (token === 'Search') return platform === 'chromeos';
  return token === 'Ctrl' || token === 'Alt' || token === 'Shift';
}

function isKey(token: string, takesMediaKeys: boolean): boolean {
  return /^[A-Z0-9]$/.test(token) || NAMED_KEYS.has(token) || (takesMediaKeys && MEDIA_KEYS.has(token));
}
