import { US_KEYBOARD } from '../chromium/chromium';
import { internalError } from '../httpErrors';

/** A key in the terms of DevTools' `Input.dispatchKeyEvent`. */
export interface Key {
  key: string;
  code: string;
  windowsVirtualKeyCode: number;
  location: number;
  /** The text that the key types, if any. */
  text?: string;
  /** The text that it types with Shift, if different. */
  shiftText?: string;
  /** Its bit in `modifiers`; 0 for other keys. */
  modifier: number;
}

/** Bits of the `modifiers` field of DevTools' input events. */
export const MODIFIER_BITS = { Alt: 1, Control: 2, Meta: 4, Shift: 8 } as const;

/**
 * X keysym names (X11's keysymdef.h) and the aliases of xdotool, mapped to names of the US keyboard layout. The lookup is case-insensitive,
 * except for names of one character.
 */
const KEYSYMS: Readonly<Record<string, string>> = {
  return: 'Enter',
  enter: 'Enter',
  kp_enter: 'NumpadEnter',
  tab: 'Tab',
  iso_left_tab: 'Tab',
  escape: 'Escape',
  esc: 'Escape',
  backspace: 'Backspace',
  delete: 'Delete',
  insert: 'Insert',
  home: 'Home',
  end: 'End',
  page_up: 'PageUp',
  prior: 'PageUp',
  page_down: 'PageDown',
  next: 'PageDown',
  left: 'ArrowLeft',
  right: 'ArrowRight',
  up: 'ArrowUp',
  down: 'ArrowDown',
  space: 'Space',
  menu: 'ContextMenu',
  pause: 'Pause',
  print: 'PrintScreen',
  caps_lock: 'CapsLock',
  num_lock: 'NumLock',
  scroll_lock: 'ScrollLock',
  ctrl: 'ControlLeft',
  control: 'ControlLeft',
  control_l: 'ControlLeft',
  control_r: 'ControlRight',
  shift: 'ShiftLeft',
  shift_l: 'ShiftLeft',
  shift_r: 'ShiftRight',
  alt: 'AltLeft',
  alt_l: 'AltLeft',
  alt_r: 'AltRight',
  iso_level3_shift: 'AltGraph',
  super: 'MetaLeft',
  super_l: 'MetaLeft',
  super_r: 'MetaRight',
  meta: 'MetaLeft',
  meta_l: 'MetaLeft',
  meta_r: 'MetaRight',
  kp_add: 'NumpadAdd',
  kp_subtract: 'NumpadSubtract',
  kp_multiply: 'NumpadMultiply',
  kp_divide: 'NumpadDivide',
  exclam: '!',
  at: '@',
  numbersign: '#',
  dollar: '$',
  percent: '%',
  asciicircum: '^',
  ampersand: '&',
  asterisk: '*',
  parenleft: '(',
  parenright: ')',
  minus: '-',
  underscore: '_',
  equal: '=',
  plus: '+',
  bracketleft: '[',
  bracketright: ']',
  braceleft: '{',
  braceright: '}',
  semicolon: ';',
  colon: ':',
  apostrophe: "'",
  quotedbl: '"',
  grave: '`',
  asciitilde: '~',
  backslash: '\\',
  bar: '|',
  comma: ',',
  less: '<',
  period: '.',
  greater: '>',
  slash: '/',
  question: '?',
};

/** The keys by their names. */
const LAYOUT = new Map(Object.entries(US_KEYBOARD));

const CONTROL_CHARACTERS: Readonly<Record<string, string>> = { '\n': 'Enter', '\r': 'Enter', '\t': 'Tab' };
const FUNCTION_KEY = /^f(?:[1-9]|1\d|2[0-4])$/i;

/** The key of an X keysym name; 500 for an unknown name, as by the service. */
export function keyOf(keysym: string): Key {
  const name = layoutName(keysym);
  const entry = name === undefined ? undefined : LAYOUT.get(name);
  if (!entry) throw internalError(`No such key name "${keysym}".`);
  const key = entry.key ?? keysym;
  const text = entry.text ?? (key.length === 1 ? key : undefined);
  const shiftText = LAYOUT.get(entry.code ?? '')?.shiftKey;
  const modifier = isModifier(key) ? MODIFIER_BITS[key] : 0;
  return {
    key,
    code: entry.code ?? '',
    windowsVirtualKeyCode: entry.keyCode ?? 0,
    location: entry.location ?? 0,
    modifier,
    ...(text === undefined ? {} : { text }),
    ...(shiftText?.length === 1 ? { shiftText } : {}),
  };
}

/** The key that types a character on a US keyboard; `undefined` when there is none. */
export function keyOfCharacter(character: string): Key | undefined {
  const name = CONTROL_CHARACTERS[character] ?? character;
  return LAYOUT.has(name) ? keyOf(name) : undefined;
}

/** The keys of a combination such as `Ctrl+Shift+Tab`; a single `+` is the plus key. */
export function keysOf(combination: string): Key[] {
  if (combination === '+') return [keyOf('plus')];
  return combination.split('+').map((name) => keyOf(name.trim()));
}

function layoutName(keysym: string): string | undefined {
  if (keysym.length === 1) return keysym;
  if (FUNCTION_KEY.test(keysym)) return keysym.toUpperCase();
  return KEYSYMS[keysym.toLowerCase()];
}

function isModifier(key: string): key is keyof typeof MODIFIER_BITS {
  return Object.hasOwn(MODIFIER_BITS, key);
}
