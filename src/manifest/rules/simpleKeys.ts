import { CHROMIUM_VERSION } from '../availability';
import type { JsonPath } from '../finding';
import { caution, possibleRefusal, refusal, shapeRefusal } from '../refusal';
import type { Report, Rule } from '../rule';
import { manifestKeyFault } from '../shape/manifestKey';
import { choice } from '../shape/shape';
import { parseAddress } from '../values/address';
import { isPemKey } from '../values/pemKey';
import { compareVersions, parseVersionNumber } from '../values/version';

/** What a key has to hold, for a rule whose text is `Invalid value for 'KEY'.` */
function plainKey(id: string, key: string, wanted: string, isRight: (value: unknown) => boolean): Rule {
  return {
    id,
    stage: 'keys',
    check({ manifest }) {
      const node = manifest.at(key);
      if (!node || ('value' in node && isRight(node.value))) return [];
      return [
        refusal(`Invalid value for '${key}'.`, `"${key}" has to be ${wanted}. Correct it, or remove the key.`, [key]),
      ];
    },
  };
}

const isString = (value: unknown): boolean => typeof value === 'string';

/** R-DESC, R-SHORTNAME, R-VERNAME, R-OFFLINE: keys of one simple type. Measured on Chromium 156. */
export const simpleKeyRules: readonly Rule[] = [
  plainKey('R-DESC', 'description', 'a string in quotes', isString),
  plainKey('R-SHORTNAME', 'short_name', 'a string that is not empty', (value) => isString(value) && value !== ''),
  plainKey('R-VERNAME', 'version_name', 'a string in quotes', isString),
  plainKey('R-OFFLINE', 'offline_enabled', 'true or false', (value) => typeof value === 'boolean'),
];

/** R-KEY: base64, or a PEM block of it; what it stands for is not looked at. Measured on Chromium 156. */
export const publicKeyRule: Rule = {
  id: 'R-KEY',
  stage: 'keys',
  check({ manifest }) {
    const node = manifest.at('key');
    if (!node || (node.kind === 'string' && isPemKey(node.value))) return [];
    const message = 'The value of "key" is not a public key in base64. Paste it on one line, or remove the key.';
    return [refusal("Value 'key' is missing or invalid.", message, ['key'])];
  },
};

/** R-HOMEPAGE: an absolute address of the web. Measured on Chromium 156. */
export const homepageRule = urlRule(
  'R-HOMEPAGE',
  'homepage_url',
  'homepage url',
  'an address that begins with https://',
  (url) => ['http:', 'https:'].includes(url.protocol),
);

/** R-UPDATEURL: an address without a fragment, whatever its scheme. Measured on Chromium 156. */
export const updateUrlRule = urlRule(
  'R-UPDATEURL',
  'update_url',
  'update url',
  'an address without #',
  (url) => !url.href.includes('#'),
);

function urlRule(id: string, key: string, called: string, wanted: string, isRight: (url: URL) => boolean): Rule {
  return {
    id,
    stage: 'keys',
    check({ manifest }) {
      const node = manifest.at(key);
      if (!node) return [];
      const written = node.kind === 'string' ? node.value : '';
      const url = parseAddress(written);
      if (url && isRight(url)) return [];
      return [refusal(`Invalid value for ${called}: '[${written}]'.`, `"${key}" has to be ${wanted}.`, [key])];
    },
  };
}

/** R-MINVER: a version, and not newer than that of the browser, which is known only after a push. Measured on Chromium 156. */
export const minimumVersionRule: Rule = {
  id: 'R-MINVER',
  stage: 'keys',
  check({ manifest }) {
    const node = manifest.at('minimum_chrome_version');
    if (!node) return [];
    const path = ['minimum_chrome_version'];
    const wanted = node.kind === 'string' ? parseVersionNumber(node.value) : undefined;
    if (!wanted) {
      const message = '"minimum_chrome_version" has to be a version in quotes, such as "120".';
      return [refusal("Invalid value for 'minimum_chrome_version'.", message, path)];
    }
    const browser = parseVersionNumber(CHROMIUM_VERSION) ?? [];
    if (compareVersions(wanted, browser) <= 0) return [];
    const shown = node.kind === 'string' ? node.value : '';
    const text = `This extension requires Chromium version ${shown} or greater.`;
    const message = `An older browser refuses this extension: "${text}" Sideload checks as version ${CHROMIUM_VERSION} does.`;
    return [possibleRefusal(text, message, path)];
  },
};

/** R-INCOGNITO: one of three modes. Measured on Chromium 156. */
export const incognitoRule: Rule = {
  id: 'R-INCOGNITO',
  stage: 'keys',
  check({ manifest }) {
    const node = manifest.at('incognito');
    const modes = choice('IncognitoMode', 'spanning', 'split', 'not_allowed');
    const fault = node && manifestKeyFault('incognito', node, modes);
    return fault ? [shapeRefusal(fault)] : [];
  },
};

/** R-FINGERPRINT: a key that belongs to the Web Store. Measured on Chromium 156. */
export const fingerprintRule: Rule = {
  id: 'R-FINGERPRINT',
  stage: 'keys',
  check({ manifest }): Report[] {
    const path: JsonPath = ['differential_fingerprint'];
    if (!manifest.at(...path)) return [];
    const text = 'Manifest contains a differential_fingerprint key that will be overridden on extension update.';
    return [caution(text, '"differential_fingerprint" is written by the Web Store. Remove it.', path)];
  },
};

/** R-SERIALIZATION: how messages travel. Measured on Chromium 156. */
export const serializationRule: Rule = {
  id: 'R-SERIALIZATION',
  stage: 'keys',
  check({ manifest }) {
    const node = manifest.at('message_serialization');
    if (!node || (node.kind === 'string' && ['json', 'structured_clone'].includes(node.value))) return [];
    const text = "Invalid value for 'message_serialization'. Must be 'json' or 'structured_clone'.";
    return [
      refusal(text, '"message_serialization" has to be "json" or "structured_clone".', ['message_serialization']),
    ];
  },
};

const MAX_TOKEN_LENGTH = 6144;

/** R-TOKENS: tokens of origin trials; a fault in them is only a warning. Measured on Chromium 156, the limits read in its source. */
export const trialTokensRule: Rule = {
  id: 'R-TOKENS',
  stage: 'keys',
  check({ manifest }) {
    const node = manifest.at('trial_tokens');
    if (!node) return [];
    if (node.kind !== 'list' || node.items.length === 0) {
      const text = "Invalid value for 'trial_tokens'. Must be a non-empty list.";
      return [
        caution(text, '"trial_tokens" has to be a list with tokens. Remove it if there are none.', ['trial_tokens']),
      ];
    }
    const seen = new Set<string>();
    return node.items.flatMap((item, index): Report[] => {
      const path = ['trial_tokens', index];
      if (item.kind !== 'string' || item.value === '') {
        const text = "Invalid element in 'trial_tokens'. Must be a non-empty string.";
        return [caution(text, 'A token has to be a string that is not empty.', path)];
      }
      if (item.value.length > MAX_TOKEN_LENGTH) {
        const text = `Invalid element in 'trial_tokens'. Token must not be longer than ${MAX_TOKEN_LENGTH}.`;
        return [caution(text, `The token is longer than ${MAX_TOKEN_LENGTH} characters and is left out.`, path)];
      }
      if (!seen.has(item.value)) {
        seen.add(item.value);
        return [];
      }
      const text = `Duplicate element in 'trial_tokens': '${item.value}'.`;
      return [caution(text, 'The token is there twice. Remove one of the two.', path)];
    });
  },
};
