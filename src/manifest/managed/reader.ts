import type { Dictionary, JsonNode } from '../json/node';
import { regexFault } from '../values/re2';
import { SCHEMA_TYPES, sorted } from './attributes';

/** The second pass of Chromium over a schema, whose attributes have the right types by then. It resolves references last. */
export class SchemaReader {
  readonly #ids = new Set<string>();
  readonly #references: string[] = [];

  /** Chromium's text about the first fault; undefined when there is none. */
  read(root: Dictionary): string | undefined {
    const fault = this.#read(root);
    if (fault !== undefined) return fault;
    const unknown = this.#references.find((id) => !this.#ids.has(id));
    return unknown === undefined ? undefined : `Invalid $ref: ${unknown}`;
  }

  #read(schema: Dictionary): string | undefined {
    const at = (name: string): JsonNode | undefined => schema.members.get(name)?.value;
    const id = at('id');
    const reference = at('$ref');
    if (reference?.kind === 'string') {
      if (id?.kind === 'string') return "Schemas with a $ref can't have an id";
      this.#references.push(reference.value);
      return undefined;
    }
    const type = at('type');
    if (type?.kind !== 'string') return 'The schema type must be declared.';
    if (!SCHEMA_TYPES.has(type.value)) return `Type not supported: ${type.value}`;
    const fault = this.#readContent(type.value, schema);
    if (fault !== undefined || id?.kind !== 'string') return fault;
    if (this.#ids.has(id.value)) return `Duplicated id: ${id.value}`;
    this.#ids.add(id.value);
    return undefined;
  }

  #readContent(type: string, schema: Dictionary): string | undefined {
    const at = (name: string): JsonNode | undefined => schema.members.get(name)?.value;
    const items = at('items');
    if (type === 'array') return items?.kind === 'dictionary' ? this.#read(items) : undefined;
    if (type === 'object') return this.#readObject(schema);
    const values = at('enum');
    const pattern = at('pattern');
    if (values?.kind === 'list') return enumFault(type, values.items.length);
    if (pattern?.kind === 'string') return patternFault(type, pattern.value);
    return rangeFault(type, at('minimum'), at('maximum'));
  }

  #readObject(schema: Dictionary): string | undefined {
    const at = (name: string): JsonNode | undefined => schema.members.get(name)?.value;
    for (const value of [at('additionalProperties'), ...sorted(at('properties')).map(([, value]) => value)]) {
      const fault = value?.kind === 'dictionary' ? this.#read(value) : undefined;
      if (fault !== undefined) return fault;
    }
    for (const [pattern, value] of sorted(at('patternProperties'))) {
      const wrong = regexFault(pattern);
      if (wrong !== undefined) return `/${pattern}/ is a invalid regex: ${wrong}`;
      const fault = value.kind === 'dictionary' ? this.#read(value) : undefined;
      if (fault !== undefined) return fault;
    }
    return undefined;
  }
}

function enumFault(type: string, count: number): string | undefined {
  if (count === 0) return 'Enum attribute must be non-empty';
  return type === 'integer' || type === 'string' ? undefined : 'Enumeration is only supported for integer and string.';
}

function patternFault(type: string, pattern: string): string | undefined {
  if (type !== 'string') return 'Only strings can have a pattern';
  const wrong = regexFault(pattern);
  return wrong === undefined ? undefined : `/${pattern}/ is invalid regex: ${wrong}`;
}

const RANGE_DIGITS = 6;

function rangeFault(type: string, minimum: JsonNode | undefined, maximum: JsonNode | undefined): string | undefined {
  if (!minimum && !maximum) return undefined;
  if (type !== 'integer') return 'Only integers can have minimum and maximum';
  const low = minimum && numberOf(minimum);
  const high = maximum && numberOf(maximum);
  if (low === undefined || high === undefined || low <= high) return undefined;
  return `Invalid range specified [${low.toFixed(RANGE_DIGITS)};${high.toFixed(RANGE_DIGITS)}].`;
}

function numberOf(node: JsonNode): number | undefined {
  return node.kind === 'integer' || node.kind === 'double' ? node.value : undefined;
}
