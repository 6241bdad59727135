// Covers: src/manifest/use, src/manifest/rules/declaredUses.ts
import assert from 'node:assert/strict';
import type { DeclaredUse } from '../../../../src/manifest/rules/declaredUses';
import { checkCase } from '../checkManifest';

const WORKER = { background: { service_worker: 'worker.js' } };

/** What is said of each permission and host of an extension. */
async function usesIn(manifest: object, files: Record<string, string>): Promise<DeclaredUse[]> {
  const { uses } = await checkCase({ ...WORKER, ...manifest }, files, { storeHints: true, readsCode: true });
  return uses ?? assert.fail();
}

/** What is said of the only permission, with the place: `used worker.js:1`. */
async function saidOf(permission: string, code: string | Record<string, string>, more: object = {}): Promise<string> {
  const files = typeof code === 'string' ? { 'worker.js': code } : code;
  const key = permission.includes('://') ? 'host_permissions' : 'permissions';
  const uses = await usesIn({ [key]: [permission], ...more }, files);
  const { use, place } = uses.find((one) => one.permission === permission) ?? assert.fail();
  return place === undefined ? use.kind : `${use.kind} ${place}`;
}

/** Code that uses a permission, by the way in which it reaches the API. */
const USED: readonly (readonly [way: string, permission: string, code: string])[] = [
  ['a call', 'alarms', '\nchrome.alarms.create("a", {});'],
  ['an optional call', 'alarms', '\nchrome?.alarms?.create?.("a", {});'],
  ['a literal name', 'alarms', "\nchrome['alarms']['create']('a', {});"],
  ['a constant name', 'alarms', "const NAME = 'alarms';\nchrome[NAME].create('a', {});"],
  ['the global object', 'alarms', '\nglobalThis.chrome.alarms.create("a", {});'],
  ['an alias', 'alarms', 'const api = globalThis.browser ?? chrome;\napi.alarms.create("a", {});'],
  [
    'an alias by a test',
    'alarms',
    "const api = typeof browser === 'undefined' ? chrome : browser;\napi.alarms.create('a', {});",
  ],
  ['an alias of an alias', 'alarms', 'let b; const a = chrome; b = a;\nb.alarms.create("a", {});'],
  ['destructuring', 'alarms', '\nconst { alarms } = chrome; alarms.create("a", {});'],
  [
    'renamed destructuring',
    'alarms',
    '\nconst { alarms: clock = null } = globalThis.browser || chrome; clock.create("a", {});',
  ],
  ['nested destructuring', 'storage', '\nconst { storage: { local } } = chrome; local.get("a");'],
  ['a parameter', 'alarms', '\n((api) => { api.alarms.create("a", {}); })(chrome);'],
  ['a polyfill', 'contextMenus', 'import browser from "webextension-polyfill";\nbrowser.contextMenus.create({});'],
  [
    'a polyfill with a name',
    'contextMenus',
    'import { browser as api } from "wxt/browser";\napi.contextMenus.create({});',
  ],
  ['a bundle', 'contextMenus', '(() => { var e = r(5);\n (0, e.default.contextMenus.create)({}); })();'],
  ['a bundle with a short name', 'contextMenus', 'var T = n(3);\nT.contextMenus.create({});'],
  ['a computed area', 'storage', 'export const read = (area) =>\nchrome.storage[area].get();'],
  ['a namespace that is passed on', 'storage', '\ninit(chrome.storage.sync);'],
  ['an event', 'webNavigation', '\nchrome.webNavigation.onCompleted.addListener(() => {});'],
  ['an injected function', 'storage', 'chrome.scripting.executeScript({ func: () =>\nchrome.storage.local.get() });'],
  ['native messages', 'nativeMessaging', '\nchrome.runtime.sendNativeMessage("a", {});'],
  ['rules with hosts', 'declarativeNetRequestWithHostAccess', '\nchrome.declarativeNetRequest.updateDynamicRules({});'],
  ['the clipboard', 'clipboardWrite', "\ndocument.execCommand('copy');"],
  ['a position', 'geolocation', '\nnavigator.geolocation.getCurrentPosition(() => {});'],
  ['icons of sites', 'favicon', "\nconst icon = chrome.runtime.getURL('/_favicon/?pageUrl=a');"],
  ['the address of a tab', 'tabs', 'chrome.tabs.get(1, (tab) => {\nif (tab.url.startsWith("a")) go(); });'],
  [
    'a change of an address',
    'tabs',
    'chrome.tabs.onUpdated.addListener((id, changes) => {\nif (changes.url) go(); });',
  ],
  ['tabs by their address', 'tabs', "\nchrome.tabs.query({ url: 'https://a.test/*' });"],
  ['the title of the first tab', 'tabs', 'chrome.tabs.query({}).then((tabs) =>\ntabs[0].title);'],
  ['a picture of the tab', 'activeTab', '\nchrome.tabs.captureVisibleTab();'],
  ['the name constructor', 'alarms', 'const o = {}; o.constructor.x; o.__proto__.y;\nchrome.alarms.clear("a");'],
];

/** Code that may use anything. */
const HIDDEN: readonly (readonly [way: string, code: string])[] = [
  ['a computed name', 'export const call = (name) => chrome[name].create();'],
  ['the API passed on', 'init(chrome);'],
  ['the API in an object', 'const tools = { api: chrome };'],
  ['the API in a field', 'class A { constructor() { this.api = globalThis.browser ?? chrome; } }'],
  ['the API returned', 'function api() { return chrome; }'],
  ['reflection', 'Reflect.get(chrome, name());'],
  ['eval', 'eval(text);'],
  ['a new function', 'new Function("a", body)();'],
  ['wasm', 'WebAssembly.instantiate(bytes);'],
  ['scripts by a name that is made', 'importScripts(base + name);'],
  ['an import by a name that is made', 'import(name());'],
  ['text that is no script', 'const = ;'],
  ['names of an import', "import { alarms } from './missing.js'; alarms.create();"],
];

/** Code that uses no permission, although it looks like it. */
const UNUSED: readonly (readonly [way: string, permission: string, code: string])[] = [
  ['the history of a page', 'history', 'history.pushState({}, "", "/"); window.history.back();'],
  ['a cookie of the page', 'cookies', 'document.cookie = "a=b";'],
  ['the storage of pages', 'storage', 'localStorage.getItem("a"); navigator.storage.estimate();'],
  [
    'who sent a message',
    'tabs',
    'chrome.runtime.onMessage.addListener((m, sender) => go(sender.tab.url, sender.url)); chrome.tabs.query({ active: true });',
  ],
  ['the address of the page', 'tabs', 'chrome.tabs.create({ url: location.href, title: document.title });'],
  ['an address that is written', 'tabs', 'const made = {}; chrome.tabs.get(1); made.url = "a";'],
  [
    'a test for the API',
    'alarms',
    "if (chrome && chrome.alarms && 'alarms' in chrome && typeof chrome !== 'undefined') go();",
  ],
  ['itself', 'management', 'chrome.management.getSelf();'],
  ['the global object in a bundle', 'alarms', 'var g = new Function("return this")();'],
  ['a comment', 'alarms', '// chrome.alarms.create()'],
  ['other messages', 'nativeMessaging', 'chrome.runtime.sendMessage({});'],
  ['speech of pages', 'tts', 'speechSynthesis.speak(text);'],
];

describe('the use of a permission', () => {
  for (const [way, permission, code] of USED) {
    it(`is found at its line by ${way}`, async () => {
      const line = code.slice(0, Math.max(code.lastIndexOf('\n'), 0)).split('\n').length + 1;
      assert.equal(await saidOf(permission, code), `used worker.js:${line}`);
    });
  }

  for (const [way, code] of HIDDEN) {
    it(`is not excluded by ${way}`, async () => {
      assert.match(await saidOf('alarms', code), /^maybe/);
    });
  }

  for (const [way, permission, code] of UNUSED) {
    it(`is not found by ${way}`, async () => {
      assert.match(await saidOf(permission, code), /^none/);
    });
  }

  const OPENED: readonly (readonly [way: string, exporting: string, using: string])[] = [
    ['a computed member', 'export const api = chrome;', "import { api } from './api.js'; api[name()].create();"],
    ['another name', 'const a = chrome; export { a as api };', "import { api as b } from './api.js'; b[name()]();"],
    ['the default export', 'export default globalThis.browser ?? chrome;', "import c from './api.js'; c[name()]();"],
    ['all exports', 'export const api = chrome;', "import * as all from './api.js'; all.api[name()]();"],
    ['exports by a name', 'export const api = chrome;', "import * as all from './api.js'; all[name()].alarms;"],
    ['a call', 'export const api = chrome;', "import { api } from './api.js'; wrap(api);"],
    ['an alias', 'export const api = chrome;', "import { api } from './api.js'; const b = api; b[name()]();"],
    ['an import at run time', 'export const api = chrome;', "const { api } = await import('./api.js'); api[name()]();"],
    ['an export of the import', 'export const api = chrome;', "export { api as other } from './api.js';"],
  ];

  for (const [way, exporting, using] of OPENED) {
    it(`is not excluded where another script gets the API by ${way}`, async () => {
      const more = { background: { service_worker: 'worker.js', type: 'module' } };
      assert.match(await saidOf('alarms', { 'worker.js': using, 'api.js': exporting }, more), /^maybe worker\.js:1/);
    });
  }

  it('is excluded where another script only uses known members of the API that it imports', async () => {
    const files = {
      'worker.js':
        "import { api, list } from './api.js'; const { tabs } = api; api.tabs.create({}); list[0]; go(list[at]);",
      'api.js': 'export const api = chrome; export const list = [];',
    };
    assert.match(await saidOf('alarms', files), /^none/);
    assert.match(await saidOf('alarms', { ...files, 'api.js': 'export const list = [chrome.tabs];' }), /^none/);
  });

  it('is one that only the manifest shows', async () => {
    const rules = { declarative_net_request: { rule_resources: [{ id: 'a', enabled: true, path: 'rules.json' }] } };
    const code = { 'worker.js': '', 'rules.json': '[]' };
    assert.equal(await saidOf('declarativeNetRequest', code, rules), 'used manifest.json');
  });

  for (const [way, statement] of [
    ['for its effects', "import './part.js';"],
    ['to export all of it', "export * from './part.js';"],
    ['to export a name of it', "export { part } from './part.js';"],
  ] as const)
    it(`is in a module that another one loads ${way}`, async () => {
      const files = { 'worker.js': statement, 'part.js': '\nchrome.alarms.create("a", {});' };
      assert.equal(await saidOf('alarms', files), 'used part.js:2');
    });

  it('may be in code that nothing leads to, in code that is not built, and in a script that is not there', async () => {
    const call = 'chrome.alarms.create("a", {});';
    assert.equal(await saidOf('alarms', { 'worker.js': '', 'other.js': call }), 'maybe other.js:1');
    assert.match(await saidOf('alarms', { 'worker.js': '', 'src/a.ts': call }), /^maybe/);
    const page = { action: { default_popup: 'popup.html' } };
    const files = { 'worker.js': '', 'popup.html': '<script src="popup.js"></script>' };
    assert.equal(await saidOf('alarms', files, page), 'maybe');
    assert.equal(await saidOf('alarms', { ...files, 'popup.js': call }, page), 'used popup.js:1');
  });

  it('may be in the web pages of a hosted app', async () => {
    const manifest = { manifest_version: 2, permissions: ['geolocation'], background: undefined };
    const app = { urls: ['https://a.test/'], launch: { web_url: 'https://a.test/' } };
    const kinds = async (more: object): Promise<unknown> =>
      (await usesIn({ ...manifest, ...more }, {})).map(({ use }) => use.kind);
    assert.deepEqual(await kinds({ app }), ['maybe']);
    assert.deepEqual(await kinds({}), ['none']);
  });

  it('may be in the pages that an app shows', async () => {
    const app = { manifest_version: 2, app: { background: { scripts: ['worker.js'] } }, background: undefined };
    const kinds = async (permissions: string[]): Promise<unknown> =>
      (await usesIn({ ...app, permissions }, { 'worker.js': '' })).map(({ permission, use }) => [permission, use.kind]);
    const said = await kinds(['webview', 'geolocation', 'alarms']);
    assert.deepEqual(said, [
      ['webview', 'maybe'],
      ['geolocation', 'maybe'],
      ['alarms', 'none'],
    ]);
    assert.deepEqual(await kinds(['geolocation']), [['geolocation', 'none']]);
  });

  it('may be meant by code that asks for an optional one', async () => {
    const declared = { optional_permissions: ['alarms', 'history'] };
    const files = { 'worker.js': "chrome.permissions.request({ permissions: ['alarms'] });" };
    const uses = await usesIn(declared, files);
    assert.deepEqual(
      uses.map(({ use }) => use.kind),
      ['maybe', 'none'],
    );
  });

  it('may be meant by code that asks for one by a name that is made', async () => {
    const declared = { optional_permissions: ['history'] };
    const kindsOf = async (asked: string): Promise<unknown> =>
      (await usesIn(declared, { 'worker.js': `chrome.permissions.request(${asked});` })).map(({ use }) => use.kind);
    for (const asked of ['{ permissions: [name] }', 'wanted', '{ ...more }', '{ permissions }'])
      assert.deepEqual(await kindsOf(asked), ['maybe'], asked);
    assert.deepEqual(await kindsOf("{ permissions: ['alarms'], origins: [site] }"), ['none']);
  });

  it('for the tab in front may be a request to its site', async () => {
    assert.match(await saidOf('activeTab', 'fetch(picture);'), /^maybe worker\.js:1/);
    assert.match(await saidOf('activeTab', "fetch('https://a.test/b');"), /^none/);
  });

  it('of notifications is found where messages of a server are subscribed to, which had to show one before Chromium 132', async () => {
    const subscribe = 'self.registration.pushManager.subscribe({ userVisibleOnly: true });';
    assert.match(await saidOf('notifications', subscribe), /^used/);
    assert.match(await saidOf('notifications', 'self.registration.update();'), /^none/);
  });

  it('is found in what only Firefox has', async () => {
    assert.match(await saidOf('cookies', 'browser.contextualIdentities.query({});'), /^used/);
    for (const code of [
      'proxy.onRequest.addListener(go, {})',
      'contentScripts.register({})',
      'menus.onShown.addListener(go)',
    ])
      assert.match(await saidOf('https://a.test/*', `browser.${code};`), /^maybe/, code);
  });

  it('is seen in calls of a test, where the code shows no certain one', async () => {
    const manifest = { permissions: ['alarms', 'history', 'management', 'tabs', 'storage'] };
    const code = "chrome['al' + ending].create('a', {}); chrome.storage.local.get();";
    const calledApi = ['storage.get', 'alarms.create', 'management.getSelf', 'tabs.query', 'historyLike.search'];
    const { uses = [] } = await checkCase(
      { ...WORKER, ...manifest },
      { 'worker.js': code },
      { storeHints: true, readsCode: true, calledApi },
    );
    assert.deepEqual(
      uses.map(({ permission, use, place }) => [permission, use.kind === 'seen' ? use.call : use.kind, place]),
      [
        ['alarms', 'alarms.create', undefined],
        ['history', 'maybe', 'worker.js:1'],
        ['management', 'maybe', 'worker.js:1'],
        ['tabs', 'maybe', 'worker.js:1'],
        ['storage', 'used', 'worker.js:1'],
      ],
    );
  });

  it('is unknown of what no code shows', async () => {
    for (const permission of ['background', 'unlimitedStorage', 'noSuchPermission'])
      assert.equal(await saidOf(permission, ''), 'maybe', permission);
  });
});

describe('the use of a host', () => {
  const HOST = 'https://*.api.test/*';

  it('is an address in the code', async () => {
    assert.equal(await saidOf(HOST, "\nfetch('https://v1.api.test/a');"), 'used worker.js:2');
    assert.equal(await saidOf(HOST, '\nfetch(`https://v1.api.test/${name}`);'), 'used worker.js:2');
  });

  it('may be behind an address that is made, and a call that needs one', async () => {
    for (const code of [
      'fetch(address);',
      'fetch(`https://api.${domain}/a`);',
      'new XMLHttpRequest();',
      'chrome.cookies.getAll({});',
    ])
      assert.match(await saidOf(HOST, code), /^maybe worker/, code);
  });

  it('is not found where all addresses are others, also not for content scripts', async () => {
    const content = { content_scripts: [{ matches: [HOST], js: ['worker.js'] }] };
    assert.equal(
      await saidOf(HOST, "fetch('https://other.test/a'); fetch('/b'); fetch(chrome.runtime.getURL('c'));", content),
      'none',
    );
  });

  it('may be what icons, files and rules of version 2 need', async () => {
    for (const host of ['chrome://favicon/', 'file:///*'])
      assert.match(await saidOf(host, 'image.src = address;'), /^maybe/);
    assert.match(await saidOf(HOST, 'const { RequestMatcher } = chrome.declarativeWebRequest;'), /^maybe worker/);
  });

  it('for all sites gives what the permissions for tabs give', async () => {
    const manifest = { permissions: ['tabs', 'activeTab'], host_permissions: ['<all_urls>'] };
    const uses = await usesIn(manifest, {
      'worker.js': 'chrome.tabs.onUpdated.addListener((id, { url }, tab) => go(tab.url));',
    });
    assert.deepEqual(
      uses.map(({ use }) => use.kind),
      ['covered', 'covered', 'used'],
    );
  });
});
