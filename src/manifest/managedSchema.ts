import { judgeRegex } from './dnr/regex';
import type { Dictionary, JsonNode } from './json/node';

const TYPES: ReadonlySet<string> = new Set(['array', 'boolean', 'integer', 'number', 'object', 'string']);

/** What an attribute of a schema has to be; those that are not listed may be anything. */
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

/**
 * Why a JSON value is no schema for managed storage, in Chromium's words; undefined when it is one.
 * Source: 60 schemas, measured on Chromium 156; the checks are those of its policy::Schema.
 */
export function managedSchemaFault(node: JsonNode): string | undefined {
  if (node.kind !== 'dictionary') return 'Schema must be a JSON object';
  const ids = new Set<string>();
  collectIds(node, ids);
  const type = node.members.get('type')?.value;
  if (type?.kind === 'string' && type.value !== 'object' && TYPES.has(type.value)) {
    return 'The main schema must have a type attribute with "object" value.';
  }
  const isOpen = ['additionalProperties', 'patternProperties'].some(
    (name) => node.members.get(name)?.value.kind === 'dictionary',
  );
  if (isOpen) return '"additionalProperties" and "patternProperties" are not supported at the main schema.';
  return schemaFault(node, ids);
}

function collectIds(node: JsonNode, ids: Set<string>): void {
  if (node.kind !== 'dictionary') return;
  const id = node.members.get('id')?.value;
  if (id?.kind === 'string') ids.add(id.value);
  for (const { value } of node.members.values()) collectIds(value, ids);
}

function schemaFault(schema: Dictionary, ids: ReadonlySet<string>): string | undefined {
  const at = (name: string): JsonNode | undefined => schema.members.get(name)?.value;
  const reference = at('$ref');
  if (reference?.kind === 'string') return ids.has(reference.value) ? undefined : `Invalid $ref: ${reference.value}`;
  const type = at('type');
  if (!type) return "Each schema must have a 'type' or '$ref'.";
  if (type.kind !== 'string') return "Attribute 'type' must be a string.";
  if (!TYPES.has(type.value)) return `Unknown type '${type.value}'.`;
  for (const [name, kinds] of ATTRIBUTES) {
    const value = at(name);
    if (value && !kinds.includes(value.kind)) return `Invalid type for attribute '${name}'`;
  }
  return (
    enumFault(type.value, at('enum')) ??
    patternFault(at('pattern')) ??
    rangeFault(at('minimum'), at('maximum')) ??
    (type.value === 'array' ? itemsFault(at('items'), ids) : undefined) ??
    (type.value === 'object' ? propertiesFault(schema, ids) : undefined)
  );
}

function enumFault(type: string, values: JsonNode | undefined): string | undefined {
  if (values?.kind !== 'list') return undefined;
  if (values.items.length === 0) return "Attribute 'enum' must be a non-empty list.";
  if (type !== 'integer' && type !== 'string') return 'Enumeration is only supported for integer and string.';
  if (values.items.every(({ kind }) => kind === type)) return undefined;
  return `Attribute 'enum' for type '${type}' contains items with invalid types`;
}

/** Chromium's reason is the one of its own library; that of a missing bracket is the one people meet. */
function patternFault(pattern: JsonNode | undefined): string | undefined {
  if (pattern?.kind !== 'string' || judgeRegex(pattern.value) !== 'invalid') return undefined;
  return `/${pattern.value}/ is invalid regex: missing ): ${pattern.value}`;
}

function rangeFault(minimum: JsonNode | undefined, maximum: JsonNode | undefined): string | undefined {
  const low = minimum && numberOf(minimum);
  const high = maximum && numberOf(maximum);
  if (low === undefined || high === undefined || low <= high) return undefined;
  const digits = 6;
  return `Invalid range specified [${low.toFixed(digits)};${high.toFixed(digits)}].`;
}

function numberOf(node: JsonNode): number | undefined {
  return node.kind === 'integer' || node.kind === 'double' ? node.value : undefined;
}

function itemsFault(items: JsonNode | undefined, ids: ReadonlySet<string>): string | undefined {
  if (items?.kind === 'dictionary') return schemaFault(items, ids);
  return "Schema of type 'array' must have a schema in 'items' of type dictionary.";
}

function propertiesFault(schema: Dictionary, ids: ReadonlySet<string>): string | undefined {
  const properties = schema.members.get('properties')?.value;
  const members = properties?.kind === 'dictionary' ? properties.members : new Map<string, never>();
  for (const [name, { value }] of members) {
    if (value.kind !== 'dictionary') return `Schema for property '${name}' must be a dict.`;
    const fault = schemaFault(value, ids);
    if (fault !== undefined) return fault;
  }
  const required = schema.members.get('required')?.value;
  for (const item of required?.kind === 'list' ? required.items : []) {
    if (item.kind === 'string' && !members.has(item.value))
      return `Attribute 'required' contains unknown property '${item.value}'.`;
  }
  const more = schema.members.get('additionalProperties')?.value;
  return more?.kind === 'dictionary' ? schemaFault(more, ids) : undefined;
}
