import { decodePicker, FIELD_TYPES, MAX_LABEL, MAX_OPTIONS, type Picker } from '../../screen/pickers';
import { fieldOf } from '../../base/fields';
import { peek } from '../protocol/evaluate';
import type { PageScreen } from './pageScreen';

/** How near its right edge a field has the button that opens its picker, in CSS pixels. */
const BUTTON_PX = 26;

/**
 * In a page: the list or field that has the focus, in whatever frame or shadow tree, and where it is. Frames of other sites cannot be looked
 * into. A list that its page draws itself is in the pictures.
 */
const FOCUSED = `(() => {
  let element = document.activeElement, left = 0, top = 0;
  for (;;) {
    const frame = element?.contentDocument;
    const inner = element?.shadowRoot?.activeElement ?? frame?.activeElement;
    if (!inner) break;
    if (frame) {
      const box = element.getBoundingClientRect();
      left += box.left + element.clientLeft;
      top += box.top + element.clientTop;
    }
    element = inner;
  }
  const isList = element?.localName === 'select' && getComputedStyle(element).appearance !== 'base-select';
  const isField = element?.localName === 'input' && ${JSON.stringify(FIELD_TYPES)}.includes(element.type);
  return { element, left, top, isList, isField, isOpen: (isList || isField) && element.matches(':open') };
})()`;

/** In a page, as a function of the text limits: what {@link Picker} describes, for the element that has the focus. */
const DESCRIBE = `((most, longest) => {
  const { element, left, top, isList, isField, isOpen } = ${FOCUSED};
  if (!isField && !isOpen) return undefined;
  const { x, y, width, height } = element.getBoundingClientRect();
  const cut = (text) => String(text ?? '').slice(0, longest);
  const place = { x: x + left, y: y + top, width, height };
  if (isField) {
    const { type, value, min, max, step } = element;
    const limits = { min: cut(min), max: cut(max), step: cut(step) };
    return { isOpen, picker: { ...place, kind: 'field', type, value: cut(value), ...limits } };
  }
  const options = [...element.options].slice(0, most).map((option) => {
    const group = option.parentElement?.localName === 'optgroup' ? option.parentElement : undefined;
    return { label: cut(option.label), group: cut(group?.label), isDisabled: option.disabled || group?.disabled === true };
  });
  return { isOpen, picker: { ...place, kind: 'list', options, index: element.selectedIndex } };
})(${MAX_OPTIONS}, ${MAX_LABEL})`;

/** In a page, as a function of an index: how many entries of the open list come before it that can be chosen; undefined when it is closed. */
const STEPS = `((index) => {
  const { element, isList, isOpen } = ${FOCUSED};
  if (!isList || !isOpen) return undefined;
  const isChosen = (option) =>
    !option.disabled && option.parentElement?.disabled !== true && getComputedStyle(option).display !== 'none';
  return [...element.options].slice(0, index).filter(isChosen).length;
})`;

/** In a page, as a function of a value: gives it to the field that has the focus, as its picker does. */
const FILL = `((value) => {
  const { element, isField } = ${FOCUSED};
  if (!isField) return;
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(element), 'value').set.call(element, value);
  for (const type of ['input', 'change']) element.dispatchEvent(new Event(type, { bubbles: true, composed: true }));
})`;

/**
 * The list or the field of a page that has just been opened, by a press of the mouse at a point in CSS pixels of the picture, or by a key.
 * Chromium draws its picker in a window of its own, which pictures of the page do not contain. Undefined when there is none. Never rejects.
 */
export async function openPicker(page: PageScreen, pressed?: { x: number; y: number }): Promise<Picker | undefined> {
  const described = await peek(page.session, DESCRIBE);
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

/** Chooses an entry of the open list by the keys that a person would press, so that the page gets the events of a choice. False when it is closed. */
export async function pickOption(page: PageScreen, index: number): Promise<boolean> {
  const steps = await peek(page.session, `${STEPS}(${Math.trunc(index)})`);
  if (typeof steps !== 'number') return false;
  press(page, 'Home', 36);
  for (let step = 0; step < steps; step++) press(page, 'ArrowDown', 40);
  press(page, 'Enter', 13);
  return true;
}

/** Gives a value to the field whose picker is open. Never rejects. */
export async function fillField(page: PageScreen, value: string): Promise<void> {
  // Chromium does not update an open picker when a script changes the value of its field.
  await closePicker(page);
  await peek(page.session, `${FILL}(${JSON.stringify(value)})`);
}

/** Closes the list or picker that is open in the browser; without one, nothing happens. Never rejects. */
export async function closePicker(page: PageScreen): Promise<void> {
  if ((await peek(page.session, `${FOCUSED}.isOpen`)) === true) press(page, 'Escape', 27);
}

function press(page: PageScreen, key: string, keyCode: number): void {
  for (const type of ['down', 'up'] as const) {
    void page.key({ type, key, code: key, keyCode, location: 0, text: '', isRepeated: false, modifiers: 0 });
  }
}
