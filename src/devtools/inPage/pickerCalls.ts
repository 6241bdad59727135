import type { PickerOption, PickerPlace } from '../../screen/pickers';
import type {
  FieldElement,
  FrameElement,
  ListElement,
  OptionGroup,
  PageDocument,
  PageElement,
  PageGlobals,
} from './pageDom';

declare const document: PageDocument;
declare const getComputedStyle: PageGlobals['getComputedStyle'];

/** The element that has the focus, and where its frame is in the page, in CSS pixels. */
export interface Focused {
  element: PageElement | null;
  left: number;
  top: number;
  /** The element, if it is a list that Chromium draws. */
  list: ListElement | undefined;
  /** The element, if it is a field with a picker. */
  field: FieldElement | undefined;
  isOpen: boolean;
}

/**
 * In a page: the list or field that has the focus, in whatever frame or shadow tree, and where it is; fields of these types count. Frames of other
 * sites cannot be looked into. A list that its page draws itself is in the pictures.
 */
export function focusedElement(fieldTypes: readonly string[]): Focused {
  let element = document.activeElement;
  let left = 0;
  let top = 0;
  for (;;) {
    const frame = (element as Partial<FrameElement> | null)?.contentDocument;
    const inner = element?.shadowRoot?.activeElement ?? frame?.activeElement;
    if (!element || !inner) break;
    if (frame) {
      const box = element.getBoundingClientRect();
      left += box.left + element.clientLeft;
      top += box.top + element.clientTop;
    }
    element = inner;
  }
  const isList = element?.localName === 'select' && getComputedStyle(element).appearance !== 'base-select';
  const list = isList ? (element as ListElement) : undefined;
  const input = element?.localName === 'input' ? (element as FieldElement) : undefined;
  const field = input && fieldTypes.includes(input.type) ? input : undefined;
  return { element, left, top, list, field, isOpen: (list ?? field)?.matches(':open') === true };
}

/** In a page: whether the list or field that has the focus is open. */
export function isPickerOpen(focused: typeof focusedElement, fieldTypes: readonly string[]): boolean {
  return focused(fieldTypes).isOpen;
}

/** What a list or a field is; see `Picker`. */
export type DescribedPicker = PickerPlace &
  (
    | { kind: 'field'; type: string; value: string; min: string; max: string; step: string }
    | { kind: 'list'; options: PickerOption[]; index: number }
  );

/** In a page: the list or the field that has the focus, with at most so many entries and characters of each text. */
export function describePicker(
  focused: typeof focusedElement,
  fieldTypes: readonly string[],
  most: number,
  longest: number,
): { isOpen: boolean; picker: DescribedPicker } | undefined {
  const { left, top, list, field, isOpen } = focused(fieldTypes);
  const element = field ?? list;
  if (!element || (!field && !isOpen)) return undefined;
  const { x, y, width, height } = element.getBoundingClientRect();
  const place = { x: x + left, y: y + top, width, height };
  const own = {
    cut(text: string | undefined): string {
      return String(text ?? '').slice(0, longest);
    },
  };
  if (field) {
    const { type, value, min, max, step } = field;
    const limits = { min: own.cut(min), max: own.cut(max), step: own.cut(step) };
    return { isOpen, picker: { ...place, kind: 'field', type, value: own.cut(value), ...limits } };
  }
  if (!list) return undefined;
  const options = [...list.options].slice(0, most).map((option) => {
    const group = option.parentElement?.localName === 'optgroup' ? (option.parentElement as OptionGroup) : undefined;
    return {
      label: own.cut(option.label),
      group: own.cut(group?.label),
      isDisabled: option.disabled || group?.disabled === true,
      isHidden: [option, group].some((one) => one && getComputedStyle(one).display === 'none'),
    };
  });
  return { isOpen, picker: { ...place, kind: 'list', options, index: list.selectedIndex } };
}

/**
 * In a page: how many entries of the open list come before the one with this index that can be chosen; undefined when that one cannot be, or the list
 * is closed.
 */
export function stepsTo(
  focused: typeof focusedElement,
  fieldTypes: readonly string[],
  index: number,
): number | undefined {
  const { list, isOpen } = focused(fieldTypes);
  if (!list || !isOpen) return undefined;
  const choosable = [...list.options].slice(0, index + 1).map((option) => {
    const group = option.parentElement?.localName === 'optgroup' ? (option.parentElement as OptionGroup) : undefined;
    const isHidden = [option, group].some((one) => one && getComputedStyle(one).display === 'none');
    return !option.disabled && group?.disabled !== true && !isHidden;
  });
  return choosable[index] === true ? choosable.filter(Boolean).length - 1 : undefined;
}

/** In a page: gives a value to the field that has the focus, as its picker does. */
export function fillFocused(focused: typeof focusedElement, fieldTypes: readonly string[], value: string): void {
  const { field } = focused(fieldTypes);
  if (!field) return;
  // The setter of its class: the page may have replaced that of the element.
  Object.getOwnPropertyDescriptor(Reflect.getPrototypeOf(field) ?? {}, 'value')?.set?.call(field, value);
  for (const type of ['input', 'change']) field.dispatchEvent(new Event(type, { bubbles: true, composed: true }));
}
