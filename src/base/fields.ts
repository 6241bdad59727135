/*
 * Reading of values that somebody else has written and that may be anything: parsed JSON, answers of pages and programs, arguments of commands.
 * None of these functions throws for a value of another shape.
 */

/** A field of an object; undefined when there is none. */
export function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && name in value ? Reflect.get(value, name) : undefined;
}

/** A field that is a text; empty when there is none. */
export function textField(value: unknown, name: string): string {
  return optionalText(value, name) ?? '';
}

/** A field that is a text; undefined when there is none. */
export function optionalText(value: unknown, name: string): string | undefined {
  const field = fieldOf(value, name);
  return typeof field === 'string' ? field : undefined;
}

/** A field that is a finite number; 0 when there is none. */
export function numberField(value: unknown, name: string): number {
  const field = fieldOf(value, name);
  return typeof field === 'number' && Number.isFinite(field) ? field : 0;
}

/** A field that is a list; empty when there is none. */
export function listField(value: unknown, name: string): readonly unknown[] {
  const field = fieldOf(value, name);
  return Array.isArray(field) ? field : [];
}

/** The texts in a field that is a list, in their order; empty when there is none. */
export function textsField(value: unknown, name: string): string[] {
  return listField(value, name).filter((entry) => typeof entry === 'string');
}

/** Whether a value is an object with named fields: neither null nor a list. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value if it is an object, else an empty one. */
export function objectOf(value: unknown): object {
  return typeof value === 'object' && value !== null ? value : {};
}

/** The fields that have a value; a type that lets a field be missing does not let it be undefined. */
export function present<T extends object>(fields: T): { [Name in keyof T]?: Exclude<T[Name], undefined> } {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [Name in keyof T]?: Exclude<T[Name], undefined> };
}
