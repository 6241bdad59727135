/** A field name of the interface as this program writes it: `startUrl` for `start_url`. */
export type CamelCase<Name extends string> = Name extends `${infer Word}_${infer Rest}`
  ? `${Word}${Capitalize<CamelCase<Rest>>}`
  : Name;

/** A field name of the interface as this program writes it. */
export function camelCase<Name extends string>(name: Name): CamelCase<Name>;
export function camelCase(name: string): string {
  return name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** A field name of this program as the interface writes it: `start_url` for `startUrl`. */
export function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Fields whose values have names of the user's, or of others. */
const OPAQUE: ReadonlySet<string> = new Set(['tags', 'chromePolicy']);

/**
 * What a request sends for a value of this program: all fields under the names of the interface, also those within; the names in tags and in
 * a browser's policies are others' and stay.
 */
export function wireValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(wireValue);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [snakeCase(name), OPAQUE.has(name) ? field : wireValue(field)]),
  );
}
