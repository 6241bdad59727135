import type { JsonPath } from '../finding';
import type { JsonNode } from '../json/node';
import type { Shape } from './shape';

/** The first place where a value does not have the shape that Chromium expects. */
export interface ShapeFault {
  /** Chromium's text. */
  text: string;
  /** Where, from the value that was looked at. */
  path: JsonPath;
  /** What is wrong, for people, as the end of a sentence that begins with the place. */
  wrong: string;
}

const KINDS: Record<JsonNode['kind'], string> = {
  null: 'null',
  boolean: 'true or false',
  integer: 'a number',
  double: 'a fraction',
  string: 'a string',
  list: 'a list',
  dictionary: 'an object',
};

/** A kind of value in people's words. */
export function nameOfKind(kind: JsonNode['kind']): string {
  return KINDS[kind];
}

/** The end of a sentence about a value of the wrong kind. */
export function wrongKind(shape: Shape, node: JsonNode): string {
  const wanted: Record<Shape['is'], string> = {
    string: 'a string in quotes',
    boolean: 'true or false without quotes',
    integer: 'a whole number without quotes',
    any: 'anything',
    list: 'a list in [ ]',
    dictionary: 'an object in { }',
    choice: shape.is === 'choice' ? `one of ${shape.values.join(', ')}` : '',
  };
  return `has to be ${wanted[shape.is]}, not ${nameOfKind(node.kind)}`;
}

/** A path as people write it: `content_scripts[0].js`. */
export function showPath(path: JsonPath): string {
  return path.map((step, index) => (typeof step === 'number' ? `[${step}]` : index === 0 ? step : `.${step}`)).join('');
}
