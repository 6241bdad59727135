import type { JsonPath, Range } from './finding';
import { child, JsonView } from './json/jsonView';
import type { Dictionary, JsonNode, Span } from './json/node';
import type { Text } from './source/text';

/** A parsed JSON object with the positions of its values. */
export class JsonDocument extends JsonView<Dictionary> {
  constructor(
    readonly text: Text,
    root: Dictionary,
  ) {
    super(root);
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
