import { fieldOf, isObject, listField, optionalText, textsField } from '../base/fields';
/**
 * The schemas of what tools take: a part of JSON Schema that language models, MCP clients and VS Code all understand. Descriptions are in
 * English, because models read them.
 */
export type ValueSchema =
  | { type: 'string'; description: string; enum?: readonly string[]; maxLength?: number }
  | { type: 'integer'; description: string; minimum: number; maximum: number }
  | { type: 'boolean'; description: string }
  | { type: 'array'; description: string; items: ValueSchema | ObjectSchema; maxItems: number }
  | ObjectSchema;

export interface ObjectSchema {
  type: 'object';
  description?: string;
  properties: Readonly<Record<string, ValueSchema>>;
  required?: readonly string[];
  /** Whether other members are allowed, of any type. */
  additionalProperties: boolean;
}

/** A text of at most so many characters. */
export function words(description: string, maxLength: number): ValueSchema {
  return { type: 'string', description, maxLength };
}

/** One of a few texts. */
export function oneOf(description: string, values: readonly string[]): ValueSchema {
  return { type: 'string', description, enum: values };
}

/** A whole number from `minimum` to `maximum`. */
export function whole(description: string, minimum: number, maximum: number): ValueSchema {
  return { type: 'integer', description, minimum, maximum };
}

/** True or false. */
export function flag(description: string): ValueSchema {
  return { type: 'boolean', description };
}

/** A list of at most so many items. */
export function listOf(description: string, items: ValueSchema, maxItems: number): ValueSchema {
  return { type: 'array', description, items, maxItems };
}

/** An input that may have these members, and no others. */
export function takes(properties: ObjectSchema['properties']): ObjectSchema {
  return { type: 'object', properties, additionalProperties: false };
}

/** The same, which has to have the required ones. */
export function needs(required: readonly string[], properties: ObjectSchema['properties']): ObjectSchema {
  return { ...takes(properties), required };
}

/** What is wrong with a value, as a sentence that names the member; undefined when it conforms to the schema. */
export function problemOf(schema: ValueSchema, value: unknown, name = 'the input'): string | undefined {
  switch (schema.type) {
    case 'string':
      if (typeof value !== 'string') return `${name} must be a string.`;
      if (schema.enum && !schema.enum.includes(value)) return `${name} must be one of ${schema.enum.join(', ')}.`;
      return schema.maxLength !== undefined && value.length > schema.maxLength
        ? `${name} is too long: it has ${value.length} characters, the most are ${schema.maxLength}.`
        : undefined;
    case 'integer': {
      const { minimum, maximum } = schema;
      const isRight = typeof value === 'number' && Number.isInteger(value) && value >= minimum && value <= maximum;
      return isRight ? undefined : `${name} must be a whole number from ${minimum} to ${maximum}.`;
    }
    case 'boolean':
      return typeof value === 'boolean' ? undefined : `${name} must be true or false.`;
    case 'array':
      if (!Array.isArray(value)) return `${name} must be a list.`;
      if (value.length > schema.maxItems) return `${name} has more than ${schema.maxItems} items.`;
      return firstProblem(value.map((item, at) => () => problemOf(schema.items, item, `${name}[${at}]`)));
    case 'object':
      return objectProblem(schema, value, name);
  }
}

function objectProblem(schema: ObjectSchema, value: unknown, name: string): string | undefined {
  if (!isObject(value)) return `${name} must be an object.`;
  const { properties, required = [], additionalProperties } = schema;
  const missing = required.find((key) => !Object.hasOwn(value, key));
  if (missing !== undefined) return `${name} lacks "${missing}".`;
  return firstProblem(
    Object.entries(value).map(([key, member]) => () => {
      const schemaOfMember = Object.hasOwn(properties, key) ? properties[key] : undefined;
      if (schemaOfMember) return problemOf(schemaOfMember, member, `"${key.slice(0, 100)}"`);
      if (additionalProperties) return undefined;
      const known = Object.keys(properties).join(', ');
      return `${name} has no "${key.slice(0, 100)}". ${known === '' ? 'It takes nothing.' : `It takes ${known}.`}`;
    }),
  );
}

function firstProblem(checks: readonly (() => string | undefined)[]): string | undefined {
  for (const check of checks) {
    const problem = check();
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** The members of an input that conforms to its schema. */
export class Input {
  constructor(private readonly values: unknown) {}

  get names(): readonly string[] {
    return Object.keys(this.values ?? {});
  }

  text(name: string): string | undefined {
    return optionalText(this.values, name);
  }

  number(name: string): number | undefined {
    const value = this.value(name);
    return typeof value === 'number' ? value : undefined;
  }

  /** False when it is missing. */
  flag(name: string): boolean {
    return this.value(name) === true;
  }

  /** Empty when it is missing. */
  list(name: string): readonly unknown[] {
    return listField(this.values, name);
  }

  /** The strings of a list. */
  texts(name: string): readonly string[] {
    return textsField(this.values, name);
  }

  value(name: string): unknown {
    return fieldOf(this.values, name);
  }
}
