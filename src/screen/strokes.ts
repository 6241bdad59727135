/** Which picture of the screen: the page of the tab in front, or the popup or side panel of an extension. */
export type Layer = 'page' | 'surface';

/** Bits of the modifier keys, in messages and in DevTools' input events. */
export const MODIFIER_BITS = { alt: 1, ctrl: 2, meta: 4, shift: 8 } as const;

/** A movement of the mouse, or a press or release of a button, at a point in CSS pixels of the viewport. */
export interface MouseStroke {
  type: 'down' | 'up' | 'move';
  x: number;
  y: number;
  /** Index in DOM order; -1 for none. */
  button: number;
  /** Bits of the pressed buttons, as in the DOM. */
  buttons: number;
  /** How many times the button was pressed in a row. */
  clicks: number;
  modifiers: number;
}

/** Which key it is, with the fields of the DOM's event. */
export interface PhysicalKey {
  key: string;
  code: string;
  keyCode: number;
  location: number;
}

/** A press or release of a key, with the fields of the DOM's event. `text`: what it types, empty for a key that types nothing. */
export interface KeyStroke extends PhysicalKey {
  type: 'down' | 'up';
  text: string;
  isRepeated: boolean;
  modifiers: number;
}
