// Covers: src/manifest
import assert from 'node:assert/strict';
import { changeOf, warningsOf } from './pairs';

const ALL = 'Read and change all your data on all websites';
const HISTORY = 'Read your browsing history';
const ON_ALL_DEVICES = 'on all your signed-in devices';

/** Permissions, and what Chromium says of them together. */
const ROWS: readonly [permissions: string[], warnings: string[]][] = [
  [['debugger'], ['Access the page debugger backend', ALL]],
  [['pageCapture'], [ALL]],
  [['tabCapture', 'tabs', 'topSites', 'processes', 'declarativeNetRequest'], [ALL]],
  [
    ['proxy', 'history'],
    [ALL, `Read and change your browsing history ${ON_ALL_DEVICES}`],
  ],
  [['webAuthenticationProxy', 'tabs', 'favicon', 'webNavigation', 'declarativeNetRequestFeedback'], [ALL]],
  [['geolocation'], ['Detect your physical location']],
  [['history', 'tabs', 'topSites', 'webNavigation'], [`Read and change your browsing history ${ON_ALL_DEVICES}`]],
  [['tabs', 'sessions', 'processes', 'favicon'], [`Read your browsing history ${ON_ALL_DEVICES}`]],
  [['sessions'], []],
  [['tabs', 'webNavigation'], [HISTORY]],
  [['processes', 'webNavigation'], [HISTORY]],
  [['webNavigation', 'topSites', 'favicon'], [HISTORY]],
  [['declarativeNetRequestFeedback', 'topSites'], [HISTORY]],
  [
    ['topSites', 'favicon'],
    ['Read the icons of the websites you visit', 'Read a list of your most frequently visited websites'],
  ],
  [
    ['declarativeNetRequest', 'tabs'],
    [HISTORY, 'Block content on any page'],
  ],
  [['declarativeNetRequestWithHostAccess'], []],
  [['clipboardWrite', 'clipboardRead'], ['Read and modify data you copy and paste']],
  [['clipboardRead'], ['Read data you copy and paste']],
  [['clipboardWrite'], ['Modify data you copy and paste']],
  [['accessibilityFeatures.read', 'accessibilityFeatures.modify'], ['Read and change your accessibility settings']],
  [['accessibilityFeatures.read'], ['Read your accessibility settings']],
  [
    ['downloads.open', 'downloads', 'bookmarks'],
    ['Read and change your bookmarks', 'Manage your downloads', 'Open downloaded files'],
  ],
  [['storage', 'alarms', 'cookies', 'scripting', 'webRequest', 'identity', 'offscreen'], []],
];

describe('the warnings about permissions', () => {
  for (const [permissions, warnings] of ROWS) {
    it(`of ${permissions.join(', ')} are Chromium's`, () => {
      assert.deepEqual(warningsOf({ permissions }), warnings);
    });
  }

  it('name up to three hosts, those with subdomains first', () => {
    const host_permissions = ['https://b.com/*', 'https://*.a.com/*', 'http://b.com:80/x'];
    assert.deepEqual(warningsOf({ host_permissions }), ['Read and change your data on all a.com sites and b.com']);
    assert.deepEqual(warningsOf({ host_permissions: [...host_permissions, '*://c.org/*'] }), [
      'Read and change your data on all a.com sites, b.com, and c.org',
    ]);
  });

  it('count more hosts, which are details', () => {
    const host_permissions = ['*://a/*', '*://*.b.org/*', '*://c/*', '*://d/*'];
    assert.deepEqual(changeOf({}, { host_permissions }).warningsAfter, [
      { text: 'Read and change your data on a number of websites', details: ['All b.org sites', 'a', 'c', 'd'] },
    ]);
  });

  it('name one host of several suffixes by com, net, org or the first one', () => {
    const hosts = (...host_permissions: string[]) => warningsOf({ host_permissions });
    assert.deepEqual(hosts('*://a.de/*', '*://a.net/*', '*://a.org/*'), ['Read and change your data on a.net']);
    assert.deepEqual(hosts('https://a.de/*', '*://a.fr/*'), ['Read and change your data on a.fr']);
    assert.deepEqual(hosts('*://a.github.io/*', '*://b.github.io/*'), [
      'Read and change your data on a.github.io and b.github.io',
    ]);
  });

  it('take all hosts below a public suffix for all websites', () => {
    for (const host of ['*://*.com/*', '*://*.co.uk/*', '*://*/*', '<all_urls>'])
      assert.deepEqual(warningsOf({ host_permissions: [host], permissions: ['tabs'] }), [ALL], host);
    assert.deepEqual(warningsOf({ host_permissions: ['*://*.github.io/*'] }), [
      'Read and change your data on all github.io sites',
    ]);
  });

  it('show names in Unicode', () => {
    assert.deepEqual(warningsOf({ host_permissions: ['*://xn--bcher-kva.de/*'] }), [
      'Read and change your data on b\u00fccher.de',
    ]);
  });

  it('tell of keys, but not of local files and optional permissions', () => {
    assert.deepEqual(warningsOf({ devtools_page: 'page.html' }), [ALL]);
    assert.deepEqual(warningsOf({ chrome_url_overrides: { newtab: 'page.html' } }), [
      'Replace the page you see when opening a new tab',
    ]);
    assert.deepEqual(warningsOf({ host_permissions: ['file:///*'], optional_permissions: ['tabs'] }), []);
  });

  it('ignore what this version of the manifest cannot ask for', () => {
    assert.deepEqual(warningsOf({ manifest_version: 2, permissions: ['tabGroups', 'readingList'] }), []);
    assert.deepEqual(warningsOf({ permissions: ['https://a.com/*', 'declarativeWebRequest'] }), []);
    assert.deepEqual(warningsOf({ manifest_version: 2, permissions: ['https://a.com/*', 'chrome://favicon/'] }), [
      'Read and change your data on a.com',
      'Read the icons of the websites you visit',
    ]);
  });
});
