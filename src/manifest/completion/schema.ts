import { KEYS, PERMISSIONS, unavailable, type Asker } from '../availability';
import { PERMISSION_TEXTS } from './permissionTexts';

/** Completion and hover are for what is written today. */
const ASKER: Asker = { packageType: 'extension', manifestVersion: 3 };

/** What a key is for, in our own words; keys without an entry are completed without one. */
const DESCRIPTIONS: Record<string, string> = {
  action: 'The toolbar button: its popup, title and icons.',
  author: 'Who wrote the extension. Chromium does not look at it.',
  background: 'The service worker, which reacts to events while no page of the extension is open.',
  chrome_url_overrides: 'Pages of the extension in place of the new tab, bookmarks or history page.',
  commands: 'Keyboard shortcuts. At most four may suggest a key.',
  content_scripts: 'Scripts and style sheets that are put into web pages whose address matches.',
  content_security_policy: 'What pages of the extension may load: an object with "extension_pages" and "sandbox".',
  content_capabilities: 'What pages of some sites may do through the extension.',
  cross_origin_embedder_policy: 'The value of Cross-Origin-Embedder-Policy for pages of the extension.',
  cross_origin_opener_policy: 'The value of Cross-Origin-Opener-Policy for pages of the extension.',
  declarative_net_request: 'Rulesets that block or change requests; needs the permission of that name.',
  default_locale: 'The folder below "_locales" that is used when none fits; required when "_locales" exists.',
  description: 'One plain sentence about what the extension does.',
  devtools_page: 'A page that is loaded with the developer tools.',
  event_rules: 'Rules of declarativeContent that are there from the start.',
  externally_connectable: 'Which web pages and extensions may send messages to this one.',
  homepage_url: 'Address of the home page of the extension.',
  host_permissions: 'Match patterns of the sites that the extension may read and change.',
  icons: 'Pictures of the extension by size in pixels: 16, 32, 48 and 128.',
  import: 'Shared modules. They have to be in the browser already, and no service brings them there.',
  incognito: 'How the extension runs in incognito windows: "spanning", "split" or "not_allowed".',
  key: 'A public key, which fixes the id of the extension wherever it is loaded from.',
  manifest_version: 'The version of the manifest format: 3.',
  message_serialization: 'How messages travel: "json" or "structured_clone".',
  minimum_chrome_version: 'The oldest version of Chromium that can load the extension.',
  name: 'The name of the extension.',
  natively_connectable: 'Programs of the machine that may start the extension.',
  oauth2: 'Client id and scopes for signing in with a Google account.',
  offline_enabled: 'Whether the extension works without a network.',
  omnibox: 'A keyword with which the extension answers in the address bar.',
  optional_host_permissions: 'Match patterns that the extension may ask for later.',
  optional_permissions: 'Permissions that the extension may ask for later.',
  options_page: 'The page of options, in a tab.',
  options_ui: 'The page of options: "page", and whether it opens in a tab.',
  permissions: 'What the extension may use without asking again.',
  requirements: 'What the machine has to have, such as WebGL.',
  sandbox: 'Pages that run without access to the interfaces of extensions.',
  short_name: 'A name for narrow places.',
  side_panel: 'The page of the side panel.',
  storage: 'The schema of the managed storage.',
  trial_tokens: 'Tokens of origin trials for pages of the extension.',
  tts_engine: 'The voices of a speech engine.',
  update_url: 'Where updates come from. The Web Store writes it itself.',
  version: 'One to four whole numbers with dots between them.',
  version_name: 'The version as people see it.',
  web_accessible_resources: 'Files that web pages may load, and for which pages.',
};

/** Schemes of match patterns, as the usual first choices. */
const PATTERNS = ['<all_urls>', 'https://*/*', 'http://*/*', '*://*/*'];

/**
 * A JSON schema that offers keys, permissions and match patterns while a manifest is typed, and explains keys. It refuses
 * nothing: what Chromium refuses is told by the check, once and in its place. It says nothing about a `manifest.json` that is
 * not an extension's.
 */
export function manifestSchema(): Record<string, unknown> {
  const properties: Record<string, Record<string, unknown>> = {};
  for (const key of [...KEYS.keys()].sort()) {
    const entry = KEYS.get(key);
    if (!entry || key.includes('.') || unavailable(key, entry, ASKER) !== undefined) continue;
    const description = DESCRIPTIONS[key];
    properties[key] = { ...SHAPES[key], ...(description === undefined ? {} : { description }) };
  }
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Manifest of a browser extension',
    if: { required: ['manifest_version'] },
    then: { properties },
  };
}

const permissions = (isOptional: boolean): string[] =>
  [...PERMISSIONS]
    .filter(
      ([name, entry]) => unavailable(name, entry, ASKER) === undefined && !(isOptional && entry.optional === false),
    )
    .map(([name]) => name)
    .sort();

/** Offers `values` and takes anything. */
const offered = (values: readonly unknown[]): Record<string, unknown> => ({ anyOf: [{ enum: values }, {}] });
/** Permissions with what they give. */
const explained = (names: readonly string[]): Record<string, unknown> => ({
  anyOf: [{ enum: names, enumDescriptions: names.map((name) => PERMISSION_TEXTS[name] ?? '') }, {}],
});
const listOf = (values: readonly unknown[]): Record<string, unknown> => ({ items: offered(values) });

const SHAPES: Record<string, Record<string, unknown>> = {
  manifest_version: offered([3]),
  incognito: offered(['spanning', 'split', 'not_allowed']),
  permissions: { items: explained(permissions(false)) },
  optional_permissions: { items: explained(permissions(true)) },
  host_permissions: listOf(PATTERNS),
  optional_host_permissions: listOf(PATTERNS),
  background: { properties: { service_worker: {}, type: offered(['module', 'classic']) } },
  action: { properties: { default_popup: {}, default_title: {}, default_icon: {} } },
  side_panel: { properties: { default_path: {} } },
  options_ui: { properties: { page: {}, open_in_tab: offered([true, false]) } },
  content_scripts: {
    items: {
      properties: {
        matches: listOf(PATTERNS),
        exclude_matches: listOf(PATTERNS),
        js: {},
        css: {},
        run_at: offered(['document_start', 'document_end', 'document_idle']),
        world: offered(['ISOLATED', 'MAIN']),
        all_frames: offered([true, false]),
        match_about_blank: offered([true, false]),
        match_origin_as_fallback: offered([true, false]),
      },
    },
  },
  web_accessible_resources: {
    items: { properties: { resources: {}, matches: listOf(PATTERNS), extension_ids: {}, use_dynamic_url: {} } },
  },
};
