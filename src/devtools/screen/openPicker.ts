import { decodePicker, FIELD_TYPES, MAX_LABEL, MAX_OPTIONS, type Picker } from '../../screen/pickers';
import { fieldOf } from '../../base/fields';
import { describePicker, fillFocused, focusedElement, isPickerOpen, stepsTo } from '../inPage/pickerCalls';
import { peek } from '../protocol/evaluate';
import { callOf } from '../protocol/pageCall';
import type { PageScreen } from './pageScreen';

/** How near its right edge a field has the button that opens its picker, in CSS pixels. */
const BUTTON_PX = 26;

/**
 * The list or the field of a page that has just been opened, by a press of the mouse at a point in CSS pixels of the picture, or by a key.
 * Pictures of the page do not contain its picker (C-PICKER-WINDOW). Undefined when there is none. Never rejects.
 */
export async function openPicker(page: PageScreen, pressed?: { x: number; y: number }): Promise<Picker | undefined> {
  const describing = callOf(describePicker, focusedElement, FIELD_TYPES, MAX_OPTIONS, MAX_LABEL);
  const described = await peek(page.session, describing);
  const picker = decodePicker(fieldOf(described, 'picker'));
  if (!picker) return undefined;
  const { x, y, width, height } = picker;
  const isOpen = fieldOf(described, 'isOpen') === true;
  const at = pressed && { x: page.toCss(pressed.x), y: page.toCss(pressed.y) };
  const isAtButton =
    at !== undefined && at.y >= y && at.y <= y + height && at.x <= x + width && at.x >= x + width - BUTTON_PX;
  if (!isOpen && !isAtButton) return undefined;
  const [left, top] = [page.fromCss(x), page.fromCss(y)];
  return { ...picker, x: left, y: top, width: page.fromCss(width), height: page.fromCss(height) };
}

/**
 * Chooses an entry of the open list by the keys that a person would press, so that the page gets the events of a choice. Closes the list where that
 * entry cannot be chosen. False when nothing was chosen.
 */
export async function pickOption(page: PageScreen, index: number): Promise<boolean> {
  const steps = await peek(page.session, callOf(stepsTo, focusedElement, FIELD_TYPES, Math.trunc(index)));
  if (typeof steps !== 'number') {
    await closePicker(page);
    return false;
  }
  press(page, 'Home', 36);
  for (let step = 0; step < steps; step++) press(page, 'ArrowDown', 40);
  press(page, 'Enter', 13);
  return true;
}

/** Gives a value to the field whose picker is open. Never rejects. */
export async function fillField(page: PageScreen, value: string): Promise<void> {
  // An open picker would show the value of before (C-PICKER-STALE).
  await closePicker(page);
  await peek(page.session, callOf(fillFocused, focusedElement, FIELD_TYPES, value));
}

/** Closes the list or picker that is open in the browser; without one, nothing happens. Never rejects. */
export async function closePicker(page: PageScreen): Promise<void> {
  if ((await peek(page.session, callOf(isPickerOpen, focusedElement, FIELD_TYPES))) === true) press(page, 'Escape', 27);
}

function press(page: PageScreen, key: string, keyCode: number): void {
  for (const type of ['down', 'up'] as const) {
    void page.key({ type, key, code: key, keyCode, location: 0, text: '', isRepeated: false, modifiers: 0 });
  }
}
