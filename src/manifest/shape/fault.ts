import * as l10n from '@vscode/l10n';
import type { JsonPath } from '../finding';
import type { JsonNode, JsonValue } from '../json/node';
import type { Proposal } from '../proposal';
import { oneOf, WANTED, type Wanted } from '../wanted';
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

/** The sentence that says of which kind a value is. */
export function saysKind(kind: JsonNode['kind']): string {
  return {
    null: l10n.t('It is null.'),
    boolean: l10n.t('It is true or false.'),
    integer: l10n.t('It is a number.'),
    double: l10n.t('It is a fraction.'),
    string: l10n.t('It is a string.'),
    list: l10n.t('It is a list.'),
    dictionary: l10n.t('It is an object.'),
  }[kind];
}

/** Explains a value of the wrong kind. */
export function wrongKind(shape: Exclude<Shape, { is: 'any' }>, node: JsonNode): Wanted {
  if (shape.is === 'choice') return oneOf(shape.values);
  return (place) => `${wantedKind(shape.is, place)} ${saysKind(node.kind)}`;
}

function wantedKind(kind: Exclude<Shape['is'], 'any' | 'choice'>, place: string): string {
  return {
    string: WANTED.string(place),
    boolean: l10n.t('"{0}" has to be true or false without quotes.', place),
    integer: l10n.t('"{0}" has to be a whole number without quotes.', place),
    list: l10n.t('"{0}" has to be a list in [ ].', place),
    dictionary: l10n.t('"{0}" has to be an object in { }.', place),
  }[kind];
}

/** Explains a required member that is missing. */
export function missingMember(place: string): string {
  return l10n.t('"{0}" is missing.', place);
}

/** A path as people write it: `content_scripts[0].js`. */
export function showPath(path: JsonPath): string {
  return path.map((step, index) => (typeof step === 'number' ? `[${step}]` : index === 0 ? step : `.${step}`)).join('');
}
