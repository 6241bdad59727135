import { isObject } from '../base/fields';

/** Whether a field of a message has a value of a type, right in every detail. */
type FieldGuard<T = unknown> = (value: unknown) => value is T;

/** Messages by their `kind`, each with its fields. */
type MessageFields = Readonly<Record<string, Readonly<Record<string, FieldGuard>>>>;

/** A message of one of the kinds. */
export type MessageOf<Messages extends MessageFields> = {
  [Kind in keyof Messages]: { kind: Kind } & {
    [Name in keyof Messages[Kind]]: Messages[Kind][Name] extends FieldGuard<infer T> ? T : never;
  };
}[keyof Messages];

/** What is done with the messages of each kind; `Context`: what else it takes. */
export type Handlers<Message extends { kind: string }, Context extends readonly unknown[] = []> = {
  readonly [Kind in Message['kind']]: (message: Extract<Message, { kind: Kind }>, ...context: Context) => unknown;
};

/** Does what the handlers have for the kind of a message, and returns what that returns. */
export function handle<Message extends { kind: string }, Context extends readonly unknown[]>(
  handlers: Handlers<Message, Context>,
  message: Message,
  ...context: Context
): unknown {
  const { kind }: { kind: Message['kind'] } = message;
  return handlers[kind](message as Extract<Message, { kind: Message['kind'] }>, ...context);
}

/** Whether a value is a message of one of the kinds, with all of its fields. */
export function isMessageOf<Messages extends MessageFields>(
  messages: Messages,
  value: unknown,
): value is MessageOf<Messages> {
  if (!isObject(value)) return false;
  const { kind } = value;
  const fields = typeof kind === 'string' && Object.hasOwn(messages, kind) ? messages[kind] : undefined;
  return fields !== undefined && hasFields(fields, value);
}

/** A record with these fields. */
export function recordOf<Fields extends Readonly<Record<string, FieldGuard>>>(fields: Fields) {
  type Wanted = { [Name in keyof Fields]: Fields[Name] extends FieldGuard<infer T> ? T : never };
  return (value: unknown): value is Wanted => isObject(value) && hasFields(fields, value);
}

function hasFields(fields: Readonly<Record<string, FieldGuard>>, value: Record<string, unknown>): boolean {
  return Object.entries(fields).every(([name, isRight]) => isRight(value[name]));
}

/** One of `values`. */
export function oneOf<const T>(...values: readonly T[]): FieldGuard<T> {
  return (value): value is T => values.some((one) => one === value);
}

/** A list of any length. */
export function listOf<T>(isRight: FieldGuard<T>): FieldGuard<readonly T[]> {
  return (value): value is readonly T[] => Array.isArray(value) && value.every(isRight);
}

/** Longest text of a message, in characters. */
const MAX_TEXT = 1_000_000;

/** A text of bounded length. */
export function isText(value: unknown): value is string {
  return typeof value === 'string' && value.length <= MAX_TEXT;
}

/** A number that is neither infinite nor NaN. */
export function isNumber(value: unknown): value is number {
  return Number.isFinite(value);
}

/** A whole number from `min` to `max`. */
export function whole(min: number, max = Number.MAX_SAFE_INTEGER): FieldGuard<number> {
  return (value): value is number => Number.isSafeInteger(value) && Number(value) >= min && Number(value) <= max;
}

export const isCount = whole(0);

export function isFlag(value: unknown): value is boolean {
  return typeof value === 'boolean';
}

export function isBytes(value: unknown): value is Uint8Array {
  return value instanceof Uint8Array;
}
