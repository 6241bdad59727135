// Covers: src/manifest/use, src/manifest/rules/storePermissions.ts
import assert from 'node:assert/strict';
import { checkCase } from '../checkManifest';

/** A small extension after the description of one that the Chrome Web Store has refused. */
interface Refusal {
  /** The thread in which its developers report the refusal. */
  thread: string;
  manifest: object;
  files: Record<string, string>;
  /** What is found: the permission, and the reason of the store. */
  expected: readonly (readonly [string, string])[];
}

const WORKER = { background: { service_worker: 'worker.js' } };
const SITE = 'https://chat.example.com/*';
const PURPLE = 'Purple Potassium';

const REFUSALS: readonly Refusal[] = [
  {
    thread: 'superduck-ai/superduck#117',
    manifest: {
      ...WORKER,
      permissions: ['tabs', 'storage', 'system.display', 'declarativeNetRequestWithHostAccess'],
    },
    files: {
      'worker.js': `chrome.tabs.onUpdated.addListener((id, change, tab) => {
        if (change.url) chrome.storage.local.set({ [id]: tab.title });
      });`,
    },
    expected: [
      ['system.display', PURPLE],
      ['declarativeNetRequestWithHostAccess', PURPLE],
    ],
  },
  {
    thread: 'vellum-ai/vellum-assistant#25107',
    manifest: {
      ...WORKER,
      permissions: ['debugger', 'identity', 'nativeMessaging', 'storage', 'scripting', 'cookies', 'activeTab'],
      host_permissions: ['<all_urls>'],
    },
    files: {
      'worker.js': `const port = chrome.runtime.connectNative('com.example.host');
        port.onMessage.addListener(async ({ tabId, method }) => {
          await chrome.debugger.attach({ tabId }, '1.3');
          await chrome.debugger.sendCommand({ tabId }, method);
          const token = await chrome.identity.getAuthToken({ interactive: true });
          await chrome.storage.local.set({ token });
          await fetch(port.name);
        });`,
    },
    expected: [
      ['scripting', PURPLE],
      ['cookies', PURPLE],
      ['activeTab', PURPLE],
    ],
  },
  {
    thread: 'doocs/cose#3',
    manifest: { ...WORKER, permissions: ['storage', 'tabs'] },
    files: {
      'worker.js': `chrome.runtime.onMessage.addListener(async ({ page, text }) => {
        const { id } = await chrome.tabs.create({ url: page });
        await chrome.tabs.sendMessage(id, { text });
      });`,
    },
    expected: [
      ['storage', PURPLE],
      ['tabs', PURPLE],
    ],
  },
  {
    thread: 'anoma/namada-interface#1064',
    manifest: { ...WORKER, permissions: ['storage', 'offscreen'] },
    files: {
      'worker.js': `import('./keys.js').then(({ keys }) => browser.storage.local.set({ keys }));`,
      'keys.js': 'export const keys = [];',
    },
    expected: [['offscreen', PURPLE]],
  },
  {
    thread: 'benjchan/Anchor#5',
    manifest: { permissions: ['activeTab'], content_scripts: [{ matches: [SITE], js: ['content.js'] }] },
    files: {
      'content.js': `document.querySelectorAll('h2').forEach((heading) => { heading.id ||= heading.textContent; });`,
    },
    expected: [['activeTab', PURPLE]],
  },
  {
    thread: 'jessejanderson/skylink#19',
    manifest: {
      permissions: ['tabs'],
      action: { default_popup: 'popup.html' },
      content_scripts: [{ matches: [SITE], js: ['content.js'] }],
    },
    files: {
      'popup.html': '<!doctype html><title>Popup</title><script src="popup.js"></script>',
      'popup.js': `chrome.tabs.query({ active: true, currentWindow: true }, function (tabs) {
        chrome.tabs.sendMessage(tabs[0].id, { kind: 'count' }, (count) => { document.title = count; });
      });`,
      'content.js': `chrome.runtime.onMessage.addListener((message, sender, reply) => reply(document.links.length));`,
    },
    expected: [['tabs', PURPLE]],
  },
  {
    thread: 'newfolder0/chrome-clacks#14',
    manifest: {
      ...WORKER,
      description:
        'Shows X-Clacks-Overhead: Terry Pratchett, Iain Banks, Ursula Le Guin, Douglas Adams, Isaac Asimov, Ray Bradbury, Philip Dick',
      permissions: ['webRequest', 'tabs'],
      host_permissions: ['<all_urls>'],
    },
    files: {
      'worker.js': `chrome.webRequest.onHeadersReceived.addListener(({ tabId, responseHeaders }) => {
        const found = responseHeaders.some(({ name }) => name.toLowerCase() === 'x-clacks-overhead');
        if (found) chrome.action.setBadgeText({ tabId, text: 'GNU' });
      }, { urls: ['<all_urls>'], types: ['main_frame'] }, ['responseHeaders']);`,
    },
    expected: [
      ['tabs', PURPLE],
      ['description', 'Yellow Argon'],
    ],
  },
  {
    thread: 'tracking-exposed/trex#586',
    manifest: { permissions: ['storage'], content_scripts: [{ matches: [SITE], js: ['content.js'] }] },
    files: { 'content.js': `localStorage.setItem('seen', String(Date.now()));` },
    expected: [['storage', PURPLE]],
  },
  {
    thread: 'open-sauced/ai#50',
    manifest: { permissions: ['activeTab', 'storage'], content_scripts: [{ matches: [SITE], js: ['content.js'] }] },
    files: {
      'content.js': `chrome.storage.sync.get('token').then(({ token }) => { document.body.dataset.signedIn = Boolean(token); });`,
    },
    expected: [['activeTab', PURPLE]],
  },
];

const COMPLETE = { description: 'An example.', icons: { 128: 'icon.png' } };

describe('the check for the store', () => {
  for (const { thread, manifest, files, expected } of REFUSALS) {
    it(`names what was refused, and the reason, in ${thread}`, async () => {
      const { findings } = await checkCase(
        { ...COMPLETE, ...manifest },
        { 'icon.png': 'x', ...files },
        { storeHints: true, readsCode: true },
      );
      const named = findings.map(({ message }) => {
        const [, what = message] = /"([\w.]+)"/.exec(message) ?? [];
        const [, reason = ''] = /\((Purple Potassium|Yellow Argon)\)/.exec(message) ?? [];
        return [what, reason];
      });
      assert.deepEqual(named.sort(), expected.map((one) => [...one]).sort());
      assert.ok(findings.every(({ severity }) => severity === 'hint'));
    });
  }

  it('says what looks like a use, and needs no permission', async () => {
    const refusal = REFUSALS.find(({ thread }) => thread.includes('trex'));
    const { findings } = await checkCase(refusal?.manifest ?? {}, refusal?.files, {
      storeHints: true,
      readsCode: true,
    });
    assert.ok(findings.some(({ message }) => message.includes('localStorage in content.js:1 needs no permission')));
  });
});
