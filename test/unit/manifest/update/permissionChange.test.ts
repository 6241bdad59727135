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
