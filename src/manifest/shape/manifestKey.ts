import type { JsonNode } from '../json/node';
import { narrowed, widened } from './characters';
import { oneOf } from '../wanted';
import { missingMember, reshaped, wrongKind, type ShapeFault } from './fault';
import { populate } from './populate';
import type { Shape } from './shape';

/**
 * Compares the value of a manifest key with a shape as Chromium's generated manifest parsers do: it reports nested dictionaries by their
 * full key, and lists by index. Paths are from the root of the manifest.
 *
 * Source: R-CS-TYPE, R-OMNIBOX, R-OAUTH2 and R-REQ, measured on Chromium 156.
 */
export function manifestKeyFault(key: string, node: JsonNode, shape: Shape): ShapeFault | undefined {
  const fault = faultAt(key, node, shape);
  return (
    fault && { ...fault, text: `Error at key '${fault.key}'. ${fault.text}`, path: [...key.split('.'), ...fault.path] }
  );
}

/** A fault whose key is not yet part of its text; its path starts at the value. */
type KeyFault = ShapeFault & { key: string };

function faultAt(key: string, node: JsonNode, shape: Shape): KeyFault | undefined {
  if (shape.is === 'any') return undefined;
  const kind = shape.is === 'choice' ? 'string' : shape.is;
  if (node.kind !== kind) {
    const text = `Type is invalid. Expected ${kind}, found ${node.kind}.`;
    return { key, text, path: [], explain: wrongKind(shape, node), ...reshaped(shape, node) };
  }
  if (shape.is === 'choice' && node.kind === 'string') return notChosen(key, node, shape);
  if (shape.is === 'list' && node.kind === 'list') return itemFault(key, node.items, shape.of);
  if (shape.is === 'dictionary' && node.kind === 'dictionary') return memberFault(key, node.members, shape);
  return undefined;
}

function memberFault(
  key: string,
  members: Extract<JsonNode, { kind: 'dictionary' }>['members'],
  shape: Extract<Shape, { is: 'dictionary' }>,
): KeyFault | undefined {
  for (const [name, { shape: wanted, optional }] of Object.entries(shape.members)) {
    const value = members.get(name)?.value;
    const inner = `${key}.${name}`;
    if (!value && optional) continue;
    const fault = value
      ? faultAt(inner, value, wanted)
      : { key: inner, text: 'Manifest key is required.', path: [], explain: missingMember };
    if (fault) return { ...fault, path: [name, ...fault.path] };
  }
  return undefined;
}

function itemFault(key: string, items: readonly JsonNode[], shape: Shape): KeyFault | undefined {
  // In a list of choices, Chromium checks the types of all items first.
  const passes = shape.is === 'choice' ? [{ is: 'string' } as const, shape] : [shape];
  for (const pass of passes) {
    for (const [index, item] of items.entries()) {
      const fault = pass.is === 'choice' && item.kind === 'string' ? notChosen('', item, pass) : populate(item, pass);
      if (!fault) continue;
      const text = `Parsing array failed at index ${index}: ${narrowed(fault.text)}`;
      return { key, text, path: [index, ...fault.path], explain: fault.explain, ...(fault.fix && { fix: fault.fix }) };
    }
  }
  return undefined;
}

function notChosen(
  key: string,
  node: Extract<JsonNode, { kind: 'string' }>,
  shape: Extract<Shape, { is: 'choice' }>,
): KeyFault | undefined {
  if (shape.values.includes(node.value)) return undefined;
  return {
    key,
    text: `Specified value '${widened(node.value)}' is invalid.`,
    path: [],
    explain: oneOf(shape.values),
    ...reshaped(shape, node),
  };
}
