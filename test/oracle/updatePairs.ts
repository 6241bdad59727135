import type { Json } from '../support/json';
import { type Chance, seededChance } from '../support/random';
import { randomManifests, type AskedManifest } from './updateManifests';
import type { UpdatePair } from './updates';

const OLD = { name: 'Pair', version: '1.0', manifest_version: 3 };
const APP = { ...OLD, manifest_version: 2, app: { background: { scripts: ['a.js'] } } };

type Row = readonly [name: string, before: AskedManifest, after: AskedManifest];

const hosts = (...host_permissions: string[]): AskedManifest => ({ host_permissions });
const apis = (...permissions: string[]): AskedManifest => ({ permissions });
const scripts = (...matches: string[]): AskedManifest => ({ content_scripts: [{ matches, js: ['a.js'] }] });

/** Pairs of keys by what changes from the first to the second. */
const ROWS: readonly Row[] = [
  ['nothing', apis('tabs'), apis('tabs')],
  ['nothing asked', {}, {}],
  ['no permission any more', apis('tabs', 'bookmarks'), {}],
  ['fewer hosts', hosts('http://a/*', 'http://b/*'), hosts('http://a/*')],
  ['one more host', hosts('http://a/*'), hosts('http://a/*', 'http://b/*')],
  ['another host', hosts('https://a.com/*'), hosts('https://b.com/*')],
  ['another scheme', hosts('http://a/*'), hosts('https://a/*')],
  ['another scheme as well', hosts('http://a/*'), hosts('http://a/*', 'https://a/*')],
  ['another port', hosts('http://a.com:80/*'), hosts('http://a.com:8080/*')],
  ['another path', hosts('http://a.com/x/*'), hosts('http://a.com/*')],
  ['another suffix', hosts('http://a.com/*'), hosts('http://a.com/*', 'http://a.co.uk/*')],
  ['another unknown suffix', hosts('http://a.zzz/*'), hosts('http://a.zzz/*', 'http://a.yyy/*')],
  ['another private suffix', hosts('http://a.github.io/*'), hosts('http://a.github.io/*', 'http://a.gitlab.io/*')],
  ['another name at a private suffix', hosts('http://a.github.io/*'), hosts('http://b.github.io/*')],
  ['subdomains', hosts('http://b/*'), hosts('http://*.b/*')],
  ['one of the subdomains', hosts('*://*.a.com/*'), hosts('*://sub.a.com/*')],
  ['the domain of subdomains', hosts('*://*.a.com/*'), hosts('*://a.com/*')],
  ['subdomains of a subdomain', hosts('*://*.a.com/*'), hosts('*://*.b.a.com/*')],
  ['a name with the same end', hosts('*://*.a.com/*'), hosts('*://ba.com/*')],
  ['subdomains at another suffix', hosts('*://*.a.com/*'), hosts('*://sub.a.co.uk/*')],
  ['all hosts instead of one', hosts('http://a.com/*'), hosts('http://*/*')],
  ['one host instead of all', hosts('http://*/*'), hosts('https://a.com/*')],
  ['all addresses instead of all hosts', hosts('http://*/*'), hosts('<all_urls>')],
  ['all hosts of a suffix', hosts('*://a.com/*'), hosts('*://*.com/*')],
  ['all hosts instead of those of a suffix', hosts('*://*.com/*'), hosts('*://*/*')],
  ['one host instead of those of a suffix', hosts('*://*.com/*'), hosts('*://a.com/*')],
  ['local files', hosts('https://a.com/*'), hosts('https://a.com/*', 'file:///*')],
  ['local files at another path', hosts('file:///a/*'), hosts('file:///*')],
  ['a name in Unicode', hosts('*://xn--bcher-kva.de/*'), hosts('*://b\u00fccher.de/*')],
  ['another name in Unicode', hosts('*://b\u00fccher.de/*'), hosts('*://k\u00fcche.de/*')],
  ['an address of a computer', hosts('http://127.0.0.1/*'), hosts('http://127.0.0.2/*')],
  ['an invalid host', {}, hosts('no pattern')],
  ['a page of the browser', {}, hosts('chrome://flags/')],
  ['a content script', {}, scripts('https://a.com/*')],
  [
    'a content script at a granted host',
    hosts('https://a.com/*'),
    { ...hosts('https://a.com/*'), ...scripts('http://a.com/x/*') },
  ],
  ['a host of a content script', scripts('https://a.com/*'), hosts('https://a.com/*')],
  ['a content script for all', scripts('https://a.com/*'), scripts('<all_urls>')],
  ['an optional permission', {}, { optional_permissions: ['tabs'], optional_host_permissions: ['<all_urls>'] }],
  ['an optional permission that is required', { optional_permissions: ['tabs'] }, apis('tabs')],
  ['a required permission that is optional', apis('tabs'), { optional_permissions: ['tabs'] }],
  ['storage', {}, apis('storage', 'alarms', 'cookies', 'scripting', 'activeTab', 'offscreen', 'sidePanel')],
  ['an unknown permission', {}, apis('nothing', 'https://a.com/*')],
  ['a permission of version 2', {}, apis('webRequestBlocking', 'declarativeWebRequest')],
  ['a permission of policies', {}, apis('enterprise.hardwarePlatform')],
  ['tabs', {}, apis('tabs')],
  ['tabs by their other name', apis('tabs'), apis('windows')],
  ['tabs and bookmarks', apis('tabs'), apis('tabs', 'bookmarks')],
  ['bookmarks and history', apis('bookmarks'), apis('bookmarks', 'history')],
  ['navigation besides tabs', apis('tabs'), apis('tabs', 'webNavigation')],
  ['tabs instead of navigation', apis('webNavigation'), apis('tabs')],
  ['sessions besides tabs', apis('tabs'), apis('tabs', 'sessions')],
  ['sessions', {}, apis('sessions')],
  ['tabs besides sessions', apis('sessions'), apis('tabs', 'sessions')],
  ['tabs besides history', apis('history'), apis('history', 'tabs')],
  ['sessions besides history and tabs', apis('history', 'tabs'), apis('history', 'tabs', 'sessions')],
  ['history instead of tabs', apis('tabs'), apis('history')],
  ['top sites besides history', apis('history'), apis('history', 'topSites')],
  ['top sites besides tabs', apis('tabs'), apis('tabs', 'topSites', 'favicon')],
  ['top sites', {}, apis('topSites')],
  ['tabs besides all hosts', hosts('http://*/*'), { ...hosts('http://*/*'), ...apis('tabs', 'topSites') }],
  ['bookmarks besides all hosts', hosts('http://*/*'), { ...hosts('http://*/*'), ...apis('bookmarks') }],
  ['rules besides one host', hosts('*://a.com/*'), { ...hosts('*://a.com/*'), ...apis('declarativeNetRequest') }],
  ['rules besides all hosts', hosts('*://*/*'), { ...hosts('*://*/*'), ...apis('declarativeNetRequest') }],
  ['rules with access to hosts', {}, apis('declarativeNetRequestWithHostAccess')],
  ['matches of rules besides tabs', apis('tabs'), apis('tabs', 'declarativeNetRequestFeedback')],
  ['notifications', {}, apis('notifications')],
  ['clipboard, reading besides writing', apis('clipboardWrite'), apis('clipboardWrite', 'clipboardRead')],
  ['clipboard, only reading', apis('clipboardWrite', 'clipboardRead'), apis('clipboardRead')],
  [
    'accessibility',
    apis('accessibilityFeatures.read'),
    apis('accessibilityFeatures.read', 'accessibilityFeatures.modify'),
  ],
  ['the debugger', {}, apis('debugger')],
  ['the debugger besides all hosts', hosts('<all_urls>'), { ...hosts('<all_urls>'), ...apis('debugger') }],
  ['captured pages', {}, apis('pageCapture')],
  ['captured pages besides all hosts', hosts('<all_urls>'), { ...hosts('<all_urls>'), ...apis('pageCapture') }],
  ['all hosts besides captured pages', apis('pageCapture'), { ...apis('pageCapture'), ...hosts('<all_urls>') }],
  ['captured tabs', hosts('https://a.com/*'), { ...hosts('https://a.com/*'), ...apis('tabCapture') }],
  ['a proxy', {}, apis('proxy')],
  ['a proxy of authentications', {}, apis('webAuthenticationProxy')],
  [
    'a proxy of authentications besides all hosts',
    hosts('*://*/*'),
    { ...hosts('*://*/*'), ...apis('webAuthenticationProxy') },
  ],
  [
    'all hosts besides a proxy of authentications',
    apis('webAuthenticationProxy'),
    { ...apis('webAuthenticationProxy'), ...hosts('*://*/*') },
  ],
  ['a page of the developer tools', {}, { devtools_page: 'page.html' }],
  [
    'a page of the developer tools besides all hosts',
    hosts('<all_urls>'),
    { ...hosts('<all_urls>'), devtools_page: 'page.html' },
  ],
  ['the page of a new tab', {}, { chrome_url_overrides: { newtab: 'page.html' } }],
  ['the page of bookmarks', {}, { chrome_url_overrides: { bookmarks: 'page.html' } }],
  ['files for all sites', {}, { web_accessible_resources: [{ resources: ['a.js'], matches: ['<all_urls>'] }] }],
  ['messages of a site', {}, { externally_connectable: { matches: ['https://a.com/*'] } }],
  ['another name and commands', {}, { name: 'Renamed', commands: { a: { description: 'A' } } }],
  ['downloads', apis('downloads'), apis('downloads', 'downloads.open')],
  ['native messages', {}, apis('nativeMessaging')],
  ['a location', {}, apis('geolocation')],
  ['groups of tabs', apis('tabs'), apis('tabs', 'tabGroups')],
  ['an address besides an identity', apis('identity'), apis('identity', 'identity.email')],
  ['a fourth host', hosts('*://a/*', '*://b/*', '*://c/*'), hosts('*://a/*', '*://b/*', '*://c/*', '*://d/*')],
  [
    'a fifth host',
    hosts('*://a/*', '*://b/*', '*://c/*', '*://d/*'),
    hosts('*://a/*', '*://b/*', '*://c/*', '*://d/*', '*://e/*'),
  ],
  [
    'an app with other hosts',
    { ...APP, permissions: ['http://a/*'] },
    { ...APP, permissions: ['http://a/*', 'http://b/*'] },
  ],
  ['an app with all hosts', { ...APP, permissions: ['http://a/*'] }, { ...APP, permissions: ['<all_urls>'] }],
  ['an app with a location', APP, { ...APP, permissions: ['geolocation'] }],
  [
    'an app with any host of sockets',
    { ...APP, sockets: { udp: { send: 'a:80' } } },
    { ...APP, sockets: { udp: { send: '*' } } },
  ],
  [
    'an app with fewer hosts of sockets',
    { ...APP, sockets: { udp: { send: '*' } } },
    { ...APP, sockets: { udp: { send: 'a:80' } } },
  ],
];

/** Pairs that each show one thing. */
export function namedPairs(): UpdatePair[] {
  return ROWS.map(([name, before, after]) => pairOf(name, before, after));
}

/** Pairs of random manifests; the same ones for the same seed. */
export function randomPairs(count: number, seed: number): UpdatePair[] {
  const chance = seededChance(seed);
  const manifests = randomManifests(2 * count, seed);
  return Array.from({ length: count }, (_, index) => {
    const [one = {}, other = {}] = manifests.slice(2 * index, 2 * index + 2);
    const before = { ...one, manifest_version: 3 };
    const after = { ...other, manifest_version: 3 };
    const related = chance.happens(0.7) ? relatedManifest(chance, before, after) : after;
    return pairOf(`random ${seed}/${index}`, before, related);
  });
}

/** The first manifest without some of what it asks for, and at times with something of the second one. */
function relatedManifest(chance: Chance, before: AskedManifest, after: AskedManifest): AskedManifest {
  const related = (key: string): Json[] => {
    const [old = [], other = []] = [before[key], after[key]].map((value) => (Array.isArray(value) ? value : []));
    const kept = old.filter(() => chance.happens(0.8));
    return chance.happens(0.5) || other.length === 0 ? kept : [...kept, chance.pick(other)];
  };
  return { ...before, permissions: related('permissions'), host_permissions: related('host_permissions') };
}

function pairOf(name: string, before: AskedManifest, after: AskedManifest): UpdatePair {
  return { name, before: { ...OLD, ...before }, after: { ...OLD, ...after, version: '2.0' } };
}
