import { isFlag, isNumber, listOf, oneOf, recordOf } from './messageGuard';

/** One entry of a list. */
export interface PickerOption {
  label: string;
  /** The heading that it stands under; empty for none. */
  group: string;
  isDisabled: boolean;
  /** Whether the browser leaves it out. */
  isHidden: boolean;
}

/** Where the element is that a picker belongs to, in CSS pixels of the picture. */
export interface PickerPlace {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Fields for which a browser draws a picker of its own. */
export const FIELD_TYPES = ['date', 'datetime-local', 'month', 'week', 'time', 'color'] as const;
export type FieldType = (typeof FIELD_TYPES)[number];

/** What a browser draws itself over its page when a list or a field is opened, and pictures of the page do not show. */
export type Picker = PickerPlace &
  (
    | { kind: 'list'; options: readonly PickerOption[]; index: number }
    | { kind: 'field'; type: FieldType; value: string; min: string; max: string; step: string }
  );

/** Most entries of a list that are shown, and their longest text, in characters. */
export const MAX_OPTIONS = 2000;
export const MAX_LABEL = 300;

/** A picker as a page or a host has described it; undefined for anything else. */
export function decodePicker(value: unknown): Picker | undefined {
  return isPicker(value) ? value : undefined;
}

/** Whether a value describes a picker. */
export function isPicker(value: unknown): value is Picker {
  return isPlace(value) && (isList(value) || isField(value));
}

function isLabel(value: unknown): value is string {
  return typeof value === 'string' && value.length <= MAX_LABEL;
}

const isPlace = recordOf({ x: isNumber, y: isNumber, width: isNumber, height: isNumber });
const isField = recordOf({
  kind: oneOf('field'),
  type: oneOf(...FIELD_TYPES),
  value: isLabel,
  min: isLabel,
  max: isLabel,
  step: isLabel,
});
const areOptions = listOf<PickerOption>(
  recordOf({ label: isLabel, group: isLabel, isDisabled: isFlag, isHidden: isFlag }),
);
const isList = recordOf({
  kind: oneOf('list'),
  options: (value): value is readonly PickerOption[] =>
    Array.isArray(value) && value.length <= MAX_OPTIONS && areOptions(value),
  index: (value): value is number => Number.isInteger(value),
});
