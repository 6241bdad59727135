import type { JsonPath } from '../finding';
import type { JsonView } from '../json/jsonView';
import type { Proposal } from '../proposal';

/** A fault in a rule of the right shape; `path` is from the rule. */
export interface RuleFault {
  /** Chromium's text after `Rule with id 1`. */
  text: string;
  path: JsonPath;
  fix?: Proposal;
}

/** Whether a rule has an empty list at a path. */
export function isEmptyList(rule: JsonView, ...path: JsonPath): boolean {
  return rule.at(...path)?.kind === 'list' && rule.itemsAt(...path).length === 0;
}
