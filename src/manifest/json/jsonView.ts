import type { JsonPath } from '../finding';
import type { JsonNode } from './node';

/** Typed access to the values in a JSON value, by their paths. */
export class JsonView<Root extends JsonNode = JsonNode> {
  constructor(readonly root: Root) {}

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

  /** A whole number; undefined for anything else. */
  integerAt(...path: JsonPath): number | undefined {
    const node = this.at(...path);
    return node?.kind === 'integer' ? node.value : undefined;
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
}

/** The member or the item of a value; undefined where it has none. */
export function child(node: JsonNode, step: string | number): JsonNode | undefined {
  if (typeof step === 'number') return node.kind === 'list' ? node.items[step] : undefined;
  return node.kind === 'dictionary' ? node.members.get(step)?.value : undefined;
}
