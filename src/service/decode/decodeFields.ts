import * as l10n from '@vscode/l10n';
import { EventLoop } from '../../base/eventLoop';
import { isObject } from '../../base/fields';
import { type CamelCase, camelCase } from '../wire/fieldNames';

/** Data of the service does not have the shape of the interface; the message names the field. */
export class DecodeError extends Error {
  override readonly name = 'DecodeError';
}

/** A JSON object with unvalidated fields. */
export type JsonObject = Record<string, unknown>;

/** Reads one field; `where` is the path of the object that has it, for the error. */
export type FieldReader<T> = (fields: JsonObject, name: string, where: string) => T;

/**
 * `value` as a JSON object; `where` names it in the error.
 * @throws DecodeError
 */
export function recordOf(value: unknown, where: string): JsonObject {
  if (!isObject(value)) throw wrongType(where, 'object', value);
  return value;
}

function plain<T>(wanted: JsonType, isWanted: (value: unknown) => value is T): FieldReader<T> {
  return (fields, name, where) => {
    const value = fields[name];
    if (!isWanted(value)) throw wrongType(`${where}.${name}`, wanted, value);
    return value;
  };
}

/** A string. */
export const text = plain('string', (value) => typeof value === 'string');

/** A number. */
export const number = plain('number', (value) => typeof value === 'number');

/** True or false. */
export const flag = plain('boolean', (value) => typeof value === 'boolean');

/** A nested object without validation of its fields. */
export const record: FieldReader<JsonObject> = (fields, name, where) => recordOf(fields[name], `${where}.${name}`);

/** A nested object whose values are all strings. */
export const texts: FieldReader<Record<string, string>> = (fields, name, where) => {
  const entries = record(fields, name, where);
  const inner = `${where}.${name}`;
  return Object.fromEntries(Object.keys(entries).map((key) => [key, text(entries, key, inner)]));
};

/** A nested resource, decoded by `decode`. */
export function nested<T>(decode: (value: unknown, where: string) => T): FieldReader<T> {
  return (fields, name, where) => decode(fields[name], `${where}.${name}`);
}

/** A field that may be absent or null; undefined then. */
export function optional<T>(read: FieldReader<T>): FieldReader<T | undefined> {
  return (fields, name, where) =>
    fields[name] === undefined || fields[name] === null ? undefined : read(fields, name, where);
}

/** A field that is passed on at most; undefined also when it has another type. A newer service may change it without harm. */
export function lenient<T>(read: FieldReader<T>): FieldReader<T | undefined> {
  return (fields, name, where) => {
    try {
      return optional(read)(fields, name, where);
    } catch (error) {
      if (error instanceof DecodeError) return undefined;
      throw error;
    }
  };
}

/** How each field of a resource is read, by its name in the interface. */
type Schema = Readonly<Record<string, FieldReader<unknown>>>;

/** A resource with the names of this program; it does not have fields without a value. */
type Decoded<S extends Schema> = {
  [Name in keyof S as undefined extends ReturnType<S[Name]> ? never : CamelCase<Name & string>]: ReturnType<S[Name]>;
} & {
  [Name in keyof S as undefined extends ReturnType<S[Name]> ? CamelCase<Name & string> : never]?: Exclude<
    ReturnType<S[Name]>,
    undefined
  >;
};

/**
 * Decodes a resource field by field, in the order of the schema; `where` names it in errors, by default as `kind`.
 * @throws DecodeError
 */
export function decoder<S extends Schema>(kind: string, schema: S): (value: unknown, where?: string) => Decoded<S> {
  const readers = Object.entries(schema).map(([name, read]) => ({ name, named: camelCase(name), read }));
  return (value, where = kind) => {
    const fields = recordOf(value, where);
    // One assignment after another, since a list of a folder has thousands of records.
    const decoded: JsonObject = {};
    for (const { name, named, read } of readers) {
      const field = read(fields, name, where);
      if (field !== undefined) decoded[named] = field;
    }
    return decoded as Decoded<S>;
  };
}

/**
 * A list, with its items decoded by `item`; the error names the index.
 * @throws DecodeError
 */
export function listOf<T>(value: unknown, where: string, item: (value: unknown, where: string) => T): T[] {
  if (!Array.isArray(value)) throw wrongType(where, 'array', value);
  return value.map((entry: unknown, index) => item(entry, `${where}[${index}]`));
}

/**
 * As {@link listOf}, for a list that may have thousands of entries: it takes turns of the event loop.
 * @throws DecodeError
 */
export async function longListOf<T>(
  value: unknown,
  where: string,
  item: (value: unknown, where: string) => T,
): Promise<T[]> {
  const entries = listOf(value, where, (entry) => entry);
  const eventLoop = new EventLoop();
  const items: T[] = [];
  for (const [index, entry] of entries.entries()) {
    if (eventLoop.isDue) await eventLoop.yield();
    items.push(item(entry, `${where}[${index}]`));
  }
  return items;
}

/** Types of JSON, by JSON's own names for them. */
type JsonType = 'object' | 'array' | 'string' | 'number' | 'boolean' | 'null';

/** Names the type of the value, never the value itself, which may be a credential. */
function wrongType(where: string, wanted: JsonType, value: unknown): DecodeError {
  return new DecodeError(
    value === undefined
      ? l10n.t('{0} of the JSON type {1} is missing', where, wanted)
      : l10n.t('{0} has the JSON type {1} instead of {2}', where, typeOf(value), wanted),
  );
}

function typeOf(value: unknown): JsonType {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  const type = typeof value;
  return type === 'object' || type === 'number' || type === 'boolean' ? type : 'string';
}
