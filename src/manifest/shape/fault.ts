import * as l10n from '@vscode/l10n';
import type { JsonPath } from '../finding';
import type { JsonNode, JsonValue } from '../json/node';
import type { Proposal } from '../proposal';
import { oneOf, type Wanted } from '../wanted';
import type { Shape } from './shape';

/** The first place where a value does not have the shape that Chromium expects. */
export interface ShapeFault {
  /** Chromium's text. */
  text: string;
  /** Where, from the value that was looked at. */
  path: JsonPath;
  /** The message about it, given the place as people write it. */
  explain: Wanted;
  /** Present when the value can be written in the right shape. */
  fix?: Proposal;
}

/** Writes a value in the right shape where that is obvious: `"true"` as true, a file as a list of one, a number in quotes. */
export function reshaped(shape: Exclude<Shape, { is: 'any' }>, node: JsonNode): { fix?: Proposal } {
  const by = valueIn(shape, node);
  return by === undefined ? {} : { fix: { do: 'replace', by } };
}

function valueIn(shape: Exclude<Shape, { is: 'any' }>, node: JsonNode): JsonValue | undefined {
  const written = 'value' in node ? node.value : undefined;
  switch (shape.is) {
    case 'boolean':
      return written === 'true' || written === 'false' ? written === 'true' : undefined;
    case 'integer':
      return typeof written === 'string' && /^-?\d{1,9}$/.test(written) ? Number(written) : undefined;
    case 'string':
      return typeof written === 'number' || typeof written === 'boolean' ? String(written) : undefined;
    case 'list':
      return typeof written === 'string' && written !== '' && shape.of.is === 'string' ? [written] : undefined;
    case 'choice':
      return typeof written === 'string'
        ? shape.values.find((value) => value.toLowerCase() === written.toLowerCase().replaceAll('-', '_'))
        : undefined;
    default:
      return undefined;
  }
}

/** A kind of value, with its article. */
export function nameOfKind(kind: JsonNode['kind']): string {
  switch (kind) {
    case 'null':
      return 'null';
    case 'boolean':
      return l10n.t('true or false');
    case 'integer':
      return l10n.t('a number');
    case 'double':
      return l10n.t('a fraction');
    case 'string':
      return l10n.t('a string');
    case 'list':
      return l10n.t('a list');
    case 'dictionary':
      return l10n.t('an object');
  }
}

/** Explains a value of the wrong kind. */
export function wrongKind(shape: Exclude<Shape, { is: 'any' }>, node: JsonNode): Wanted {
  const found = nameOfKind(node.kind);
  switch (shape.is) {
    case 'string':
      return (place) => l10n.t('"{0}" has to be a string in quotes, not {1}.', place, found);
    case 'boolean':
      return (place) => l10n.t('"{0}" has to be true or false without quotes, not {1}.', place, found);
    case 'integer':
      return (place) => l10n.t('"{0}" has to be a whole number without quotes, not {1}.', place, found);
    case 'list':
      return (place) => l10n.t('"{0}" has to be a list in [ ], not {1}.', place, found);
    case 'dictionary':
      return (place) => l10n.t('"{0}" has to be an object in { }, not {1}.', place, found);
    case 'choice':
      return oneOf(shape.values);
  }
}

/** Explains a required member that is missing. */
export function missingMember(place: string): string {
  return l10n.t('"{0}" is missing.', place);
}

/** A path as people write it: `content_scripts[0].js`. */
export function showPath(path: JsonPath): string {
  return path.map((step, index) => (typeof step === 'number' ? `[${step}]` : index === 0 ? step : `.${step}`)).join('');
}
