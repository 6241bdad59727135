import * as l10n from '@vscode/l10n';
import type { JsonPath } from '../finding';
import type { Dictionary, JsonNode } from '../json/node';
import { nearest } from '../folder/similar';
import { removing, type Proposal } from '../proposal';
import { caution, possibleRefusal, refusal } from '../refusal';
import { keyRule, ruleOf, type Report } from '../rule';
import { parseShortcut, SHORTCUT_PLATFORMS, shortcutTokens, type Shortcut } from '../values/shortcut';

const MAX_SHORTCUTS = 4;

/** Commands that press the toolbar button, by the key of the manifest that makes the button. */
const ACTION_COMMANDS: ReadonlyMap<string, string> = new Map([
  ['_execute_action', 'action'],
  ['_execute_browser_action', 'browser_action'],
  ['_execute_page_action', 'page_action'],
]);

/** The system of the cloud service's browsers, and of the Chromium that was measured. */
const PLATFORM = 'linux';

/** R-CMD-TYPE, R-CMD-KEY, R-CMD-PLATFORM and R-CMD-MANY: commands in the order of their names, counted from 1. Measured on Chromium 156. */
export const commandRule = keyRule('R-CMD-TYPE', 'commands', function* (node) {
  if (node.kind !== 'dictionary') {
    yield refusal(
      "Invalid value for 'commands'.",
      l10n.t('"commands" has to be an object of commands by their name.'),
      ['commands'],
    );
    return;
  }
  let shortcuts = 0;
  const sorted = [...node.members].sort(([a], [b]) => (a < b ? -1 : 1));
  for (const [at, [name, { value }]] of sorted.entries()) {
    const place: Place = { name, index: at + 1, path: ['commands', name] };
    const found = value.kind === 'dictionary' ? checkCommand(value, place) : [notAnObject(place)];
    if (Array.isArray(found)) yield* found;
    else if (found === 'with modifier' && ++shortcuts === MAX_SHORTCUTS + 1) yield tooMany(place);
  }
});

interface Place {
  name: string;
  index: number;
  path: JsonPath;
}

function notAnObject({ name, index, path }: Place): Report {
  return refusal(
    `Contents of 'commands[${index}]' invalid.`,
    l10n.t('The command "{0}" has to be an object.', name),
    path,
  );
}

function tooMany({ path }: Place): Report {
  const text = `Too many shortcuts specified for 'commands': The maximum is ${MAX_SHORTCUTS}.`;
  const message = l10n.t(
    'An extension may suggest {0} shortcuts. Remove "suggested_key" of the others; people can set their own.',
    MAX_SHORTCUTS,
  );
  return { ...removing(refusal(text, message, path), [...path, 'suggested_key']), rule: 'R-CMD-MANY' };
}

/** The faults of a command, or its shortcut on this system. */
function checkCommand(command: Dictionary, place: Place): Report[] | Shortcut {
  const { name, index, path } = place;
  const description = command.members.get('description')?.value;
  if (!ACTION_COMMANDS.has(name) && (description?.kind !== 'string' || description.value === '')) {
    const message = l10n.t(
      'The command "{0}" needs a "description" in quotes, which people see where they set shortcuts.',
      name,
    );
    return [refusal(`Invalid value for 'commands[${index}].description'.`, message, [...path, 'description'])];
  }
  const suggestions = readSuggestions(command.members.get('suggested_key')?.value, place);
  if (!(suggestions instanceof Map)) return [suggestions];
  for (const [platform, written] of suggestions) {
    for (const token of platform === 'mac' ? [] : shortcutTokens(written)) {
      const text = UNSUPPORTED.get(token);
      if (text !== undefined) return [badKey(place, 'suggested_key', text)];
    }
  }
  const chosen = suggestions.has(PLATFORM) ? PLATFORM : 'default';
  const reports = suggestions.has(chosen) ? [] : [noKeyForPlatform(suggestions, place)];
  if (reports.some(({ severity }) => severity === 'error')) return reports;
  let own: Shortcut = 'none';
  for (const [platform, written] of suggestions) {
    if (written === '') continue;
    const shortcut = parseShortcut(written, platform, !ACTION_COMMANDS.has(name));
    const fault = explainShortcut(shortcut, place, platform, written);
    if (fault) return [...reports, fault];
    if (platform === chosen) own = shortcut;
  }
  return reports.length > 0 ? reports : own;
}

/** The fault of suggestions without a default: it depends on the browser's system, unless they are for none at all. */
function noKeyForPlatform(suggestions: ReadonlyMap<string, string>, { name, index, path }: Place): Report {
  const text = `Could not find key specification for 'command[${index}].suggested_key': Either specify a key for '${PLATFORM}', or specify a default key.`;
  const place = [...path, 'suggested_key'];
  const isForAnother = [...suggestions.keys()].some((platform) => SHORTCUT_PLATFORMS.has(platform));
  const report = isForAnother
    ? possibleRefusal(
        text,
        l10n.t('A browser on Linux refuses this extension: "{0}" Add "default" to the shortcut of "{1}".', text, name),
        place,
      )
    : refusal(text, l10n.t('"suggested_key" of "{0}" needs "default" or "{1}".', name, PLATFORM), place);
  return { ...report, rule: 'R-CMD-PLATFORM' };
}

const UNSUPPORTED: ReadonlyMap<string, string> = new Map([
  ['Command', 'Command key is not supported. Note: Ctrl means Command on Mac'],
  ['Option', 'Option key is not supported.'],
]);

/** Shortcuts by system, in the order in which Chromium looks at them; an empty one means none. */
function readSuggestions(node: JsonNode | undefined, place: Place): Map<string, string> | Report {
  if (node?.kind !== 'dictionary') return new Map([['default', node?.kind === 'string' ? node.value : '']]);
  const suggestions = new Map<string, string>();
  for (const [platform, { value }] of [...node.members].sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (value.kind !== 'string' || value.value === '') return badKey(place, 'suggested_key', 'Missing');
    suggestions.set(platform, value.value);
  }
  return suggestions;
}

function explainShortcut(shortcut: Shortcut, place: Place, platform: string, written: string): Report | undefined {
  const path = [...place.path, 'suggested_key'];
  if (!SHORTCUT_PLATFORMS.has(platform)) {
    const text = `Unknown platform for 'command[${place.index}]': ${platform}. Valid values are: 'windows', 'mac' 'chromeos', 'linux' and 'default'.`;
    const meant = nearest(platform, SHORTCUT_PLATFORMS);
    const at = [...path, platform];
    const fix: Proposal = meant === undefined ? { do: 'remove', at } : { do: 'rename', at, to: meant };
    return refusal(
      text,
      l10n.t('Chromium does not know the system "{0}". Use one of {1}.', platform, [...SHORTCUT_PLATFORMS].join(', ')),
      path,
      { fix, rule: 'R-CMD-PLATFORM' },
    );
  }
  if (shortcut === 'none') return badKey(place, platform, written);
  if (shortcut !== 'media key with modifier') return undefined;
  const text = `Media key cannot have any modifier for 'commands[${place.index}].${platform}': ${written}.`;
  return refusal(text, l10n.t('"{0}" has to be the media key alone.', written), path, { rule: 'R-CMD-KEY' });
}

function badKey({ name, index, path }: Place, key: string, what: string): Report {
  const message = l10n.t(
    'Chromium does not accept the shortcut of "{0}". Use Ctrl or Alt, optionally Shift, and one key, such as "Ctrl+Shift+Y".',
    name,
  );
  return refusal(`Invalid value for 'commands[${index}].${key}': ${what}.`, message, [...path, 'suggested_key'], {
    fix: { do: 'replace', by: 'Ctrl+Shift+Y', isGuess: true },
    rule: 'R-CMD-KEY',
  });
}

/** R-CMD-ACTION: a command for a button that the extension does not have. Measured on Chromium 156. */
export const actionCommandRule = ruleOf('R-CMD-ACTION', 'keys', ({ manifest, manifestVersion }) => {
  const node = manifest.at('commands');
  if (node?.kind !== 'dictionary') return [];
  return [...node.members.keys()].flatMap((name): Report | Report[] => {
    const button = ACTION_COMMANDS.get(name);
    if (button === undefined || manifest.at(button)) return [];
    const text = "The action commands in the manifest do not match the manifest's action type and were ignored.";
    const message = l10n.t(
      'The command "{0}" needs the manifest key "{1}". Add it, or remove the command.',
      name,
      button,
    );
    const isKnown = manifestVersion >= 3 === (button === 'action');
    const fix: Proposal = isKnown ? { do: 'add', at: [button], value: {} } : { do: 'remove' };
    return caution(text, message, ['commands', name], { fix });
  });
});
