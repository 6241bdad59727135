import type { Dictionary, JsonNode } from '../json/node';

/** The types that a value of a schema may have. */
export const SCHEMA_TYPES: ReadonlySet<string> = new Set(['array', 'boolean', 'integer', 'number', 'object', 'string']);

/** The types of a schema's attributes; other attributes may have any type. */
const ATTRIBUTES: readonly [string, readonly JsonNode['kind'][]][] = [
  ['additionalProperties', ['dictionary']],
  ['description', ['string']],
  ['enum', ['list']],
  ['id', ['string']],
  ['items', ['dictionary']],
  ['maximum', ['integer', 'double']],
  ['minimum', ['integer', 'double']],
  ['pattern', ['string']],
  ['patternProperties', ['dictionary']],
  ['properties', ['dictionary']],
  ['required', ['list']],
  ['sensitiveValue', ['boolean']],
  ['title', ['string']],
];

/** Chromium's text about the first attribute of a wrong type; undefined when there is none. */
export function attributeFault(schema: Dictionary): string | undefined {
  for (const [name, kinds] of ATTRIBUTES) {
    const value = schema.members.get(name)?.value;
    if (value && !kinds.includes(value.kind)) return `Invalid type for attribute '${name}'`;
  }
  return undefined;
}

/** Chromium's text about a wrong `enum` of a string or an integer; undefined when there is none. */
export function memberFault(type: string, values: JsonNode | undefined): string | undefined {
  if (values?.kind !== 'list' || (type !== 'integer' && type !== 'string')) return undefined;
  if (values.items.length === 0) return "Attribute 'enum' must be a non-empty list.";
  if (values.items.every(({ kind }) => kind === type)) return undefined;
  return `Attribute 'enum' for type '${type}' contains items with invalid types`;
}

/** The members of an object in Chromium's order, which is that of their names; empty for other nodes. */
export function sorted(node: JsonNode | undefined): [string, JsonNode][] {
  if (node?.kind !== 'dictionary') return [];
  return [...node.members]
    .map(([name, { value }]): [string, JsonNode] => [name, value])
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
}
