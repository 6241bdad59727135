/** A decoded JSON value. */
export type JsonValue = null | boolean | number | string | JsonValue[] | { [key: string]: JsonValue };

/** A part of the text, in bytes after a byte order mark; `end` is exclusive. */
export interface Span {
  start: number;
  end: number;
}

export interface Member {
  /** The span of the key, with its quotes. */
  key: Span;
  value: JsonNode;
  /** Whether a member before it has the same key, and would count if this one were not there. */
  isRepeated?: true;
}

/**
 * A value with its span. Like Chromium, it distinguishes integers of 32 bits from other numbers: `3` is an integer, `3.0` and `3e0` are
 * doubles. Of members with the same key the last one counts.
 */
export type JsonNode = Span &
  (
    | { kind: 'null' }
    | { kind: 'boolean'; value: boolean }
    | { kind: 'integer'; value: number }
    | { kind: 'double'; value: number }
    | { kind: 'string'; value: string }
    | { kind: 'list'; items: JsonNode[] }
    | { kind: 'dictionary'; members: Map<string, Member> }
  );

export type Dictionary = Extract<JsonNode, { kind: 'dictionary' }>;

/** A deviation from standard JSON that Chromium accepts. */
export interface Leniency extends Span {
  what: 'comment' | 'line break in a string' | '\\x escape';
}

/** Where and why parsing stopped; `text` is Chromium's, with line and column (the column counts bytes). */
export interface JsonFault extends Span {
  text: string;
}

/** The plain value of a node. Keys such as `__proto__` become own properties like any other. */
export function valueOf(node: JsonNode): JsonValue {
  switch (node.kind) {
    case 'null':
      return null;
    case 'list':
      return node.items.map(valueOf);
    case 'dictionary':
      return Object.fromEntries([...node.members].map(([key, { value }]) => [key, valueOf(value)]));
    default:
      return node.value;
  }
}
