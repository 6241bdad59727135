import type { JsonPath } from '../finding';
import type { JsonView } from '../json/jsonView';
import type { ShapeFault } from '../shape/fault';

/** A fault in a rule of the right shape: Chromium's text after `Rule with id 1`, and the path from the rule. */
export type RuleFault = Omit<ShapeFault, 'explain'>;

/** Whether a rule has an empty list at a path. */
export function isEmptyList(rule: JsonView, ...path: JsonPath): boolean {
  return rule.at(...path)?.kind === 'list' && rule.itemsAt(...path).length === 0;
}
