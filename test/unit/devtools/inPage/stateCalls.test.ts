import assert from 'node:assert/strict';
import {
  alarmsOf,
  type ContentScripts,
  dispatchAlarm,
  injectScripts,
  optionalsOf,
  registeredPaths,
  removePermissions,
} from '../../../../src/devtools/inPage/stateCalls';
import { FakeEvent, FakePage } from '../../../support/fakePage';

const copy = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

describe('the alarms of an extension', () => {
  const alarm = { name: 'often', scheduledTime: 5, periodInMinutes: 1 };

  it('are listed, unless it may have none', async () => {
    const page = new FakePage({ chrome: { alarms: { getAll: () => Promise.resolve([alarm]) } } });
    assert.deepEqual(await page.call(alarmsOf), [alarm]);
    assert.equal(await new FakePage({ chrome: {} }).call(alarmsOf), undefined);
  });

  it('are fired for the listeners of its worker', async () => {
    const fired: unknown[] = [];
    const event = new FakeEvent();
    const onAlarm = Object.assign(event, { dispatch: (one: unknown) => fired.push(copy(one)) });
    const page = new FakePage({ chrome: { alarms: { onAlarm } } });
    assert.equal(await page.call(dispatchAlarm, alarm), 'noListener');
    event.addListener(() => undefined);
    assert.equal(await page.call(dispatchAlarm, alarm), 'fired');
    assert.deepEqual(fired, [alarm]);
  });

  it('cannot be fired where Chromium has no way to do it', async () => {
    for (const chrome of [undefined, {}, { alarms: { onAlarm: new FakeEvent() } }]) {
      assert.equal(await new FakePage({ chrome }).call(dispatchAlarm, alarm), 'unsupported');
    }
  });
});

describe('the optional permissions of an extension', () => {
  it('are listed once each, with those that are granted', async () => {
    const granted = ['tabs', 'https://a/*'];
    const contains = ({ permissions = [], origins = [] }: Record<string, string[]>): Promise<boolean> =>
      permissions.includes('odd')
        ? Promise.reject(new Error("'odd' is not a recognized permission."))
        : Promise.resolve([...permissions, ...origins].every((name) => granted.includes(name)));
    const runtime = {
      getManifest: () => ({
        optional_permissions: ['tabs', 'odd', '<all_urls>'],
        optional_host_permissions: ['https://a/*', '<all_urls>'],
      }),
    };
    const page = new FakePage({ chrome: { runtime, permissions: { contains } } });
    assert.deepEqual(await page.call(optionalsOf), [
      { name: 'tabs', isHost: false, isGranted: true },
      { name: 'odd', isHost: false, isGranted: false },
      { name: '<all_urls>', isHost: true, isGranted: false },
      { name: 'https://a/*', isHost: true, isGranted: true },
    ]);
    const none = new FakePage({ chrome: { runtime: { getManifest: () => ({}) } } });
    assert.deepEqual(await none.call(optionalsOf), []);
  });

  it('are revoked, unless Chromium refuses', async () => {
    const removed: unknown[] = [];
    const remove = (which: object): Promise<boolean> => Promise.resolve(removed.push(copy(which)) === 1);
    const page = new FakePage({ chrome: { permissions: { remove } } });
    assert.equal(await page.call(removePermissions, { permissions: ['tabs'] }), true);
    assert.equal(await page.call(removePermissions, { origins: ['https://a/*'] }), false);
    assert.deepEqual(removed, [{ permissions: ['tabs'] }, { origins: ['https://a/*'] }]);
  });
});

describe('the scripts that an extension has registered', () => {
  it('are told by their files', async () => {
    const scripting = { getRegisteredContentScripts: () => Promise.resolve([{ js: ['a.js'], css: ['a.css'] }, {}]) };
    const userScripts = { getScripts: () => Promise.resolve([{ js: [{ file: 'b.js' }, { code: 'x' }] }]) };
    const all = ['a.js', 'a.css', 'b.js', { code: 'x' }];
    assert.deepEqual(await new FakePage({ chrome: { scripting, userScripts } }).call(registeredPaths), all);
    assert.deepEqual(await new FakePage({ chrome: { userScripts } }).call(registeredPaths), all.slice(2));
    assert.equal(await new FakePage({ chrome: {} }).call(registeredPaths), null);
  });
});

describe('the injection of content scripts by the worker', () => {
  const entry: ContentScripts = {
    matches: ['https://a/*'],
    exclude_matches: ['https://a/not'],
    js: ['a.js'],
    css: ['a.css'],
    all_frames: true,
    world: 'MAIN',
  };
  const urls = ['https://a/1', 'https://a/not', 'https://a/refused'];
  let done: unknown[];
  let page: FakePage;

  beforeEach(() => {
    done = [];
    const tabs = [...urls, 'https://a/new'].map((url, at) => ({ id: at + 1, url }));
    const query = ({ url = [] }: { url?: string[] }): Promise<object[]> =>
      Promise.resolve(url.includes('https://a/*') ? tabs : tabs.filter((tab) => url.includes(tab.url)));
    const inject =
      (name: string) =>
      (injection: { target: { tabId: number } }): Promise<void> => {
        if (injection.target.tabId === 3) return Promise.reject(new Error('Cannot access contents of the page.'));
        done.push([name, copy(injection)]);
        return Promise.resolve();
      };
    const scripting = { insertCSS: inject('css'), executeScript: inject('js') };
    page = new FakePage({ chrome: { scripting, tabs: { query } } });
  });

  it('reaches the tabs that the manifest and the caller name', async () => {
    assert.deepEqual(await page.call(injectScripts, [entry], urls), ['https://a/1']);
    const target = { tabId: 1, allFrames: true };
    assert.deepEqual(done, [
      ['css', { target, files: ['a.css'] }],
      ['js', { target, files: ['a.js'], world: 'MAIN', injectImmediately: true }],
    ]);
  });

  it('injects nothing that there is not', async () => {
    await page.call(injectScripts, [{ ...entry, exclude_matches: [], css: [], js: [] }], urls);
    assert.deepEqual(done, []);
  });

  it('tells why it has reached no tab', async () => {
    const refused = 'Cannot access contents of the page.';
    for (const one of [entry, { ...entry, css: [] }, { ...entry, js: [] }]) {
      assert.equal(await page.call(injectScripts, [one], ['https://a/refused']), refused);
    }
    const unknown = 'it has no permission for the hosts of these pages';
    assert.equal(await page.call(injectScripts, [entry], ['https://b/']), unknown);
    assert.deepEqual(await page.call(injectScripts, [entry], []), []);
    const without = new FakePage({ chrome: {} });
    assert.equal(await without.call(injectScripts, [entry], urls), 'it has no "scripting" permission');
  });
});
