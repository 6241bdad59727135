import { MODIFIER_BITS, type KeyStroke, type MouseStroke } from '../../screen/strokes';
import type { Protocol } from '../protocol/connect';

/** The buttons of a mouse, in DOM order. */
const BUTTONS = ['left', 'middle', 'right', 'back', 'forward'] as const;

/** The DevTools event for a stroke of the mouse. */
export function mouseEvent(stroke: MouseStroke): Protocol.Input.DispatchMouseEventRequest {
  const { type, x, y, button, buttons, clicks, modifiers } = stroke;
  const types = { down: 'mousePressed', up: 'mouseReleased', move: 'mouseMoved' } as const;
  return { type: types[type], x, y, button: BUTTONS[button] ?? 'none', buttons, clickCount: clicks, modifiers };
}

/**
 * Commands of Chromium's editor, by the key that is pressed with Control, or with Command on a Mac. They make the shortcut work whatever system
 * the browser runs on.
 */
const EDIT_COMMANDS: Readonly<Record<string, string>> = {
  a: 'selectAll',
  z: 'undo',
  y: 'redo',
  x: 'cut',
  arrowleft: 'moveWordLeft',
  arrowright: 'moveWordRight',
  home: 'moveToBeginningOfDocument',
  end: 'moveToEndOfDocument',
  backspace: 'deleteWordBackward',
  delete: 'deleteWordForward',
};

/** As {@link EDIT_COMMANDS}, with Shift, which the others have not. */
const SHIFTED_COMMANDS: Readonly<Record<string, string>> = {
  z: 'redo',
  arrowleft: 'moveWordLeftAndModifySelection',
  arrowright: 'moveWordRightAndModifySelection',
  home: 'moveToBeginningOfDocumentAndModifySelection',
  end: 'moveToEndOfDocumentAndModifySelection',
  backspace: 'deleteToBeginningOfLine',
  delete: 'deleteToEndOfLine',
};

/** Those of keys alone, and with Shift: on a Mac, they would scroll. */
const LINE_COMMANDS: Readonly<Record<string, string>> = { home: 'moveToBeginningOfLine', end: 'moveToEndOfLine' };
const SHIFTED_LINE_COMMANDS: Readonly<Record<string, string>> = {
  home: 'moveToBeginningOfLineAndModifySelection',
  end: 'moveToEndOfLineAndModifySelection',
};

/** The press and release of the shortcut that cuts the selection. */
export const CUT: readonly KeyStroke[] = (['down', 'up'] as const).map((type) => ({
  type,
  key: 'x',
  code: 'KeyX',
  keyCode: 88,
  location: 0,
  text: '',
  isRepeated: false,
  modifiers: MODIFIER_BITS.ctrl,
}));

/** The DevTools event for a key. */
export function keyEvent(stroke: KeyStroke): Protocol.Input.DispatchKeyEventRequest {
  const { type, key, code, keyCode, location, text, isRepeated, modifiers } = stroke;
  const physical = { key, code, windowsVirtualKeyCode: keyCode, location, modifiers };
  if (type === 'up') return { type: 'keyUp', ...physical };
  const isShortcut = (modifiers & (MODIFIER_BITS.ctrl | MODIFIER_BITS.meta)) !== 0;
  const [plain, shifted] = isShortcut ? [EDIT_COMMANDS, SHIFTED_COMMANDS] : [LINE_COMMANDS, SHIFTED_LINE_COMMANDS];
  const command = ((modifiers & MODIFIER_BITS.shift) === 0 ? plain : shifted)[key.toLowerCase()];
  const down = { ...physical, autoRepeat: isRepeated, ...(command !== undefined && { commands: [command] }) };
  // The text of a key is typed by an event of type keyDown alone (C-KEY-TEXT).
  return text === '' ? { type: 'rawKeyDown', ...down } : { type: 'keyDown', ...down, text, unmodifiedText: text };
}
