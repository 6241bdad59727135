import { shapeRefusal } from '../refusal';
import { keyRule, type Context, type Rule } from '../rule';
import { manifestKeyFault } from '../shape/manifestKey';
import type { Shape } from '../shape/shape';

/** A rule about the shape of a key, and what `check` finds where the shape is right. */
export interface ShapeRule extends Rule {
  key: string;
  shape: Shape;
}

/** A rule about a key at the top of the manifest: that its value has a shape, and then what `check` finds. */
export function shapeRule(
  id: string,
  key: string,
  shape: Shape,
  check: (context: Context) => ReturnType<Rule['check']> = () => [],
): ShapeRule {
  const rule = keyRule(id, key, (node, context) => {
    const fault = manifestKeyFault(key, node, shape);
    return fault ? shapeRefusal(fault) : check(context);
  });
  return { ...rule, key, shape };
}
