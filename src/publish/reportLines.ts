import * as l10n from '@vscode/l10n';
import { shortened } from '../base/units';
import type { DataDifference } from './extensionData';

/** The longest value in a line, in characters. */
const MOST_VALUE = 200;

/** A difference in one line: where, which, and its value before and after. */
export function differenceLine({ where, name, before, after }: DataDifference): string {
  const value = (json: string | undefined): string =>
    json === undefined ? l10n.t('nothing') : shortened(json, MOST_VALUE);
  return l10n.t('{0} {1}: {2} → {3}', where, JSON.stringify(shortened(name, MOST_VALUE)), value(before), value(after));
}
