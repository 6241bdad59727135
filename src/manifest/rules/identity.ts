import * as l10n from '@vscode/l10n';
import type { JsonDocument } from '../document';
import type { Proposal } from '../proposal';
import { caution, refusal } from '../refusal';
import { ruleOf } from '../rule';
import { parseVersion } from '../values/version';

/** R-NAME: a string that is not empty, also after localisation. Measured on Chromium 156. */
export const nameRule = ruleOf('R-NAME', 'keys', ({ document, name }) => {
  if (name) return [];
  const value = document.at('name');
  const wrong = !value
    ? l10n.t('The manifest has no "name".')
    : value.kind === 'string'
      ? l10n.t('The name of the extension is empty.')
      : l10n.t('The value of "name" is not a string.');
  const message = `${wrong} ${l10n.t('Write a name in quotes, such as "name": "My extension".')}`;
  const fix: Proposal = { do: 'replace', by: 'My extension' };
  return refusal("Required value 'name' is missing or invalid.", message, ['name'], { fix });
});

/** R-VERSION, R-VERSION-BIG: one to four whole numbers with dots between them. Measured on Chromium 156. */
export const versionRule = ruleOf('R-VERSION', 'keys', ({ document }) => {
  const value = document.at('version');
  if (value?.kind === 'string' && parseVersion(value.value)) return [];
  const wrong = !value
    ? l10n.t('The manifest has no "version".')
    : value.kind === 'string'
      ? l10n.t('"{0}" is not a version.', value.value)
      : l10n.t('The value of "version" is not a string.');
  const advice = l10n.t(
    'Write one to four whole numbers with dots between them, without leading zeros, such as "version": "1.0.0".',
  );
  const text =
    "Required value 'version' is missing or invalid. It must be between 1-4 dot-separated integers each between 0 and 65536.";
  return refusal(text, `${wrong} ${advice}`, ['version'], { fix: versionFix(document) });
});

/** Adds a missing version, puts a number into quotes, or leaves out what cannot be in a version. */
function versionFix(document: JsonDocument): Proposal {
  const value = document.at('version');
  const written = value?.kind === 'string' ? value.value : value && 'value' in value ? String(value.value) : '';
  const numbers = (/\d+(?:\.\d+)*/.exec(written)?.[0] ?? '')
    .split('.', 4)
    .map((number) => number.replace(/^0+(?=\d)/, ''));
  return { do: 'replace', by: parseVersion(numbers.join('.')) ?? '1.0.0' };
}

/** R-VERSION-ZERO: Chromium drops a leading zero in a later part. Measured on Chromium 156. */
export const versionZeroRule = ruleOf('R-VERSION-ZERO', 'keys', ({ document }) => {
  const written = document.stringAt('version');
  if (written === undefined) return [];
  const parsed = parseVersion(written);
  if (parsed === undefined || parsed === written) return [];
  const message = l10n.t('Chromium reads the version "{0}" as {1}. Leave out the leading zeros.', written, parsed);
  const fix: Proposal = { do: 'replace', by: parsed };
  return caution(`The extension version is parsed as '${parsed}'.`, message, ['version'], { fix });
});
