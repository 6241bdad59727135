import type { Json } from '../support/json';

/** Names of files that `sampleFiles.ts` puts beside a manifest. */
const ICONS = { '16': 'icons/16.png', '48': 'icons/48.png', '128': 'icons/128.png' };

/**
 * Values that authors of extensions give to the keys of a manifest: at least one for each key of the tables, right or nearly so. The files
 * that they name are those of `SAMPLE_FILES`.
 */
export const SAMPLE_VALUES: Readonly<Record<string, readonly Json[]>> = {
  $schema: ['https://json.schemastore.org/chrome-manifest'],
  about_page: ['pages/about.html'],
  action: [
    { default_popup: 'pages/popup.html', default_icon: ICONS, default_title: 'Open' },
    { default_icon: 'icons/16.png', default_title: '__MSG_title__', default_state: 'disabled' },
    {},
  ],
  action_handlers: [['new_note']],
  app: [
    { launch: { local_path: 'pages/popup.html', container: 'panel', width: 200, height: 300 } },
    { urls: ['http://example.com/'], launch: { web_url: 'http://example.com/start' } },
    { background: { scripts: ['background.js'] } },
    { background: { page: 'pages/background.html' } },
  ],
  author: [{ email: 'author@example.com' }, 'Somebody'],
  automation: [true, { desktop: true }],
  background: [
    { service_worker: 'background.js' },
    { service_worker: 'background.js', type: 'module' },
    { scripts: ['background.js', 'lib/tool.js'], persistent: false },
    { page: 'pages/background.html', persistent: true },
    { service_worker: 'background.js', scripts: ['background.js'], async_listener_registration: true },
  ],
  bluetooth: [{ uuids: ['1105'], socket: true }],
  browser_action: [{ default_popup: 'pages/popup.html', default_icon: 'icons/48.png', default_title: 'Old' }],
  browser_specific_settings: [{ gecko: { id: 'a@example.com', strict_min_version: '109.0' } }],
  chrome_settings_overrides: [
    { homepage: 'https://example.com/', startup_pages: ['https://example.com/'] },
    {
      search_provider: {
        name: 'x',
        keyword: 'x',
        search_url: 'https://example.com/?q={searchTerms}',
        encoding: 'UTF-8',
      },
    },
  ],
  chrome_url_overrides: [
    { newtab: 'pages/popup.html' },
    { history: 'pages/options.html' },
    { bookmarks: 'pages/about.html' },
  ],
  commands: [
    { _execute_action: { suggested_key: { default: 'Ctrl+Shift+F', mac: 'MacCtrl+Shift+F' } } },
    {
      'toggle-feature': { suggested_key: { default: 'Alt+Shift+U', linux: 'Ctrl+Shift+U' }, description: 'Toggle' },
      'play-pause': { suggested_key: 'MediaPlayPause', description: '__MSG_title__', global: true },
    },
    { a: { suggested_key: { windows: 'Ctrl+Period', chromeos: 'Search+K', default: 'Ctrl+Comma' }, description: 'A' } },
  ],
  content_capabilities: [{ matches: ['https://example.com/*'], permissions: ['clipboardRead', 'clipboardWrite'] }],
  content_scripts: [
    [{ matches: ['<all_urls>'], js: ['content/main.js'], run_at: 'document_start', all_frames: true }],
    [
      {
        matches: ['https://*.example.com/*'],
        js: ['content/main.js', 'lib/tool.js'],
        css: ['content/main.css'],
        world: 'MAIN',
      },
      {
        matches: ['*://*/*'],
        css: ['content/main.css'],
        exclude_matches: ['https://a.example/*'],
        match_about_blank: true,
      },
    ],
    [
      {
        matches: ['https://example.com/*'],
        js: ['content/main.js'],
        include_globs: ['*x*'],
        exclude_globs: ['*y?'],
        match_origin_as_fallback: true,
      },
    ],
  ],
  content_security_policy: [
    { extension_pages: "script-src 'self' 'wasm-unsafe-eval'; object-src 'self'" },
    {
      extension_pages: "default-src 'none'; script-src 'self'; style-src 'unsafe-inline'",
      sandbox: 'sandbox allow-scripts; script-src https:',
    },
    "script-src 'self' https://example.com; object-src 'self'",
  ],
  converted_from_user_script: [true],
  cross_origin_embedder_policy: [{ value: 'require-corp' }],
  cross_origin_opener_policy: [{ value: 'same-origin' }],
  current_locale: ['en'],
  declarative_net_request: [
    { rule_resources: [{ id: 'first', enabled: true, path: 'rules/first.json' }] },
    {
      rule_resources: [
        { id: 'first', enabled: true, path: 'rules/first.json' },
        { id: 'second', enabled: false, path: '/rules/second.json' },
      ],
    },
  ],
  default_locale: ['en', 'en', 'de', 'pt_BR'],
  description: ['Does things.', '__MSG_description__'],
  devtools_page: ['pages/devtools.html'],
  differential_fingerprint: ['1.0.1'],
  display_in_launcher: [false],
  display_in_new_tab_page: [false],
  event_rules: [
    [
      {
        event: 'declarativeContent.onPageChanged',
        actions: [{ type: 'declarativeContent.ShowAction' }],
        conditions: [{ type: 'declarativeContent.PageStateMatcher', css: ['video'] }],
      },
    ],
  ],
  export: [{ allowlist: ['abcdefghijklmnopabcdefghijklmnop'] }, { resources: ['lib/tool.js'] }],
  externally_connectable: [
    { matches: ['https://*.example.com/*'], ids: ['abcdefghijklmnopabcdefghijklmnop'], accepts_tls_channel_id: false },
    { ids: ['*'] },
  ],
  file_browser_handlers: [[{ id: 'open', default_title: 'Open', file_filters: ['filesystem:*.txt'] }]],
  file_handlers: [[{ action: '/pages/popup.html', name: 'Text', accept: { 'text/plain': ['.txt'] } }]],
  homepage_url: ['https://example.com/home?x#y', 'http://localhost:8080/'],
  host_permissions: [
    ['https://example.com/*'],
    ['<all_urls>'],
    ['*://*.example.com/*', 'http://localhost:3000/*', 'file:///*'],
  ],
  icon_variants: [[{ any: 'icons/16.png' }, { '16': 'icons/16.png', color_schemes: ['dark'] }]],
  icons: [ICONS, { '32': '/icons/48.png' }],
  import: [[{ id: 'abcdefghijklmnopabcdefghijklmnop', minimum_version: '0.5' }]],
  incognito: ['spanning', 'split', 'not_allowed'],
  input_components: [
    [{ name: 'IME', id: 'ime', language: 'en', layouts: ['us'], type: 'ime', options_page: 'pages/options.html' }],
  ],
  key: ['MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQC7'],
  kiosk: [{ required_platform_version: '1.2', always_update: true }],
  kiosk_enabled: [true],
  kiosk_only: [true],
  kiosk_secondary_apps: [[{ id: 'abcdefghijklmnopabcdefghijklmnop' }]],
  message_serialization: ['json', 'structured_clone'],
  mime_types: [['application/pdf']],
  mime_types_handler: ['pages/popup.html'],
  minimum_chrome_version: ['88', '120.0.6099.0'],
  natively_connectable: [['com.example.host']],
  oauth2: [{ client_id: 'x.apps.example.com', scopes: ['https://example.com/auth/a'], auto_approve: false }],
  offline_enabled: [true],
  omnibox: [{ keyword: 'go' }, { keyword: '__MSG_title__' }],
  optional_host_permissions: [['https://*/*', 'http://*/*'], ['*://*.example.org/']],
  optional_permissions: [
    ['tabs', 'bookmarks', 'history'],
    ['debugger', 'https://example.com/*'],
  ],
  options_page: ['pages/options.html'],
  options_ui: [
    { page: 'pages/options.html', open_in_tab: true },
    { page: 'pages/options.html', chrome_style: false },
  ],
  page_action: [{ default_popup: 'pages/popup.html', default_icon: ICONS, show_matches: ['https://example.com/*'] }],
  permissions: [
    ['storage', 'tabs', 'activeTab', 'scripting'],
    ['declarativeNetRequest', 'declarativeNetRequestFeedback', 'alarms', 'contextMenus'],
    ['webRequest', 'webRequestBlocking', 'https://example.com/*', '<all_urls>', 'unlimitedStorage'],
    ['declarativeContent', 'sidePanel', 'offscreen', 'nativeMessaging', 'cookies', 'downloads', 'notifications'],
    ['declarativeNetRequest', { fileSystem: ['write', 'directory'] }, { socket: ['tcp-connect'] }, 'identity.email'],
  ],
  platforms: [[{ nacl_arch: 'x86-64', sub_package_path: '_platform_specific/x86-64/' }]],
  protocol_handlers: [[{ protocol: 'web+x', name: 'X', uriTemplate: 'pages/popup.html?%s' }]],
  replacement_web_app: ['https://example.com/app'],
  requirements: [{ '3D': { features: ['css3d'] } }, { plugins: { npapi: false } }],
  sandbox: [
    { pages: ['pages/popup.html', 'pages/sandbox*.html'] },
    { pages: [], content_security_policy: 'sandbox allow-scripts' },
  ],
  short_name: ['Short', '__MSG_title__'],
  side_panel: [{ default_path: 'pages/options.html' }, { default_path: 'pages/options.html?a#b', default_icon: ICONS }],
  sockets: [{ udp: { send: ['host-pattern1'], bind: '' }, tcp: { connect: '*' } }],
  storage: [{ managed_schema: 'rules/schema.json' }],
  theme: [
    {
      images: { theme_frame: 'icons/48.png' },
      colors: { frame: [71, 105, 91], bookmark_text: [0, 0, 0, 0.5] },
      tints: { buttons: [0.33, 0.5, 0.47] },
    },
    { properties: { ntp_background_alignment: 'bottom', ntp_logo_alternate: 1 }, colors: {} },
  ],
  trial_tokens: [['Aabc']],
  tts_engine: [
    {
      voices: [{ voice_name: 'Alice', lang: 'en-US', event_types: ['start', 'end'], remote: true, gender: 'female' }],
      sample_rate: 16000,
      buffer_size: 256,
    },
  ],
  update_url: ['https://clients2.google.com/service/update2/crx'],
  url_handlers: [{ view: { matches: ['https://example.com/*'], title: 'View' } }],
  usb_printers: [{ filters: [{ vendorId: 1, productId: 2 }] }],
  version_name: ['1.0 beta'],
  web_accessible_resources: [
    [{ resources: ['icons/*.png', 'lib/tool.js'], matches: ['https://example.com/*'] }],
    [
      { resources: ['*'], extension_ids: ['abcdefghijklmnopabcdefghijklmnop'], use_dynamic_url: true },
      { resources: ['/a'], matches: ['<all_urls>'] },
    ],
    ['icons/16.png', 'lib/tool.js'],
  ],
  webview: [{ partitions: [{ name: 'x', accessible_resources: ['pages/popup.html'] }] }],
  zzz_comment: ['Nothing knows this key.'],
};
