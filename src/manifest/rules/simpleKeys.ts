import * as l10n from '@vscode/l10n';
import { CHROMIUM_VERSION } from '../availability';
import { removing } from '../proposal';
import { caution, invalidValue, possibleRefusal, refusal } from '../refusal';
import { keyRule, type Report, type Rule } from '../rule';
import { choice } from '../shape/shape';
import { parseAddress } from '../values/addressRules';
import { isPemKey } from '../values/pemKey';
import { compareVersions, parseVersionNumber } from '../values/version';
import { WANTED, type Wanted } from '../wanted';
import { shapeRule } from './shapeRule';

/** A rule about a key of one simple type. */
function plainKey(id: string, key: string, wanted: Wanted, isRight: (value: unknown) => boolean): Rule {
  return keyRule(id, key, (node) => ('value' in node && isRight(node.value) ? [] : invalidValue(key, wanted)));
}

const isString = (value: unknown): boolean => typeof value === 'string';

/** R-DESC, R-SHORTNAME, R-VERNAME, R-OFFLINE: keys of one simple type. Measured on Chromium 156. */
export const simpleKeyRules: readonly Rule[] = [
  plainKey('R-DESC', 'description', WANTED.string, isString),
  plainKey('R-SHORTNAME', 'short_name', WANTED.text, (value) => isString(value) && value !== ''),
  plainKey('R-VERNAME', 'version_name', WANTED.string, isString),
  plainKey('R-OFFLINE', 'offline_enabled', WANTED.boolean, (value) => typeof value === 'boolean'),
];

/** R-KEY: base64, or a PEM block of it; Chromium does not check what it encodes. Measured on Chromium 156. */
export const publicKeyRule = keyRule('R-KEY', 'key', (node) => {
  if (node.kind === 'string' && isPemKey(node.value)) return [];
  const message = l10n.t('The value of "key" is not a public key in base64. Paste it on one line, or remove the key.');
  return refusal("Value 'key' is missing or invalid.", message, ['key']);
});

/** R-HOMEPAGE: an absolute web address. Measured on Chromium 156. */
export const homepageRule = urlRule(
  'R-HOMEPAGE',
  'homepage_url',
  'homepage url',
  (key) => l10n.t('"{0}" has to be an address that begins with https://.', key),
  (url) => ['http:', 'https:'].includes(url.protocol),
);

/** R-UPDATEURL: an address without a fragment, whatever its scheme. Measured on Chromium 156. */
export const updateUrlRule = urlRule(
  'R-UPDATEURL',
  'update_url',
  'update url',
  (key) => l10n.t('"{0}" has to be an address without #.', key),
  (url) => !url.href.includes('#'),
);

function urlRule(id: string, key: string, called: string, wanted: Wanted, isRight: (url: URL) => boolean): Rule {
  return keyRule(id, key, (node) => {
    const written = node.kind === 'string' ? node.value : '';
    const url = parseAddress(written);
    if (url && isRight(url)) return [];
    return refusal(`Invalid value for ${called}: '[${written}]'.`, wanted(key), [key]);
  });
}

/** R-MINVER: a version, and not newer than that of the browser, which is known only after a push. Measured on Chromium 156. */
export const minimumVersionRule = keyRule('R-MINVER', 'minimum_chrome_version', (node) => {
  const path = ['minimum_chrome_version'];
  const wanted = node.kind === 'string' ? parseVersionNumber(node.value) : undefined;
  if (!wanted) {
    const message = l10n.t('"minimum_chrome_version" has to be a version in quotes, such as "120".');
    return refusal("Invalid value for 'minimum_chrome_version'.", message, path);
  }
  const browser = parseVersionNumber(CHROMIUM_VERSION) ?? [];
  if (compareVersions(wanted, browser) <= 0) return [];
  const shown = node.kind === 'string' ? node.value : '';
  const text = `This extension requires Chromium version ${shown} or greater.`;
  const message = l10n.t(
    'An older browser refuses this extension: "{0}" Sideload checks for version {1}.',
    text,
    CHROMIUM_VERSION,
  );
  return possibleRefusal(text, message, path);
});

/** R-INCOGNITO: one of three modes. Measured on Chromium 156. */
export const incognitoRule = shapeRule(
  'R-INCOGNITO',
  'incognito',
  choice('IncognitoMode', 'spanning', 'split', 'not_allowed'),
);

/** R-FINGERPRINT: a key that only the Web Store writes. Measured on Chromium 156. */
export const fingerprintRule = keyRule('R-FINGERPRINT', 'differential_fingerprint', () => {
  const text = 'Manifest contains a differential_fingerprint key that will be overridden on extension update.';
  const message = l10n.t('The Web Store writes "differential_fingerprint" itself. Remove it.');
  return removing(caution(text, message, ['differential_fingerprint']));
});

/** R-SERIALIZATION: how messages are serialized. Measured on Chromium 156. */
export const serializationRule = keyRule('R-SERIALIZATION', 'message_serialization', (node) => {
  if (node.kind === 'string' && ['json', 'structured_clone'].includes(node.value)) return [];
  const text = "Invalid value for 'message_serialization'. Must be 'json' or 'structured_clone'.";
  const message = l10n.t('"message_serialization" has to be "json" or "structured_clone".');
  return refusal(text, message, ['message_serialization']);
});

const MAX_TOKEN_LENGTH = 6144;

/** R-TOKENS: tokens of origin trials, whose faults are warnings. Measured on Chromium 156; the limits are from its source. */
export const trialTokensRule = keyRule('R-TOKENS', 'trial_tokens', (node) => {
  if (node.kind !== 'list' || node.items.length === 0) {
    const text = "Invalid value for 'trial_tokens'. Must be a non-empty list.";
    const message = l10n.t('"trial_tokens" has to be a list with tokens. Remove it if there are none.');
    return removing(caution(text, message, ['trial_tokens']));
  }
  const seen = new Set<string>();
  return node.items.flatMap((item, index): Report | Report[] => {
    const path = ['trial_tokens', index];
    if (item.kind !== 'string' || item.value === '') {
      const text = "Invalid element in 'trial_tokens'. Must be a non-empty string.";
      return caution(text, l10n.t('A token has to be a string that is not empty.'), path);
    }
    if (item.value.length > MAX_TOKEN_LENGTH) {
      const text = `Invalid element in 'trial_tokens'. Token must not be longer than ${MAX_TOKEN_LENGTH}.`;
      const message = l10n.t('Chromium ignores this token, which is longer than {0} characters.', MAX_TOKEN_LENGTH);
      return caution(text, message, path);
    }
    if (!seen.has(item.value)) {
      seen.add(item.value);
      return [];
    }
    const text = `Duplicate element in 'trial_tokens': '${item.value}'.`;
    return removing(caution(text, l10n.t('The token is listed twice. Remove one of the two.'), path));
  });
});
