import type { JsonPath, Range } from './finding';
import type { Dictionary, JsonNode, Span } from './json/node';
import type { Text } from './source/text';

/** A parsed JSON object with the positions of its values. */
export class JsonDocument {
  constructor(
    readonly text: Text,
    readonly root: Dictionary,
  ) {}

  /** The value at a path, such as `at('background', 'service_worker')`; undefined when there is none. */
  at(...path: JsonPath): JsonNode | undefined {
    let node: JsonNode | undefined = this.root;
    for (const step of path) node = node && child(node, step);
    return node;
  }

  /** The text of a string value; undefined for anything else. */
  stringAt(...path: JsonPath): string | undefined {
    const node = this.at(...path);
    return node?.kind === 'string' ? node.value : undefined;
  }

  /** The items of a list; none of anything else. */
  itemsAt(...path: JsonPath): readonly JsonNode[] {
    const node = this.at(...path);
    return node?.kind === 'list' ? node.items : [];
  }

  /** The strings in a list; none of anything else. */
  stringsAt(...path: JsonPath): string[] {
    return this.itemsAt(...path).flatMap((item) => (item.kind === 'string' ? item.value : []));
  }

  /** Whether a value is `true`. */
  isTrueAt(...path: JsonPath): boolean {
    const node = this.at(...path);
    return node?.kind === 'boolean' && node.value;
  }

  /** The range of a value; of a missing one, the first character of its innermost existing ancestor. */
  range(path: JsonPath): Range {
    const span = spanOf(this.root, path);
    return this.text.range(span.start, span.end);
  }
}

/** The span of a value in the text; of a missing one, the first character of its innermost existing ancestor. */
export function spanOf(root: JsonNode, path: JsonPath): Span {
  let node = root;
  for (const step of path) {
    const next = child(node, step);
    if (!next) return { start: node.start, end: Math.min(node.start + 1, node.end) };
    node = next;
  }
  return { start: node.start, end: node.end };
}

function child(node: JsonNode, step: string | number): JsonNode | undefined {
  if (typeof step === 'number') return node.kind === 'list' ? node.items[step] : undefined;
  return node.kind === 'dictionary' ? node.members.get(step)?.value : undefined;
}
