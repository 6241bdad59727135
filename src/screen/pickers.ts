import { isObject } from '../base/fields';

/** One entry of a list. */
export interface PickerOption {
  label: string;
  /** The heading that it stands under; empty for none. */
  group: string;
  isDisabled: boolean;
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
  if (!isObject(value)) return false;
  if (!['x', 'y', 'width', 'height'].every((name) => Number.isFinite(value[name]))) return false;
  if (value['kind'] === 'field') {
    return (
      FIELD_TYPES.some((type) => type === value['type']) &&
      ['value', 'min', 'max', 'step'].every((name) => isLabel(value[name]))
    );
  }
  const { kind, options, index } = value;
  return (
    kind === 'list' &&
    Number.isInteger(index) &&
    Array.isArray(options) &&
    options.length <= MAX_OPTIONS &&
    options.every(isOption)
  );
}

function isOption(value: unknown): value is PickerOption {
  return (
    isObject(value) && isLabel(value['label']) && isLabel(value['group']) && typeof value['isDisabled'] === 'boolean'
  );
}

function isLabel(value: unknown): value is string {
  return typeof value === 'string' && value.length <= MAX_LABEL;
}
