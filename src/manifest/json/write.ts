import type { JsonNode } from './node';

/** A value as in Chromium's texts: without spaces, keys sorted, `<` escaped, and with a fraction for every number that is not an integer. */
export function writeJson(node: JsonNode): string {
  switch (node.kind) {
    case 'null':
      return 'null';
    case 'string':
      return writeString(node.value);
    case 'double':
      return writeDouble(node.value);
    case 'list':
      return `[${node.items.map(writeJson).join(',')}]`;
    case 'dictionary':
      return `{${[...node.members]
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
        .map(([key, { value }]) => `${writeString(key)}:${writeJson(value)}`)
        .join(',')}}`;
    default:
      return String(node.value);
  }
}

function writeString(text: string): string {
  return JSON.stringify(text).replace(
    /[<\u2028\u2029]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`,
  );
}

function writeDouble(value: number): string {
  if (Object.is(value, -0)) return '-0.0';
  const text = String(value);
  return /^-?\d+$/.test(text) ? `${text}.0` : text;
}
