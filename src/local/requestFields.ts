import { invalidInput } from './httpErrors';

/** A JSON object or a query with unvalidated values. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** The JSON object of a body, `{}` for an absent body; 400 for other values. */
export function objectOf(body: unknown): JsonObject {
  if (body === undefined || body === null) return {};
  if (!isJsonObject(body)) throw invalidInput('The request body must be a JSON object.');
  return body;
}

/** True for a JSON object. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !Buffer.isBuffer(value);
}

/** 400 when the object has a field that is not in `names`. */
export function onlyFields(fields: JsonObject, names: readonly string[]): void {
  const unknown = Object.keys(fields).find((name) => !names.includes(name));
  if (unknown !== undefined) throw invalidInput(`Unknown field "${unknown}".`);
}

/** A string, `undefined` when absent or null; 400 for another type. */
export function optionalText(fields: JsonObject, name: string): string | undefined {
  const value = fields[name] ?? undefined;
  if (value !== undefined && typeof value !== 'string') throw invalidInput(`"${name}" must be a string.`);
  return value;
}

/** A required string that is not empty. */
export function requiredText(fields: JsonObject, name: string): string {
  const value = optionalText(fields, name);
  if (value === undefined || value === '') throw invalidInput(`"${name}" is required.`);
  return value;
}

/** An integer, `undefined` when absent or null. */
export function optionalInteger(fields: JsonObject, name: string): number | undefined {
  const value = fields[name] ?? undefined;
  if (value === undefined) return undefined;
  if (typeof value !== 'number' || !Number.isSafeInteger(value)) throw invalidInput(`"${name}" must be an integer.`);
  return value;
}

/** A required integer. */
export function requiredInteger(fields: JsonObject, name: string): number {
  const value = optionalInteger(fields, name);
  if (value === undefined) throw invalidInput(`"${name}" is required.`);
  return value;
}

/** A boolean, `undefined` when absent or null. */
export function optionalFlag(fields: JsonObject, name: string): boolean | undefined {
  const value = fields[name] ?? undefined;
  if (value !== undefined && typeof value !== 'boolean') throw invalidInput(`"${name}" must be true or false.`);
  return value;
}

/** A list of strings, empty when absent. */
export function textList(fields: JsonObject, name: string): string[] {
  const value = fields[name] ?? [];
  if (!Array.isArray(value)) throw invalidInput(`"${name}" must be a list of strings.`);
  return value.map((item: unknown) => {
    if (typeof item !== 'string') throw invalidInput(`"${name}" must be a list of strings.`);
    return item;
  });
}

/** A nested object, `undefined` when absent or null. */
export function optionalObject(fields: JsonObject, name: string): JsonObject | undefined {
  const value = fields[name] ?? undefined;
  if (value !== undefined && !isJsonObject(value)) throw invalidInput(`"${name}" must be an object.`);
  return value;
}

/** A list of objects, empty when absent. */
export function objectList(fields: JsonObject, name: string): JsonObject[] {
  const value = fields[name] ?? [];
  if (!Array.isArray(value) || !value.every(isJsonObject)) throw invalidInput(`"${name}" must be a list of objects.`);
  return value;
}
