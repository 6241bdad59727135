/** Foreign data did not have the shape of the interface; the message names the field. */
export class DecodeError extends Error {
  override readonly name = 'DecodeError';
}

/** A JSON object whose fields nobody has looked at yet. */
export type JsonObject = Record<string, unknown>;

/** Reads one field; `where` is the path of the object that has it, for the error. */
export type FieldReader<T> = (fields: JsonObject, name: string, where: string) => T;

/**
 * `value` as a JSON object; `where` names it in the error.
 * @throws DecodeError
 */
export function objectOf(value: unknown, where: string): JsonObject {
  if (!isJsonObject(value)) throw wrong(where, 'an object', value);
  return value;
}

/** Whether `value` is a JSON object. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A string. */
export const text: FieldReader<string> = (fields, name, where) => {
  const value = fields[name];
  if (typeof value !== 'string') throw wrong(`${where}.${name}`, 'a string', value);
  return value;
};

/** A number. */
export const number: FieldReader<number> = (fields, name, where) => {
  const value = fields[name];
  if (typeof value !== 'number') throw wrong(`${where}.${name}`, 'a number', value);
  return value;
};

/** True or false. */
export const flag: FieldReader<boolean> = (fields, name, where) => {
  const value = fields[name];
  if (typeof value !== 'boolean') throw wrong(`${where}.${name}`, 'true or false', value);
  return value;
};

/** A nested object as it is. */
export const record: FieldReader<JsonObject> = (fields, name, where) => objectOf(fields[name], `${where}.${name}`);

/** A nested object whose values are all strings. */
export const texts: FieldReader<Record<string, string>> = (fields, name, where) => {
  const entries = record(fields, name, where);
  const inner = `${where}.${name}`;
  return Object.fromEntries(Object.keys(entries).map((key) => [key, text(entries, key, inner)]));
};

/** A nested resource that `decode` reads. */
export function nested<T>(decode: (value: unknown, where: string) => T): FieldReader<T> {
  return (fields, name, where) => decode(fields[name], `${where}.${name}`);
}

/** Reads a field that may be absent or null; the result leaves such a field out. */
export function optional<K extends string, T>(
  fields: JsonObject,
  name: K,
  where: string,
  read: FieldReader<T>,
): Partial<Record<K, T>> {
  const value = fields[name];
  if (value === undefined || value === null) return {};
  const result: Partial<Record<K, T>> = {};
  result[name] = read(fields, name, where);
  return result;
}

/**
 * A list whose items `item` reads; the error names the index.
 * @throws DecodeError
 */
export function listOf<T>(value: unknown, where: string, item: (value: unknown, where: string) => T): T[] {
  if (!Array.isArray(value)) throw wrong(where, 'a list', value);
  return value.map((entry: unknown, index) => item(entry, `${where}[${index}]`));
}

/** Says the kind of what was there, never the value: it may be a credential. */
function wrong(where: string, wanted: string, value: unknown): DecodeError {
  return new DecodeError(`${where} should be ${wanted} but is ${kindOf(value)}`);
}

function kindOf(value: unknown): string {
  if (value === undefined) return 'missing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
