/** The field of an object that somebody else has written; undefined when there is none. */
export function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && name in value ? Reflect.get(value, name) : undefined;
}

/** The value if it is an object, else an empty one. */
export function objectOf(value: unknown): object {
  return typeof value === 'object' && value !== null ? value : {};
}
