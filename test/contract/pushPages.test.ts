import assert from 'node:assert/strict';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { WebSocketServer } from 'ws';
import { fieldOf } from '../../src/base/fields';
import { listExtensionPages } from '../../src/devtools/pages/tabs';
import { BrowserLink } from '../../src/devtools/connection/link';
import { startSite } from '../standins/site';
import { eventually } from '../support/eventually';
import { byUpload, type PushChanges } from './pushes';
import { PushStage } from './pushStage';
import { addressOf } from '../support/devToolsAddress';

/** How long pages may take to be back after a push, in milliseconds. */
const BACK_LIMIT_MS = 30_000;

/** Begins to open pages of the extension, once: alone in a window, between two other tabs, and in a window without tabs. */
const OPEN_PAGES = `(() => {
  const page = (name) => chrome.runtime.getURL('popup.html?page=' + name + '#part');
  self.opening ??= [
    chrome.windows.create({ url: page('alone') }),
    chrome.windows.create({ url: ['about:blank', page('between'), 'about:blank'] }),
    chrome.windows.create({ type: 'popup', url: page('popup'), width: 400, height: 300 }),
  ];
  return 'opening';
})()`;

/** Windows and their tabs in their order. The extension sees the addresses of its own pages only. */
const WINDOWS = `chrome.windows.getAll({ populate: true }).then((windows) => windows.map(({ id, type, tabs }) =>
  [id, type, ...tabs.map((tab) => tab.id + ' ' + (tab.url ?? '') + ' ' + tab.status)].join('\\n  ')).join('\\n'))`;

/** How long a page may take to run the new script after a push, in milliseconds. */
const OPENED_LIMIT_MS = 10_000;

/** How long a page is busy when it loads, in milliseconds: longer than a push waits for it. */
const BUSY_MS = 4000;

/** Keeps a page busy. */
const BUSY = `for (const end = Date.now() + ${BUSY_MS}; Date.now() < end; );`;

/** How long after it has loaded a page is busy that is so later, in milliseconds. */
const LOADED_MS = 300;

/** How long after a page was opened it is pushed, in milliseconds: while it loads, or just after that. */
const AFTER_OPENING_MS = [0, 50, 100, 200, 300, 400, 500];

describe('a push, with a page that was opened just now,', function () {
  this.timeout(120_000);
  const stage = PushStage.forSuite();

  /** Waits until a page has a title, as its content script sets it; `when` says what came before. */
  async function isTitled(targetId: string, title: string, when = '', limitMs = OPENED_LIMIT_MS): Promise<void> {
    let seen = '';
    const isNow = async (): Promise<boolean> => {
      const { targetInfo } = await stage().look((connection) => connection.send('Target.getTargetInfo', { targetId }));
      seen = targetInfo.title;
      return seen === title;
    };
    await eventually(() => `${when}it has "${seen}", not "${title}"`, isNow, limitMs);
  }

  it('has its new content script run there, however far the page has loaded', async () => {
    const at = stage();
    const site = await startSite();
    try {
      await at.editManifest({ content_scripts: [{ matches: ['http://127.0.0.1/*'], js: ['own.js'] }] });
      await at.write('own.js', "document.title = 'build 0';");
      await at.mustRun();
      for (const [index, afterMs] of AFTER_OPENING_MS.entries()) {
        const title = `build ${index + 1}`;
        const { targetId } = await at.look((connection) =>
          connection.send('Target.createTarget', { url: `${site.url}?${index}` }),
        );
        await delay(afterMs);
        await at.write('own.js', `document.title = '${title}';`);
        await at.mustRun();
        await isTitled(targetId, title, `opened ${afterMs} ms before, `);
        await at.look((connection) => connection.send('Target.closeTarget', { targetId }));
      }
    } finally {
      site.close();
    }
  });

  it('has the content script of its first build run in it, and the browser and its other pages go on', async () => {
    const at = stage();
    const site = await startSite();
    try {
      await at.editManifest({ content_scripts: [{ matches: ['http://127.0.0.1/*'], js: ['own.js'] }] });
      await at.write('own.js', "document.title = 'first';");
      await at.look(async (connection) => {
        const other = await connection.send('Target.createTarget', { url: 'data:text/html,<title>Other</title>' });
        const page = await connection.send('Target.createTarget', { url: site.url });
        await at.mustRun();
        await isTitled(page.targetId, 'first');
        // Over this connection, which a restart would have ended.
        assert.equal((await connection.send('Target.getTargetInfo', other)).targetInfo.title, 'Other');
        for (const { targetId } of [other, page]) await connection.send('Target.closeTarget', { targetId });
      });
    } finally {
      site.close();
    }
  });

  it('has its changed script of the main world run in it, which does not show whose it is', async () => {
    const at = stage();
    const site = await startSite();
    try {
      const run = { matches: ['http://127.0.0.1/*'], world: 'MAIN' };
      await at.editManifest({ content_scripts: [{ ...run, js: ['own.js'] }] });
      await at.write('own.js', "document.title = 'first';");
      await at.mustRun();
      const { targetId } = await at.look((connection) => connection.send('Target.createTarget', { url: site.url }));
      await isTitled(targetId, 'first');
      await at.write('own.js', "document.title = 'second';");
      await at.mustRun();
      await isTitled(targetId, 'second');
      await at.look((connection) => connection.send('Target.closeTarget', { targetId }));
    } finally {
      site.close();
    }
  });

  it('has its first content script run there when it answers, also when it was busy and had loaded', async () => {
    const at = stage();
    const site = await startSite(
      `<title>Site</title><script>addEventListener('load', () => setTimeout(() => { ${BUSY} }, ${LOADED_MS}));</script>`,
    );
    try {
      await at.editManifest({ content_scripts: [{ matches: ['http://127.0.0.1/*'], js: ['own.js'] }] });
      await at.write('own.js', "document.title = 'first';");
      const { targetId } = await at.look((connection) => connection.send('Target.createTarget', { url: site.url }));
      await isTitled(targetId, 'Site');
      await delay(2 * LOADED_MS);
      await at.mustRun();
      await isTitled(targetId, 'first', '', BUSY_MS + OPENED_LIMIT_MS);
      await at.look((connection) => connection.send('Target.closeTarget', { targetId }));
    } finally {
      site.close();
    }
  });

  it('has it reloaded when it answers, with a content script of before whose page has kept it busy', async () => {
    const at = stage();
    const site = await startSite(`<p>Busy</p><script>${BUSY}</script>`);
    const script = (title: string): Promise<void> =>
      at.write('own.js', `addEventListener('load', () => { document.title = '${title}'; });`);
    try {
      const run = { matches: ['http://127.0.0.1/*'], run_at: 'document_start' };
      await at.editManifest({ content_scripts: [{ ...run, js: ['own.js'] }] });
      await script('before');
      await at.mustRun();
      const { targetId } = await at.look((connection) => connection.send('Target.createTarget', { url: site.url }));
      await delay(500);
      await script('after');
      await at.mustRun();
      await isTitled(targetId, 'after', '', 2 * BUSY_MS + OPENED_LIMIT_MS);
      await at.look((connection) => connection.send('Target.closeTarget', { targetId }));
    } finally {
      site.close();
    }
  });
});

describe('a push, with pages of the extension open,', function () {
  this.timeout(60_000);
  const stage = PushStage.forSuite();

  /** Opens the pages and gives the windows once all is loaded. */
  async function openPages(at: PushStage, more: PushChanges = {}): Promise<string> {
    await at.mustRun(more);
    await at.ask(OPEN_PAGES);
    let windows = '';
    const areOpen = async (): Promise<boolean> => {
      windows = String(await at.ask(WINDOWS));
      return windows.split('#part complete').length === 4 && !windows.includes(' loading');
    };
    await eventually(() => `not opened:\n${windows}`, areOpen, BACK_LIMIT_MS);
    return windows;
  }

  /** Waits until the windows are again what they were. */
  async function areBack(at: PushStage, before: string): Promise<void> {
    let now = '';
    const isSame = async (): Promise<boolean> => (now = String(await at.ask(WINDOWS))) === before;
    await eventually(() => `not back:\n${before}\nbecame\n${now}`, isSame, BACK_LIMIT_MS);
  }

  it('leaves them in their windows, at their places and their addresses', async () => {
    const at = stage();
    const before = await openPages(at, byUpload);
    await at.write('background.js', 'globalThis.BUILD = 2;');
    assert.equal((await at.mustRun()).reload, 'reload');
    await areBack(at, before);
    await at.editManifest({ version: '1.0.1' });
    assert.equal((await at.mustRun()).reload, 'load');
    await areBack(at, before);
  });

  it('leaves them where they are when Chromium refuses the build', async () => {
    const at = stage();
    const before = await openPages(at);
    await at.editManifest({ minimum_chrome_version: '999' });
    assert.equal((await at.push()).kind, 'refusedByBrowser');
    await areBack(at, before);
  });

  it('asks nobody whether a page may be left that wants to be asked', async () => {
    const at = stage();
    const before = await openPages(at);
    const link = await BrowserLink.open(addressOf(at.browser));
    try {
      const [extension] = await at.loaded();
      for (const { targetId } of await listExtensionPages(link, extension?.id ?? '')) {
        const { sessionId } = await link.connection.send('Target.attachToTarget', { targetId, flatten: true });
        const expression = "addEventListener('beforeunload', (event) => event.preventDefault())";
        // Chromium asks only on a page that somebody has used.
        await link.connection.session(sessionId)?.send('Runtime.evaluate', { expression, userGesture: true });
      }
    } finally {
      link.close();
    }
    await at.write('background.js', 'globalThis.BUILD = 2;');
    await at.mustRun();
    await areBack(at, before);
  });
});

/** A script of a page as Plasmo's development server builds it: its data, and a connection to the server. */
const updatedScript = (port: number, build: number): string => `
const data = { "isContentScript": false, "isBackground": false, "isReact": true, "host": "localhost", "port": ${port} };
self.connection = new WebSocket('ws://localhost:' + data.port);
document.documentElement.dataset.build = '${build}';
`;

describe('a push of what a development server brings to its pages', function () {
  this.timeout(60_000);
  const stage = PushStage.forSuite();
  let server: WebSocketServer;

  beforeEach(async () => {
    server = new WebSocketServer({ port: 0, host: 'localhost' });
    await once(server, 'listening');
  });
  afterEach(() => {
    for (const socket of server.clients) socket.terminate();
    server.close();
  });

  const portOf = (): number => Number(fieldOf(server.address(), 'port'));

  /** Waits until the websocket of a page has a state. */
  async function isSocket(inPage: (expression: string) => Promise<unknown>, state: number): Promise<void> {
    const isThere = async (): Promise<boolean> => (await inPage('self.connection?.readyState')) === state;
    await eventually(`the page's websocket has the state ${state}`, isThere, BACK_LIMIT_MS);
  }

  /** Pushes a build, opens its page, and types a text there; resolves to what evaluates in that page. */
  async function openPage(at: PushStage): Promise<(expression: string) => Promise<unknown>> {
    await at.write('updated.html', '<!doctype html><input id="typed"><script src="updated.js"></script>');
    await at.write('updated.js', updatedScript(portOf(), 1));
    const { extensionId } = await at.mustRun();
    const url = `chrome-extension://${extensionId}/updated.html`;
    const { targetId } = await at.look((connection) => connection.send('Target.createTarget', { url }));
    const inPage = (expression: string): Promise<unknown> =>
      at.look(async (connection) => {
        const { sessionId } = await connection.send('Target.attachToTarget', { targetId, flatten: true });
        const session = connection.session(sessionId) ?? assert.fail('the page is gone');
        return (await session.send('Runtime.evaluate', { expression, returnByValue: true })).result.value as unknown;
      });
    await isSocket(inPage, 1);
    await inPage("typed.value = 'kept'");
    return inPage;
  }

  it('leaves those that are connected to it as they are', async () => {
    const at = stage();
    const inPage = await openPage(at);
    await at.write('updated.js', updatedScript(portOf(), 2));
    assert.equal((await at.mustRun()).reload, 'pages');
    await delay(500);
    assert.equal(await inPage('typed.value'), 'kept');
    assert.equal(await inPage('document.documentElement.dataset.build'), '1', 'the server would have updated it');
  });

  it('reloads one whose connection is lost, and all when something else has changed, too', async () => {
    const at = stage();
    const inPage = await openPage(at);
    const isBuild = (build: number) => async (): Promise<boolean> =>
      (await inPage('document.documentElement.dataset.build').catch(() => '')) === String(build);
    await at.write('updated.js', updatedScript(portOf(), 2));
    await at.write('updated.css', 'body {}');
    await at.mustRun();
    await eventually('the page runs build 2', isBuild(2), BACK_LIMIT_MS);
    await isSocket(inPage, 1);
    for (const socket of server.clients) socket.terminate();
    await isSocket(inPage, 3);
    await at.write('updated.js', updatedScript(portOf(), 3));
    await at.mustRun();
    await eventually('the page runs build 3', isBuild(3), BACK_LIMIT_MS);
  });
});
