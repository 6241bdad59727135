import { MODIFIER_BITS, type PhysicalKey } from './strokes';

/** The fields of a keyboard event, without the DOM. */
export interface KeyPress {
  key: string;
  ctrlKey: boolean;
  shiftKey: boolean;
  altKey: boolean;
  metaKey: boolean;
  isComposing: boolean;
  /** Whether AltGr is held, which some systems report as Control and Alt. */
  isAltGraph: boolean;
}

/**
 * Whose a key is: `editor` for VS Code, `method` for an input method or a dead key, `clipboard` for the exchange with the clipboard of this
 * machine, `page` for the page with the text that it types. `as`: the key that the page gets in its place.
 */
export type KeyOwner =
  | { to: 'editor' }
  | { to: 'method' }
  | { to: 'clipboard'; act: 'copy' | 'cut' | 'paste' }
  | { to: 'page'; text: string; modifiers: number; as?: PhysicalKey };

const CLIPBOARD = { c: 'copy', x: 'cut', v: 'paste' } as const;

/** With Control, or Command on a Mac: keys that edit and move in a text. All other shortcuts are VS Code's. */
const EDITING = [
  'a',
  'z',
  'y',
  'arrowleft',
  'arrowright',
  'arrowup',
  'arrowdown',
  'home',
  'end',
  'backspace',
  'delete',
];

const HOME: PhysicalKey = { key: 'Home', code: 'Home', keyCode: 36, location: 0 };
const END: PhysicalKey = { key: 'End', code: 'End', keyCode: 35, location: 0 };

/** What other systems have for keys with Command, which edit and move by lines and to the ends of a text. */
const WITH_COMMAND: Readonly<Record<string, { as?: PhysicalKey; modifiers: number }>> = {
  ArrowLeft: { as: HOME, modifiers: 0 },
  ArrowRight: { as: END, modifiers: 0 },
  ArrowUp: { as: HOME, modifiers: MODIFIER_BITS.ctrl },
  ArrowDown: { as: END, modifiers: MODIFIER_BITS.ctrl },
  Backspace: { modifiers: MODIFIER_BITS.ctrl | MODIFIER_BITS.shift },
  Delete: { modifiers: MODIFIER_BITS.ctrl | MODIFIER_BITS.shift },
};

/** Keys that edit and move by words: with Option on a Mac, with Control elsewhere. */
const BY_WORDS = ['ArrowLeft', 'ArrowRight', 'Backspace', 'Delete'];

/** Keys without a text that belong to the page. */
const NAMED = [
  ...['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Home', 'End', 'PageUp', 'PageDown'],
  ...['Backspace', 'Delete', 'Enter'],
];

/** The name of the key that shows the page at 100 %, as it is printed in the menus of the system. */
export function resetZoomKey(isMac: boolean): string {
  return isMac ? '⌘0' : 'Ctrl+0';
}

/** Whether a key is the one that shows the page at 100 %. */
export function isResetZoom(press: Omit<KeyPress, 'isComposing' | 'isAltGraph'>, isMac: boolean): boolean {
  const [command, other] = isMac ? [press.metaKey, press.ctrlKey] : [press.ctrlKey, press.metaKey];
  return press.key === '0' && command && !other && !press.altKey && !press.shiftKey;
}

/** Whose a key is that was pressed on the screen. `givesAll`: the page gets Tab and Escape, too. */
export function ownerOf(press: KeyPress, options: { isMac: boolean; givesAll: boolean }): KeyOwner {
  const { key, shiftKey, isAltGraph } = press;
  if (press.isComposing || ['Dead', 'Process', 'Unidentified'].includes(key)) return { to: 'method' };
  const [command, other] = options.isMac ? [press.metaKey, press.ctrlKey] : [press.ctrlKey, press.metaKey];
  const isTyped = [...key].length === 1;
  const shift = shiftKey ? MODIFIER_BITS.shift : 0;
  // On a Mac the Option key types characters, as AltGr does elsewhere.
  const typesWithAlt = isAltGraph || (options.isMac && press.altKey && !command);
  if (isTyped && (typesWithAlt || !(command || other || press.altKey))) {
    return { to: 'page', text: key, modifiers: shift };
  }
  if (options.isMac && press.altKey && !command && !other && BY_WORDS.includes(key))
    return { to: 'page', text: '', modifiers: MODIFIER_BITS.ctrl | shift };
  if (press.altKey || other) return { to: 'editor' };
  const moved = options.isMac && command ? WITH_COMMAND[key] : undefined;
  if (moved) return { to: 'page', text: '', ...moved, modifiers: moved.modifiers | shift };
  if (command) return shortcutOf(key.toLowerCase(), shift);
  if (options.givesAll && (key === 'Tab' || key === 'Escape')) return { to: 'page', text: '', modifiers: shift };
  if (!NAMED.includes(key)) return { to: 'editor' };
  return { to: 'page', text: key === 'Enter' ? '\r' : '', modifiers: shift };
}

/** Browsers of the service run on Linux, where the shortcuts have Control. */
function shortcutOf(key: string, shift: number): KeyOwner {
  if (shift === 0 && (key === 'c' || key === 'x' || key === 'v')) return { to: 'clipboard', act: CLIPBOARD[key] };
  return EDITING.includes(key) ? { to: 'page', text: '', modifiers: MODIFIER_BITS.ctrl | shift } : { to: 'editor' };
}
