import assert from 'node:assert/strict';
import {
  allowedOf,
  allowHost,
  changeConfiguration,
  countLoads,
  describeParts,
  folderOf,
  loadsOf,
  reloadExtension,
  setExtensionEnabled,
  switchOnDeveloperMode,
} from '../../../../src/devtools/inPage/extensionsPageCalls';
import { FakeEvent, FakePage } from '../../../support/fakePage';

describe('the interface of chrome://extensions', () => {
  /** What was asked of it, in its order. */
  let asked: unknown[];
  let info: object;
  /** What a reload answers; none comes when it is undefined. */
  let reloaded: Promise<unknown>;
  let management: Record<'onEnabled' | 'onDisabled' | 'onInstalled' | 'onUninstalled', FakeEvent<unknown[]>>;
  let changes: number;
  let page: FakePage;

  beforeEach(() => {
    asked = [];
    info = {};
    changes = 0;
    reloaded = Promise.resolve(undefined);
    const note =
      (name: string, answer: () => Promise<unknown> = () => Promise.resolve()) =>
      (...args: unknown[]): Promise<unknown> => {
        asked.push([name, ...(JSON.parse(JSON.stringify(args)) as unknown[])]);
        return answer();
      };
    management = {
      onEnabled: new FakeEvent(),
      onDisabled: new FakeEvent(),
      onInstalled: new FakeEvent(),
      onUninstalled: new FakeEvent(),
    };
    page = new FakePage({
      location: { protocol: 'chrome:' },
      extensionsChanged: () => (changes += 1),
      chrome: {
        management: { ...management, setEnabled: note('setEnabled') },
        developerPrivate: {
          addHostPermission: note('addHostPermission'),
          getExtensionInfo: note('getExtensionInfo', () => Promise.resolve(info)),
          reload: note('reload', () => reloaded),
          updateExtensionConfiguration: note('updateExtensionConfiguration'),
          updateProfileConfiguration: note('updateProfileConfiguration'),
        },
      },
    });
  });

  it('is there, or not yet, or not at all', async () => {
    assert.equal(await page.call(switchOnDeveloperMode), 'on');
    const at = (protocol: string): FakePage => new FakePage({ chrome: {}, location: { protocol } });
    assert.equal(await at('chrome:').call(switchOnDeveloperMode), 'loading');
    assert.equal(await at('chrome-error:').call(switchOnDeveloperMode), 'none');
  });

  it('counts the loads of each extension, and reports all changes', async () => {
    await page.call(countLoads, 'extensionsChanged');
    for (const id of ['a', 'b', 'a']) management.onEnabled.fire({ id });
    assert.deepEqual([await page.call(loadsOf, 'a'), await page.call(loadsOf, 'c')], [2, 0]);
    assert.equal(changes, 3);
    for (const event of [management.onDisabled, management.onInstalled, management.onUninstalled]) event.fire('a');
    assert.equal(changes, 6);
    assert.equal(await page.call(loadsOf, 'a'), 2);
  });

  it('counts no loads before it is told to', async () => {
    await assert.rejects(async () => page.call(loadsOf, 'a'));
  });

  it('reloads an extension, unless Chromium refuses its files', async () => {
    assert.equal(await page.call(reloadExtension, 'a', 100), true);
    assert.deepEqual(asked, [['reload', 'a', { failQuietly: true, populateErrorForUnpacked: true }]]);
    reloaded = Promise.resolve({ error: 'Manifest is not valid JSON.' });
    assert.equal(await page.call(reloadExtension, 'a', 100), 'Manifest is not valid JSON.');
  });

  it('is not waited for longer than the limit of a reload', async () => {
    reloaded = new Promise(() => undefined);
    const reloading = page.call(reloadExtension, 'a', 100);
    await page.clock.advance(99);
    let end: unknown;
    void reloading.then((value) => (end = value));
    await page.clock.idle();
    assert.equal(end, undefined);
    await page.clock.advance(1);
    assert.equal(await reloading, false);
  });

  it('changes what it is told to', async () => {
    const change = { extensionId: 'a', pinnedToToolbar: true };
    assert.equal(await page.call(setExtensionEnabled, 'a', false), true);
    assert.equal(await page.call(changeConfiguration, change), true);
    assert.equal(await page.call(allowHost, 'a', 'https://example.com/*'), true);
    await page.call(switchOnDeveloperMode);
    assert.deepEqual(asked, [
      ['setEnabled', 'a', false],
      ['updateExtensionConfiguration', change],
      ['addHostPermission', 'a', 'https://example.com/*'],
      ['updateProfileConfiguration', { inDeveloperMode: true }],
    ]);
  });

  it('says why it does not change something', async () => {
    const refuse = (): Promise<never> => Promise.reject(new Error('A policy forbids it.'));
    const developerPrivate = {
      reload: refuse,
      addHostPermission: refuse,
      updateExtensionConfiguration: refuse,
      updateProfileConfiguration: refuse,
    };
    page = new FakePage({ chrome: { management: { setEnabled: refuse }, developerPrivate } });
    const calls = [
      async (): Promise<unknown> => page.call(setExtensionEnabled, 'a', true),
      async (): Promise<unknown> => page.call(changeConfiguration, { extensionId: 'a' }),
      async (): Promise<unknown> => page.call(allowHost, 'a', 'https://example.com/*'),
    ];
    for (const call of calls) await assert.rejects(call, /A policy/);
    assert.equal(await page.call(switchOnDeveloperMode), 'refused');
  });

  it('describes the parts of an extension', async () => {
    const view = { type: 'OFFSCREEN_DOCUMENT', url: 'chrome-extension://a/offscreen.html' };
    info = { views: [{ ...view, renderViewId: 3 }], runtimeErrors: [{}] };
    assert.deepEqual(await page.call(describeParts, 'a'), { views: [view], optionsUrl: '', hasWorkerFailed: false });
    info = { views: [], optionsPage: { url: 'options' }, runtimeErrors: [{}, { isServiceWorker: true }] };
    assert.deepEqual(await page.call(describeParts, 'a'), { views: [], optionsUrl: 'options', hasWorkerFailed: true });
    assert.deepEqual(asked[0], ['getExtensionInfo', 'a']);
  });

  it('tells what a user has allowed an extension', async () => {
    const access = { isActive: true, isEnabled: false };
    info = { incognitoAccess: access, fileAccess: { isActive: false, isEnabled: true }, permissions: {} };
    const state = {
      incognito: { isOn: true, isPossible: false },
      fileAccess: { isOn: false, isPossible: true },
      pinned: { isOn: false, isPossible: false },
    };
    assert.deepEqual(await page.call(allowedOf, 'a'), state);
    const hosts = [
      { host: 'https://a/*', granted: true },
      { host: 'https://b/*', granted: false },
    ];
    info = {
      ...info,
      pinnedToToolbar: true,
      permissions: { runtimeHostPermissions: { hostAccess: 'ON_CLICK', hosts } },
    };
    assert.deepEqual(await page.call(allowedOf, 'a'), {
      ...state,
      pinned: { isOn: true, isPossible: true },
      hosts: { access: 'ON_CLICK', granted: ['https://a/*'], asked: ['https://a/*', 'https://b/*'] },
    });
  });

  it('tells the folder of an extension that has one', async () => {
    info = { path: '/a/folder' };
    assert.equal(await page.call(folderOf, 'a'), '/a/folder');
    info = {};
    assert.equal(await page.call(folderOf, 'a'), undefined);
  });
});
