import type { JsonNode } from '../json/node';
import { narrowed } from './characters';
import { oneOf } from '../wanted';
import { missingMember, reshaped, wrongKind, type ShapeFault } from './fault';
import { kindOf, type Shape } from './shape';

/**
 * Compares a value with a shape as Chromium's parsers of API values do: in declared order, up to the first fault, with their texts (such
 * as `'all_frames': expected all_frames`).
 *
 * Source: R-CS-TYPE, R-DNR-PARSE and R-EXTCONN, measured on Chromium 156.
 */
export function populate(node: JsonNode, shape: Shape): ShapeFault | undefined {
  if (shape.is === 'any') return undefined;
  if (shape.is === 'choice') return chosen(node, shape);
  if (node.kind !== shape.is) {
    return {
      text: `expected ${kindOf(shape)}, got ${node.kind}`,
      path: [],
      explain: wrongKind(shape, node),
      ...reshaped(shape, node),
    };
  }
  return shape.is === 'dictionary' ? populateMembers(node, shape) : undefined;
}

function populateMembers(node: JsonNode, shape: Extract<Shape, { is: 'dictionary' }>): ShapeFault | undefined {
  if (node.kind !== 'dictionary') return undefined;
  for (const [name, { shape: wanted, optional }] of Object.entries(shape.members)) {
    const value = node.members.get(name)?.value;
    if (!value) {
      if (optional) continue;
      return { text: `'${name}' is required`, path: [name], explain: missingMember };
    }
    const fault = populateMember(name, value, wanted);
    if (fault) return { ...fault, path: [name, ...fault.path] };
  }
  return undefined;
}

function populateMember(name: string, value: JsonNode, shape: Shape): ShapeFault | undefined {
  switch (shape.is) {
    case 'any':
      return undefined;
    case 'choice':
      return chosen(value, shape);
    case 'list':
      return value.kind === 'list' ? populateItems(name, value.items, shape.of) : expected(name, 'list', value, shape);
    case 'dictionary':
      return value.kind === 'dictionary' ? populateMembers(value, shape) : expected(name, 'dictionary', value, shape);
    default:
      return value.kind === shape.is ? undefined : expected(name, name, value, shape);
  }
}

function populateItems(name: string, items: readonly JsonNode[], shape: Shape): ShapeFault | undefined {
  for (const [index, item] of items.entries()) {
    const fault = populate(item, shape);
    if (!fault) continue;
    const path = [index, ...fault.path];
    // The text about a choice has no index; all others have.
    if (shape.is === 'choice') return { ...fault, path };
    return {
      ...fault,
      text: `Error at key '${name}': Parsing array failed at index ${index}: ${narrowed(fault.text)}`,
      path,
    };
  }
  return undefined;
}

function expected(name: string, what: string, node: JsonNode, shape: Exclude<Shape, { is: 'any' }>): ShapeFault {
  const text = `'${name}': expected ${what}, got ${node.kind}`;
  return { text, path: [], explain: wrongKind(shape, node), ...reshaped(shape, node) };
}

function chosen(node: JsonNode, shape: Extract<Shape, { is: 'choice' }>): ShapeFault | undefined {
  const { name, values } = shape;
  const explain = oneOf(values);
  if (node.kind !== 'string') return { text: `'${name}': expected string, got ${node.kind}`, path: [], explain };
  if (values.includes(node.value)) return undefined;
  const quoted = values.map((value) => `"${value}"`).join(' or ');
  return { text: `'${name}': expected ${quoted}, got "${node.value}"`, path: [], explain, ...reshaped(shape, node) };
}
