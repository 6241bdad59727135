import type { JsonPath } from '../finding';
import type { JsonNode } from '../json/node';
import type { Proposal } from '../proposal';

/** A fault in a rule of the right shape; `path` is from the rule. */
export interface RuleFault {
  /** Chromium's text after `Rule with id 1`. */
  text: string;
  path: JsonPath;
  fix?: Proposal;
}

/** Typed access to a rule of the right shape. */
export class RuleView {
  constructor(readonly node: JsonNode) {}

  at(...path: JsonPath): JsonNode | undefined {
    let node: JsonNode | undefined = this.node;
    for (const step of path) {
      if (typeof step === 'number') node = node?.kind === 'list' ? node.items[step] : undefined;
      else node = node?.kind === 'dictionary' ? node.members.get(step)?.value : undefined;
    }
    return node;
  }

  string(...path: JsonPath): string | undefined {
    const node = this.at(...path);
    return node?.kind === 'string' ? node.value : undefined;
  }

  integer(...path: JsonPath): number | undefined {
    const node = this.at(...path);
    return node?.kind === 'integer' ? node.value : undefined;
  }

  /** The strings of a list; undefined when there is no list. */
  strings(...path: JsonPath): string[] | undefined {
    const node = this.at(...path);
    if (node?.kind !== 'list') return undefined;
    return node.items.flatMap((item) => (item.kind === 'string' ? [item.value] : []));
  }

  /** The length of a list; undefined when there is none. */
  length(...path: JsonPath): number | undefined {
    const node = this.at(...path);
    return node?.kind === 'list' ? node.items.length : undefined;
  }
}
