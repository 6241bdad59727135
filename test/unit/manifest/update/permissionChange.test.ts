// Covers: src/manifest
import assert from 'node:assert/strict';
import { changeOf, type Keys } from './pairs';

/** An app of version 2, whose hosts do not count. */
const APP = { manifest_version: 2, app: { background: { scripts: ['background.js'] } } };

/** What Chromium's own tests expect of updates, by the names of its manifests, whose keys are our own here. */
const CHROMIUM_PAIRS: readonly [name: string, before: Keys, after: Keys, isAsked: boolean][] = [
  ['allhosts1', { host_permissions: ['http://*/*'] }, { host_permissions: ['http://*/*'] }, false],
  ['allhosts2', { host_permissions: ['http://*/*'] }, { host_permissions: ['http://site.com/*'] }, false],
  ['allhosts3', { host_permissions: ['http://site.com/*'] }, { host_permissions: ['http://*/*'] }, true],
  ['hosts1', { host_permissions: ['http://site.com/*'] }, { host_permissions: ['http://site.com/*'] }, false],
  [
    'hosts2',
    { host_permissions: ['http://a/*', 'http://b/*'] },
    { host_permissions: ['https://a/*', 'http://*.b/*'] },
    true,
  ],
  ['hosts3', { host_permissions: ['http://a/*', 'http://b/*'] }, { host_permissions: ['http://a/*'] }, false],
  ['hosts4', { host_permissions: ['http://a/*'] }, { host_permissions: ['http://a/*', 'http://b/*'] }, true],
  ['hosts5', { host_permissions: ['http://a/*'] }, { host_permissions: ['http://a/*', 'https://a/*'] }, false],
  [
    'hosts6',
    { host_permissions: ['http://a.com/*'] },
    { host_permissions: ['http://a.com/*', 'http://a.co.uk/*'] },
    false,
  ],
  ['permissions1', { permissions: ['tabs'] }, { permissions: ['tabs'] }, false],
  ['permissions2', { permissions: ['tabs'] }, { permissions: ['tabs', 'bookmarks'] }, true],
  [
    'permissions3',
    { host_permissions: ['http://*/*'] },
    { host_permissions: ['http://*/*'], permissions: ['tabs'] },
    false,
  ],
  ['permissions5', { permissions: ['bookmarks'] }, { permissions: ['bookmarks', 'history'] }, true],
  ['equivalent_warnings', { permissions: ['tabs'] }, { permissions: ['tabs', 'webNavigation'] }, false],
  ['storage', {}, { permissions: ['storage'] }, false],
  ['notifications', {}, { permissions: ['notifications'] }, true],
  [
    'platformapp1',
    { ...APP, permissions: ['http://a/*'] },
    { ...APP, permissions: ['http://a/*', 'http://b/*'] },
    false,
  ],
  ['platformapp2', { ...APP, permissions: [] }, { ...APP, permissions: ['geolocation'] }, true],
  ['sockets1', { ...APP, sockets: { udp: { send: 'a:80' } } }, { ...APP, sockets: { udp: { send: '*' } } }, true],
  ['history and topSites', { permissions: ['history'] }, { permissions: ['history', 'topSites'] }, false],
];

describe('the rule of privilege increase', () => {
  for (const [name, before, after, isAsked] of CHROMIUM_PAIRS) {
    it(`agrees with Chromium's pair ${name}: ${isAsked ? 'asked again' : 'silent'}`, () => {
      const { isAskedAgain, causes } = changeOf(before, after);
      assert.equal(isAskedAgain, isAsked);
      assert.equal(causes.length > 0, isAsked);
    });
  }
});

describe('the causes of an update that asks again', () => {
  it('are the lines of the new manifest, each with what is new', () => {
    const before = { permissions: ['tabs'], host_permissions: ['https://a.com/*'] };
    const after = { permissions: ['storage', 'bookmarks', 'tabs', 'sessions'], host_permissions: ['https://a.com/*'] };
    assert.deepEqual(changeOf(before, after).causes, [
      {
        path: ['permissions', 3],
        name: 'sessions',
        warning: 'Read your browsing history on all your signed-in devices',
      },
      { path: ['permissions', 1], name: 'bookmarks', warning: 'Read and change your bookmarks' },
    ]);
  });

  it('are the hosts that are not covered', () => {
    const scripts = { content_scripts: [{ matches: ['https://a.com/*', 'https://c.com/*'], js: ['a.js'] }] };
    const { causes } = changeOf(
      { host_permissions: ['https://a.com/*', '*://*.b.com/*'] },
      { ...scripts, host_permissions: ['*://sub.b.com/*'] },
    );
    const warning = 'Read and change your data on a.com, c.com, and sub.b.com';
    assert.deepEqual(causes, [{ path: ['content_scripts', 0, 'matches', 1], name: 'https://c.com/*', warning }]);
  });

  it('are what reaches all hosts, once for each', () => {
    const { causes } = changeOf({}, { host_permissions: ['*://a.com/*', '*://*/*'], devtools_page: 'page.html' });
    assert.deepEqual(
      causes.map(({ path }) => path),
      [['host_permissions', 1], ['devtools_page']],
    );
  });

  it('are local files, of which Chromium says nothing', () => {
    const { causes } = changeOf({}, { host_permissions: ['file:///*'] });
    assert.deepEqual(causes, [{ path: ['host_permissions', 0], name: 'file:///*' }]);
  });

  it('are found when hosts move from version 2 to version 3', () => {
    const before = { manifest_version: 2, permissions: ['*://a.com/*', 'webRequest', 'webRequestBlocking'] };
    const after = { host_permissions: ['*://a.com/*'], permissions: ['declarativeNetRequest'] };
    assert.deepEqual(changeOf(before, after).causes, [
      { path: ['permissions', 0], name: 'declarativeNetRequest', warning: 'Block content on any page' },
    ]);
    const silent = { ...after, permissions: ['declarativeNetRequestWithHostAccess'] };
    assert.equal(changeOf(before, silent).isAskedAgain, false);
  });
});
