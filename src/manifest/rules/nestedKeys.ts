import * as l10n from '@vscode/l10n';
import { KEYS } from '../availability';
import type { JsonPath } from '../finding';
import { adviceForUnknown, MAX_HINTS, nearest } from '../folder/similar';
import type { Dictionary, JsonNode, Span } from '../json/node';
import { ruleOf, type Report } from '../rule';
import { showPath } from '../shape/fault';
import { ANY, dictionary, type Shape } from '../shape/shape';
import { CONNECTABLE, RESOURCES } from './connections';
import { CONTENT_SCRIPTS } from './contentScriptEntries';
import { RULE_RESOURCES } from './declarativeNetRequest';
import { DECLARED_SHAPES } from './declared';
import { OPTIONS_UI } from './optionsKeys';
import { OVERRIDES, SIDE_PANEL } from './pageKeys';

/** An object of which only the names are known; other rules check the values. */
function names(...known: string[]): Shape {
  return dictionary(Object.fromEntries(known.map((name) => [`${name}?`, ANY])));
}

const BUTTON = names('default_icon', 'default_popup', 'default_state', 'default_title');

/** The objects whose keys Chromium 156 knows. Source: the shapes of the other rules, and Chromium's schema of manifests. */
const OBJECTS: ReadonlyMap<string, Shape> = new Map<string, Shape>([
  ...DECLARED_SHAPES,
  ['action', BUTTON],
  ['background', names('allow_js_access', 'type', ...membersOf('background'))],
  ['chrome_url_overrides', OVERRIDES],
  ['content_scripts', CONTENT_SCRIPTS],
  ['content_security_policy', names('extension_pages', 'isolated_world', 'sandbox')],
  ['declarative_net_request', RULE_RESOURCES],
  ['externally_connectable', CONNECTABLE],
  ['options_ui', OPTIONS_UI],
  ['sandbox', names('content_security_policy', 'pages')],
  ['side_panel', SIDE_PANEL],
  ['storage', names('managed_schema')],
  ['web_accessible_resources', RESOURCES],
]);

const COMMAND = names('description', 'global', 'suggested_key');

/** Keys that other browsers know: a manifest may be written for several. Source: MDN's manifest reference. */
const OF_OTHER_BROWSERS: ReadonlySet<string> = new Set([
  ...['action.browser_style', 'action.default_area', 'action.theme_icons'],
  ...['background.preferred_environment'],
  ...['content_scripts.css_origin'],
  ...['options_ui.browser_style'],
  ...['storage.managed_schema_version'],
]);

/** The names in the table of keys below a key. */
function membersOf(key: string): string[] {
  const prefix = `${key}.`;
  return [...KEYS.keys()].filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length));
}

/**
 * R-UNKNOWN-NESTED: a key that Chromium does not know, in an object whose keys are known. Sideload's own: Chromium 156 ignores it without a
 * warning, so a misspelt `default_popup` is a button without a popup.
 */
export const nestedKeyRule = ruleOf('R-UNKNOWN-NESTED', 'keys', ({ manifest, packageType }) => {
  if (packageType !== 'extension') return [];
  const found = [...OBJECTS].flatMap(([key, shape]) => unknownKeys(manifest.at(key), shape, [key]));
  const commands = manifest.at('commands');
  const inCommands =
    commands?.kind === 'dictionary'
      ? [...commands.members].flatMap(([name, { value }]) => unknownKeys(value, COMMAND, ['commands', name]))
      : [];
  return [...found, ...inCommands].map((unknown, index) =>
    reportOf(index < MAX_HINTS ? unknown : { ...unknown, siblings: [] }),
  );
});

interface UnknownKey {
  path: JsonPath;
  /** The key with its quotes, in bytes. */
  span: Span;
  /** The keys that the object could have and does not. */
  siblings: readonly string[];
}

function unknownKeys(node: JsonNode | undefined, shape: Shape, path: JsonPath): UnknownKey[] {
  if (shape.is === 'list' && node?.kind === 'list')
    return node.items.flatMap((item, index) => unknownKeys(item, shape.of, [...path, index]));
  if (shape.is !== 'dictionary' || node?.kind !== 'dictionary') return [];
  return membersIn(node, shape, path);
}

function membersIn({ members }: Dictionary, shape: Extract<Shape, { is: 'dictionary' }>, path: JsonPath): UnknownKey[] {
  const siblings = Object.keys(shape.members).filter((name) => !members.has(name));
  return [...members].flatMap(([name, { key, value }]) => {
    const place = [...path, name];
    const known = Object.hasOwn(shape.members, name) ? shape.members[name] : undefined;
    if (known) return unknownKeys(value, known.shape, place);
    return isForOthers(name, place) ? [] : [{ path: place, span: key, siblings }];
  });
}

/** True of a key of another browser, and of one that is a remark. */
function isForOthers(name: string, path: JsonPath): boolean {
  if (/^(?:[_$#/]|comment)/i.test(name)) return true;
  return OF_OTHER_BROWSERS.has(path.filter((step) => typeof step === 'string').join('.'));
}

function reportOf({ path, span, siblings }: UnknownKey): Report {
  const key = String(path.at(-1));
  const meant = nearest(key, siblings);
  const parent = showPath(path.slice(0, -1));
  return {
    severity: 'warning',
    message: l10n.t(
      'Chromium ignores the unknown key "{0}" in "{1}", without a warning. {2}',
      key,
      parent,
      adviceForUnknown(meant),
    ),
    path,
    span,
    fix: meant === undefined ? { do: 'remove' } : { do: 'rename', to: meant },
  };
}
