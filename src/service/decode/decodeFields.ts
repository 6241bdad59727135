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

/**
 * Reads a field that may be absent or null; the result then does not have it. `named` is the name of the field in this program, by default
 * that of the interface in camel case.
 */
export function optional<K extends string, T>(
  fields: JsonObject,
  name: K,
  where: string,
  read: FieldReader<T>,
): Partial<Record<CamelCase<K>, T>>;
export function optional<N extends string, T>(
  fields: JsonObject,
  name: string,
  where: string,
  read: FieldReader<T>,
  named: N,
): Partial<Record<N, T>>;
export function optional<T>(
  fields: JsonObject,
  name: string,
  where: string,
  read: FieldReader<T>,
  named = camelCase(name),
): Partial<Record<string, T>> {
  const value = fields[name];
  return value === undefined || value === null ? {} : { [named]: read(fields, name, where) };
}

/**
 * Reads a field that is passed on at most; the result does not have it when it is absent or null, or has another type. A newer service
 * may change it without harm.
 */
export function lenient<K extends string, T>(
  fields: JsonObject,
  name: K,
  where: string,
  read: FieldReader<T>,
): Partial<Record<CamelCase<K>, T>> {
  try {
    return optional(fields, name, where, read);
  } catch (error) {
    if (error instanceof DecodeError) return {};
    throw error;
  }
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
