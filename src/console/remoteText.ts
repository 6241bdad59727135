import type { Protocol } from '../devtools/protocol/connect';
import { shortened, tableLines } from '../base/units';

type RemoteObject = Protocol.Runtime.RemoteObject;
type ObjectPreview = Protocol.Runtime.ObjectPreview;
type PropertyPreview = Protocol.Runtime.PropertyPreview;

/** Longest text of a function, which is its source, in characters. */
const FUNCTION_LENGTH = 100;

/** Previews in previews, which only tables have. */
const MAX_DEPTH = 4;

/** Longest cell of a table, in characters. */
const CELL_LENGTH = 60;

/** A format specifier of `console.log`. */
const SPECIFIER = /%([sdifoOc%])/g;

/** The arguments of a console call as DevTools writes them: format specifiers of the first one filled in, objects by their previews. */
export function argumentsText(args: readonly RemoteObject[]): string {
  const [first, ...rest] = args;
  if (first?.type !== 'string') return args.map(argumentText).join(' ');
  const left = [...rest];
  const text = argumentText(first).replaceAll(SPECIFIER, (whole, specifier: string) => {
    if (specifier === '%') return '%';
    const next = left.shift();
    if (!next) return whole;
    return specifierText(specifier, next);
  });
  return [text, ...left.map(argumentText)].join(' ');
}

function specifierText(specifier: string, value: RemoteObject): string {
  switch (specifier) {
    case 'c':
      return '';
    case 'd':
    case 'i':
      return numberText(value, Math.trunc);
    case 'f':
      return numberText(value, (number) => number);
    case 'o':
    case 'O':
      return value.type === 'string' ? quoted(argumentText(value)) : argumentText(value);
    default:
      return argumentText(value);
  }
}

function numberText(value: RemoteObject, convert: (number: number) => number): string {
  if (value.type === 'bigint') return argumentText(value);
  return String(
    value.type === 'number' || value.type === 'string' ? convert(Number.parseFloat(valueText(value))) : NaN,
  );
}

/** An argument by itself: a string as it is. */
function argumentText(value: RemoteObject): string {
  if (value.type === 'object' && value.subtype !== 'null') return objectText(value);
  return value.type === 'function' ? functionText(value.description) : valueText(value);
}

/** A value that is not an object. */
function valueText({ type, subtype, value, unserializableValue, description }: RemoteObject): string {
  if (subtype === 'null') return 'null';
  if (type === 'undefined') return 'undefined';
  if (typeof value === 'string') return value;
  return description ?? unserializableValue ?? String(value);
}

function objectText({ subtype, preview, description = '' }: RemoteObject): string {
  // The description of an error has its stack.
  if (!preview || subtype === 'error') return description;
  return previewText(preview, MAX_DEPTH);
}

/** An object by its preview: `{a: 1, b: {…}}`, `(2) [1, 'a']`, `Map(1) {'a' => 1}`. */
function previewText(preview: ObjectPreview, depth: number): string {
  const { subtype, description = '', properties, overflow } = preview;
  const more = overflow ? ['…'] : [];
  switch (subtype) {
    case 'error':
    case 'date':
    case 'regexp':
    case 'node':
      return description;
    case 'array':
    case 'typedarray': {
      const [, name = '', size = ''] = /^(\w+)\((\d+)\)$/.exec(description) ?? [];
      const prefix = name === 'Array' ? `(${size}) ` : `${description} `;
      const items = properties.map((property) =>
        /^\d+$/.test(property.name) ? propertyValue(property, depth) : propertyText(property, depth),
      );
      return `${name === 'Array' && size === '0' ? '' : prefix}[${[...items, ...more].join(', ')}]`;
    }
    case 'map':
    case 'weakmap':
    case 'set':
    case 'weakset': {
      const entries = (preview.entries ?? []).map(({ key, value }) => {
        const shown = entryText(value, depth);
        return key ? `${entryText(key, depth)} => ${shown}` : shown;
      });
      return `${description} {${[...entries, ...more].join(', ')}}`;
    }
    default: {
      const name = description === 'Object' ? '' : `${description} `;
      const shown = properties.map((property) => propertyText(property, depth));
      return `${name}{${[...shown, ...more].join(', ')}}`;
    }
  }
}

function propertyText(property: PropertyPreview, depth: number): string {
  return `${property.name}: ${propertyValue(property, depth)}`;
}

function propertyValue({ type, subtype, value = '', valuePreview }: PropertyPreview, depth: number): string {
  switch (type) {
    case 'string':
      return quoted(value);
    case 'function':
      return 'ƒ';
    case 'accessor':
      return '(…)';
    case 'object':
      if (subtype === 'null') return 'null';
      if (valuePreview && depth > 0) return previewText(valuePreview, depth - 1);
      if (subtype === 'error') return value.split('\n', 1)[0] ?? '';
      return value === 'Object' ? '{…}' : value;
    default:
      return value;
  }
}

/** A key or value of a map, or an entry of a set. */
function entryText(preview: ObjectPreview, depth: number): string {
  const { type, subtype, description = '' } = preview;
  if (type === 'string') return quoted(description);
  if (type === 'object' && subtype !== 'null' && depth > 0) return previewText(preview, depth - 1);
  return type === 'function' ? 'ƒ' : subtype === 'null' ? 'null' : description;
}

function functionText(source = ''): string {
  return `ƒ ${shortened(source.replaceAll(/\s+/g, ' '), FUNCTION_LENGTH)}`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`\'`).replaceAll('\n', String.raw`\n`)}'`;
}

/** The value of `console.table` as lines of text: a row for each property, a column for each property of these. */
export function tableText(args: readonly RemoteObject[]): string {
  const rows = args[0]?.preview?.properties ?? [];
  if (!rows.some(({ valuePreview }) => valuePreview)) return argumentsText(args);
  const columns: string[] = [];
  for (const { valuePreview } of rows) {
    for (const { name } of valuePreview?.properties ?? []) if (!columns.includes(name)) columns.push(name);
  }
  const hasValues = rows.some(({ valuePreview }) => !valuePreview);
  const cells = rows.map((row) => {
    const properties = row.valuePreview?.properties ?? [];
    const shown = columns.map((column) => {
      const property = properties.find(({ name }) => name === column);
      return property ? propertyValue(property, 1) : '';
    });
    return [row.name, ...shown, ...(hasValues ? [row.valuePreview ? '' : propertyValue(row, 1)] : [])];
  });
  const table = [['(index)', ...columns, ...(hasValues ? ['Value'] : [])], ...cells].map((row) =>
    row.map((cell) => shortened(cell.replaceAll('\n', ' '), CELL_LENGTH)),
  );
  return tableLines(table).join('\n');
}
