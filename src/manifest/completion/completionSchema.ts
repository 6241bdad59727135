import { KEYS, PERMISSIONS, unavailable, type Asker } from '../availability';
import { PERMISSION_TEXTS } from './permissionTexts';

/** The package of completion and hover: an extension of version 3. */
const ASKER: Asker = { packageType: 'extension', manifestVersion: 3 };

/** Descriptions of keys; keys without one are completed without one. They are part of a generated file, so they cannot be translated. */
const DESCRIPTIONS: Record<string, string> = {
  action: 'The toolbar button: its popup, title and icons.',
  author: 'The author of the extension. Chromium ignores it.',
  background: 'The service worker, which reacts to events while no page of the extension is open.',
  chrome_url_overrides: 'Pages of the extension in place of the new tab, bookmarks or history page.',
  commands: 'Keyboard shortcuts. At most four may suggest a key.',
  content_scripts: 'Scripts and style sheets that are injected into matching web pages.',
  content_security_policy: 'What pages of the extension may load: an object with "extension_pages" and "sandbox".',
  content_capabilities: 'Permissions that the extension grants to pages of some sites.',
  cross_origin_embedder_policy: 'The value of Cross-Origin-Embedder-Policy for pages of the extension.',
  cross_origin_opener_policy: 'The value of Cross-Origin-Opener-Policy for pages of the extension.',
  declarative_net_request: 'Rulesets that block or change requests; needs the permission of that name.',
  default_locale: 'The folder in "_locales" for all other languages; required when "_locales" exists.',
  description: 'One plain sentence about what the extension does.',
  devtools_page: 'A page that is loaded when DevTools opens.',
  event_rules: 'Rules of declarativeContent that are registered at installation.',
  externally_connectable: 'Which web pages and extensions may send messages to this one.',
  homepage_url: 'Address of the home page of the extension.',
  host_permissions: 'Match patterns of the sites that the extension may read and change.',
  icons: 'Pictures of the extension by size in pixels: 16, 32, 48 and 128.',
  import: 'Shared modules. They have to be installed in the browser, which a push cannot do.',
  incognito: 'How the extension runs in incognito windows: "spanning", "split" or "not_allowed".',
  key: 'A public key, which determines the id of the extension wherever it is loaded from.',
  manifest_version: 'The version of the manifest format: 3.',
  message_serialization: 'How messages are serialized: "json" or "structured_clone".',
  minimum_chrome_version: 'The oldest version of Chromium that can load the extension.',
  name: 'The name of the extension.',
  natively_connectable: 'Native applications that may start the extension.',
  oauth2: 'Client id and scopes for signing in with a Google account.',
  offline_enabled: 'Whether the extension works without a network.',
  omnibox: 'A keyword with which the extension answers in the address bar.',
  optional_host_permissions: 'Match patterns that the extension may request at run time.',
  optional_permissions: 'Permissions that the extension may request at run time.',
  options_page: 'The options page, in a tab.',
  options_ui: 'The options page: "page", and whether it opens in a tab.',
  permissions: 'Permissions that are granted at installation.',
  requirements: 'What the machine has to have, such as WebGL.',
  sandbox: 'Pages that run without access to extension APIs.',
  short_name: 'A name for places with little space.',
  side_panel: 'The page of the side panel.',
  storage: 'The schema of managed storage.',
  trial_tokens: 'Tokens of origin trials for pages of the extension.',
  tts_engine: 'The voices of a speech engine.',
  update_url: 'The URL of updates. The Web Store writes it itself.',
  version: 'One to four whole numbers with dots between them.',
  version_name: 'The version that is shown to users.',
  web_accessible_resources: 'Files that web pages may load, and for which pages.',
};

/** Frequent match patterns. */
const PATTERNS = ['<all_urls>', 'https://*/*', 'http://*/*', '*://*/*'];

/**
 * A JSON schema that completes keys, permissions and match patterns of a manifest, and describes keys. It accepts every value, since the
 * check reports what Chromium refuses. It does not apply to a `manifest.json` that is not that of an extension.
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

const permissions = ({ isOptional }: { isOptional: boolean }): string[] =>
  [...PERMISSIONS]
    .filter(
      ([name, entry]) => unavailable(name, entry, ASKER) === undefined && !(isOptional && entry.optional === false),
    )
    .map(([name]) => name)
    .sort();

/** Completes `values` and accepts any value. */
const offered = (values: readonly unknown[]): Record<string, unknown> => ({ anyOf: [{ enum: values }, {}] });
/** Completes permissions, with their descriptions. */
const explained = (names: readonly string[]): Record<string, unknown> => ({
  anyOf: [{ enum: names, enumDescriptions: names.map((name) => PERMISSION_TEXTS[name] ?? '') }, {}],
});
const listOf = (values: readonly unknown[]): Record<string, unknown> => ({ items: offered(values) });

const SHAPES: Record<string, Record<string, unknown>> = {
  manifest_version: offered([3]),
  incognito: offered(['spanning', 'split', 'not_allowed']),
  permissions: { items: explained(permissions({ isOptional: false })) },
  optional_permissions: { items: explained(permissions({ isOptional: true })) },
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
