import { invalidInput } from './errors';

/** A decoded JSON object or query: names to values nobody has looked at yet. */
export type Fields = Readonly<Record<string, unknown>>;

/** A JSON body as an object; an absent body counts as `{}`. Anything else is a 400. */
export function fieldsOf(body: unknown): Fields {
  if (body === undefined || body === null) return {};
  if (!isFields(body)) throw invalidInput('The request body must be a JSON object.');
  return body;
}

/** True for an object that is neither null nor a list. */
export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !Buffer.isBuffer(value);
}

/** 400 when the object has a name outside of `names`. */
export function onlyFields(fields: Fields, names: readonly string[]): void {
  const unknown = Object.keys(fields).find((name) => !names.includes(name));
  if (unknown !== undefined) throw invalidInput(`Unknown field "${unknown}".`);
}

/** A text, or `undefined` when absent or null; 400 for another type. */
export function optionalText(fields: Fields, name: string): string | undefined {
  const value = fields[name] ?? undefined;
  if (value !== undefined && typeof value !== 'string') throw invalidInput(`"${name}" must be a string.`);
  return value;
}

/** A text that must be there and not empty. */
export function requiredText(fields: Fields, name: string): string {
  const value = optionalText(fields, name);
  if (value === undefined || value === '') throw invalidInput(`"${name}" is required.`);
  return value;
}

/** A whole number, or `undefined` when absent or null. */
export function optionalInteger(fields: Fields, name: string): number | undefined {
  const value = fields[name] ?? undefined;
  if (value === undefined) return undefined;
  if (typeof value !== 'number' || !Number.isSafeInteger(value)) throw invalidInput(`"${name}" must be an integer.`);
  return value;
}

/** A whole number that must be there. */
export function requiredInteger(fields: Fields, name: string): number {
  const value = optionalInteger(fields, name);
  if (value === undefined) throw invalidInput(`"${name}" is required.`);
  return value;
}

/** A truth value, or `undefined` when absent or null. */
export function optionalFlag(fields: Fields, name: string): boolean | undefined {
  const value = fields[name] ?? undefined;
  if (value !== undefined && typeof value !== 'boolean') throw invalidInput(`"${name}" must be true or false.`);
  return value;
}

/** A list of texts; absent counts as empty. */
export function textList(fields: Fields, name: string): string[] {
  const value = fields[name] ?? [];
  if (!Array.isArray(value)) throw invalidInput(`"${name}" must be a list of strings.`);
  return value.map((item: unknown) => {
    if (typeof item !== 'string') throw invalidInput(`"${name}" must be a list of strings.`);
    return item;
  });
}

/** An object inside the object, or `undefined` when absent or null. */
export function optionalFields(fields: Fields, name: string): Fields | undefined {
  const value = fields[name] ?? undefined;
  if (value !== undefined && !isFields(value)) throw invalidInput(`"${name}" must be an object.`);
  return value;
}

/** A list of objects; absent counts as empty. */
export function fieldsList(fields: Fields, name: string): Fields[] {
  const value = fields[name] ?? [];
  if (!Array.isArray(value) || !value.every(isFields)) throw invalidInput(`"${name}" must be a list of objects.`);
  return value;
}
