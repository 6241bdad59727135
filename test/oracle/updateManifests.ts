import { PERMISSIONS } from '../../src/manifest/availability';
import type { Json } from '../support/json';
import { type Chance, seededChance } from '../support/random';

/** A manifest as it is asked about. */
export type AskedManifest = Readonly<Record<string, Json>>;

/** The files that the manifests name. */
export const CONTENT_FILES: readonly string[] = ['a.js', 'page.html'];

const NAMES = { name: 'Asked', version: '1.0' };

/** Permissions that take part in a message, more often chosen than others. */
const TELLING: readonly string[] = [
  ...['tabs', 'sessions', 'history', 'topSites', 'favicon', 'webNavigation', 'processes', 'windows'],
  ...['declarativeNetRequest', 'declarativeNetRequestFeedback', 'declarativeNetRequestWithHostAccess'],
  ...['declarativeWebRequest', 'webAuthenticationProxy', 'debugger', 'pageCapture', 'tabCapture', 'proxy'],
  ...['clipboardRead', 'clipboardWrite', 'accessibilityFeatures.read', 'accessibilityFeatures.modify'],
  ...['bookmarks', 'notifications', 'downloads', 'downloads.open', 'nativeMessaging', 'privacy', 'management'],
];

const PATTERNS: readonly string[] = [
  ...['https://a.com/*', 'http://a.com:8080/x', '*://*.a.com/*', 'https://sub.a.com/*', '*://a.co.uk/*'],
  ...['https://a.fr/*', 'https://a.de/*', '*://*.b.net/*', '*://b.org/*', '*://b.info/*', 'https://b.io/*'],
  ...['https://c.github.io/*', '*://*.github.io/*', '*://*.com/*', '*://*.co.uk/*', '*://*.kawasaki.jp/*'],
  ...['*://*.ck/*', '*://www.ck/*', '*://localhost/*', 'http://127.0.0.1/*', 'http://[::1]/*', '*://intranet/*'],
  ...['*://b\u00fccher.de/*', '*://xn--bcher-kva.de/*', '*://\u043f\u0440\u0438\u043c\u0435\u0440.\u0440\u0444/*'],
  ...['https://EXAMPLE.Com/*', 'https://example.com./*', 'wss://example.com/*', 'ftp://files.example.com/*'],
  ...['*://*.zzz/*', '*://d.zzz/*', 'file:///*', 'file:///home/*', 'chrome://favicon/', 'chrome://flags/'],
  ...['https://a.com', 'no pattern', '*://*.*/*', 'urn:x', 'chrome-extension://abc/*'],
];
const WIDE: readonly string[] = ['<all_urls>', '*://*/*', 'http://*/*', 'https://*/path*'];

/** Manifests with each permission, and each key and pattern that counts, by itself. */
export function singleManifests(): AskedManifest[] {
  const keys: AskedManifest[] = [
    ...[{ devtools_page: 'page.html' }, { chrome_url_overrides: { newtab: 'page.html' } }],
    ...[{ chrome_url_overrides: { history: 'page.html' } }, { automation: true }, {}],
    { chrome_settings_overrides: { homepage: 'https://a.com/' } },
    { externally_connectable: { matches: ['https://a.com/*'] } },
    { converted_from_user_script: true, permissions: ['tabs', 'unlimitedStorage'] },
    { optional_permissions: ['tabs'], optional_host_permissions: ['<all_urls>'] },
  ];
  const permissions = [...PERMISSIONS.keys()].filter((name) => name !== 'usbDevices' && name !== 'socket');
  const versions = [2, 3].flatMap((manifest_version) => [
    ...permissions.map((name) => ({ ...NAMES, manifest_version, permissions: [name] })),
    ...keys.map((key) => ({ ...NAMES, manifest_version, ...key })),
    ...[...PATTERNS, ...WIDE].flatMap((pattern) => [
      withHosts({ ...NAMES, manifest_version }, [pattern]),
      { ...NAMES, manifest_version, content_scripts: [{ matches: [pattern], js: ['a.js'] }] },
    ]),
  ]);
  return [...versions, ...APPS.map((keys) => ({ ...APP, ...keys }))];
}

const APP = { ...NAMES, manifest_version: 2, app: { background: { scripts: ['a.js'] } } };

const APPS: readonly AskedManifest[] = [
  ...[{ permissions: ['https://a.com/*'] }, { permissions: ['<all_urls>'] }, { permissions: ['geolocation', 'tabs'] }],
  ...[{ permissions: ['audioCapture', 'videoCapture'] }, { permissions: [{ fileSystem: ['write', 'directory'] }] }],
  ...[{ permissions: [{ fileSystem: ['directory'] }, 'syncFileSystem', 'mdns'] }],
  ...[{ permissions: [{ socket: ['tcp-connect:*:80', 'udp-send-to:a.com:1'] }] }],
  ...[{ permissions: [{ socket: ['tcp-connect:b.com:80', 'udp-send-to:a.com:1', 'resolve-host'] }] }],
  ...[{ sockets: { tcp: { connect: ['*.a.com:80', '*.b.com:80'] } } }, { sockets: { udp: { bind: '' } } }],
  ...[{ sockets: { udp: { send: ['a:1'] }, tcpServer: { listen: 'b:2' } } }, { sockets: { udp: { send: '*.a.com' } } }],
];

/** Manifests with several of these at once; the same ones for the same seed. */
export function randomManifests(count: number, seed: number): AskedManifest[] {
  const chance = seededChance(seed);
  return Array.from({ length: count }, () => randomManifest(chance));
}

function randomManifest(chance: Chance): AskedManifest {
  const all = [...PERMISSIONS.keys()].filter((name) => name !== 'usbDevices' && name !== 'socket');
  const some = <Item>(items: readonly Item[], most: number): Item[] =>
    Array.from({ length: chance.below(most + 1) }, () => chance.pick(items));
  const manifest_version = chance.happens(0.2) ? 2 : 3;
  const permissions = [...some(TELLING, 4), ...some(all, 3)];
  const hosts = [...some(PATTERNS, 5), ...(chance.happens(0.1) ? some(WIDE, 1) : [])];
  const scripted = some(
    PATTERNS.filter((pattern) => /^(?:https?|\*):\/\/(?!\*\.\*)[^ /]+\//.test(pattern)),
    2,
  );
  return {
    ...withHosts({ ...NAMES, manifest_version, permissions }, hosts),
    ...(scripted.length > 0 && { content_scripts: [{ matches: scripted, js: ['a.js'] }] }),
    ...(chance.happens(0.1) && { devtools_page: 'page.html' }),
    ...(chance.happens(0.1) && { chrome_url_overrides: { newtab: 'page.html' } }),
    ...(chance.happens(0.1) && { optional_permissions: ['cookies'] }),
  };
}

function withHosts(manifest: AskedManifest, hosts: readonly string[]): AskedManifest {
  const { manifest_version, permissions } = manifest;
  if (manifest_version === 3) return { ...manifest, host_permissions: [...hosts] };
  return { ...manifest, permissions: [...(Array.isArray(permissions) ? permissions : []), ...hosts] };
}
