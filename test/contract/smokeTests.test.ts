import assert from 'node:assert/strict';
import type { BrowserConnections } from '../../src/devtools/connection/browserConnections';
import { attach } from '../../src/devtools/protocol/attach';
import { evaluate } from '../../src/devtools/protocol/evaluate';
import { openStandIn } from '../../src/devtools/pages/standInPage';
import { isObject } from '../../src/base/fields';
import { silentLogger } from '../../src/service/logger';
import { eventually } from '../support/eventually';
import { HeadlessWindow } from '../../src/programs/headless/headlessWindow';
import { runSmokeTests } from '../../src/programs/headless/smokeTests';
import type { SmokeResult } from '../../src/programs/headless/smokeNames';
import { PushStage } from './pushStage';
import { ToolStage } from './toolStage';

/** Stores in which order a worker was started and got its first event of a tab. */
const STORE = `const note = (text) => chrome.storage.session.get({ notes: [] }).then(({ notes }) => chrome.storage.session.set({ notes: [...notes, text] }));
let writing = note('start');`;

/** Without parts that later tests would open, which may run before the answer. */
const MANIFEST = JSON.stringify({
  manifest_version: 3,
  name: 'Idle',
  version: '1',
  permissions: ['storage'],
  background: { service_worker: 'background.js' },
});

/** A window that uses its browser only after something else, once there is that. */
class LateWindow extends HeadlessWindow {
  after: Promise<unknown> = Promise.resolve();

  override async connections(): Promise<BrowserConnections> {
    await this.after;
    return await super.connections();
  }
}

describe('the smoke test of an idle stop', function () {
  this.timeout(60_000);
  const stage = PushStage.forSuite();

  /** Runs the tests until that one has ended. */
  async function run(worker: string): Promise<{ result: SmokeResult | undefined; notes: unknown }> {
    const at = stage();
    await at.write('manifest.json', MANIFEST);
    await at.write('background.js', worker);
    const tools = new ToolStage(at);
    const enough = new AbortController();
    const target = { folder: at.folder, root: at.folder, browser: at.browser };
    const { results } = await runSmokeTests(tools.window, target, enough.signal, ({ id }) => {
      if (id === 'wakes') enough.abort();
    });
    const notes = await at.ask('writing.then(() => chrome.storage.session.get("notes")).then(({ notes }) => notes)');
    tools.dispose();
    return { result: results.find(({ id }) => id === 'wakes'), notes };
  }

  it('starts the worker by an event of a tab, when it listens to one', async () => {
    const { result, notes } = await run(`${STORE}
chrome.tabs.onRemoved.addListener(() => { writing = writing.then(() => note('event')); });`);
    assert.deepEqual([result?.state, result?.message], ['passed', 'Started by chrome.tabs.onRemoved.']);
    assert.deepEqual(notes, ['start', 'start', 'event']);
  });

  it('starts it over DevTools, and says so, when it listens to messages alone, which a tab does not cause', async () => {
    const { result, notes } = await run(`${STORE}\nchrome.runtime.onMessage.addListener(() => note('message'));`);
    assert.equal(result?.state, 'passed');
    assert.match(result.message, /^Started over DevTools: it listens to no event that /);
    assert.deepEqual(notes, ['start', 'start']);
  });

  it('is outdated, and no failure, when another build was pushed while the tests ran', async () => {
    const at = stage();
    await at.write('manifest.json', MANIFEST);
    await at.write('background.js', 'globalThis.build = 1;');
    const window = new LateWindow({
      roots: [at.folder],
      isLocal: true,
      connect: () => Promise.resolve(at.client),
      log: silentLogger,
    });
    const other = new ToolStage(at);
    const enough = new AbortController();
    const pushAnother = async (): Promise<void> => {
      // Its worker, which the test is about, is no longer there.
      await at.write('manifest.json', JSON.stringify({ manifest_version: 3, name: 'Idle', version: '2' }));
      const { outcome } = await other.window.push(at.folder, at.browser, { mustReload: false });
      assert.equal(outcome.kind, 'running');
    };
    const target = { folder: at.folder, root: at.folder, browser: at.browser };
    const { results } = await runSmokeTests(window, target, enough.signal, ({ id }) => {
      if (id === 'alone') window.after = pushAnother();
      if (id === 'wakes') enough.abort();
    });
    await window.after;
    const result = results.find(({ id }) => id === 'wakes');
    other.dispose();
    (await window.connections()).dispose();
    assert.equal(result?.state, 'outdated', result?.message);
    assert.match(result.message, /^Another build was pushed to this browser while the tests ran/);
  });
});

describe('what an extension calls while smoke tests run', function () {
  this.timeout(90_000);
  const stage = PushStage.forSuite();

  /** Names that reading the code does not show. */
  const FILES = {
    'manifest.json': JSON.stringify({
      manifest_version: 3,
      name: 'Calling',
      version: '1',
      permissions: [
        ...['alarms', 'bookmarks', 'declarativeContent', 'history', 'proxy', 'scripting', 'sidePanel', 'storage'],
        ...['userScripts', 'webNavigation', 'webRequest', 'management', 'contextMenus'],
      ],
      host_permissions: ['https://a.example/*'],
      background: { service_worker: 'background.js' },
      action: { default_popup: 'popup.html' },
      side_panel: { default_path: 'popup.html' },
      content_scripts: [{ matches: ['https://a.example/*'], js: ['content.js'] }],
    }),
    'background.js': `const of = (name) => chrome[name + 's'] ?? chrome[name];
of('bookmark').getTree();
of('webNavigation').onCompleted.addListener(() => undefined);
of('webRequest').onCompleted.addListener(() => undefined, { urls: ['https://a.example/*'] });
of('proxy').settings.get({});
of('declarativeContent').onPageChanged.removeRules();
chrome.runtime.onMessage.addListener(() => { of('contextMenu').removeAll(); });
`,
    'popup.html': '<!doctype html><script src="popup.js"></script>',
    'popup.js': `chrome['alarm' + 's'].create('a', { delayInMinutes: 60 });`,
    'content.js': `function area() { return 'stor' + 'age'; }
chrome[area()].local.get();
chrome.runtime.sendMessage('seen');`,
  };

  it('is noted from the first statement of its worker, pages and content scripts on, also after the idle stop', async () => {
    const at = stage();
    for (const [name, text] of Object.entries(FILES)) await at.write(name, text);
    const tools = new ToolStage(at);
    const target = { folder: at.folder, root: at.folder, browser: at.browser, notesCalls: true };
    const { results, calls } = await runSmokeTests(tools.window, target, new AbortController().signal);
    tools.dispose();
    assert.deepEqual(
      results.filter(({ state }) => state === 'failed'),
      [],
    );
    const namespaces = new Set(calls?.map((call) => call.split('.', 1)[0]));
    const expected = ['alarms', 'bookmarks', 'contextMenus', 'declarativeContent', 'proxy'];
    for (const name of [...expected, 'storage', 'webNavigation', 'webRequest']) assert.ok(namespaces.has(name), name);
    for (const name of ['scripting', 'sidePanel', 'userScripts', 'history', 'management'])
      assert.ok(!namespaces.has(name), name);
  });

  it('needs no permission in the world of a page, where scripts have messages to extensions alone', async () => {
    const at = stage();
    const address = 'https://a.example/';
    const script = { matches: [`${address}*`], js: ['main.js'], world: 'MAIN' };
    const manifest: unknown = JSON.parse(FILES['manifest.json']);
    assert.ok(isObject(manifest));
    const more = { content_scripts: [script], externally_connectable: { matches: script.matches } };
    await at.write('manifest.json', JSON.stringify({ ...manifest, ...more }));
    for (const name of ['background.js', 'popup.html', 'popup.js'] as const) await at.write(name, FILES[name]);
    await at.write(
      'main.js',
      `const functions = Object.entries(chrome.runtime).filter(([, one]) => typeof one === 'function');
document.documentElement.dataset.api = JSON.stringify([Object.keys(chrome), functions.map(([name]) => name).sort()]);`,
    );
    await at.mustRun();
    const shown = await at.look(async (connection) => {
      const page = await openStandIn(connection, address);
      const session = await attach(connection, page.targetId);
      assert.ok(session);
      let api: unknown;
      await eventually(
        'the script in the world of the page has run',
        async () => {
          api = await evaluate(session, 'document.documentElement?.dataset.api');
          return api !== undefined;
        },
        5000,
      );
      await page.close();
      return api;
    });
    const [namespaces, functions] = JSON.parse(String(shown)) as [string[], string[]];
    assert.deepEqual(functions, ['connect', 'sendMessage']);
    for (const name of ['storage', 'i18n', 'extension', 'dom', 'tabs', 'scripting'])
      assert.ok(!namespaces.includes(name), name);
  });
});

/** Runs all smoke tests in a window of their own; resolves to the result of this one. */
async function smokeTest(at: PushStage, id: SmokeResult['id']): Promise<SmokeResult | undefined> {
  const tools = new ToolStage(at);
  const target = { folder: at.folder, root: at.folder, browser: at.browser };
  const { results } = await runSmokeTests(tools.window, target, new AbortController().signal);
  tools.dispose();
  return results.find((result) => result.id === id);
}

describe('the smoke test of content scripts', function () {
  this.timeout(60_000);
  const stage = PushStage.forSuite();

  it('sees an error that comes after they have run', async () => {
    const at = stage();
    const manifest = {
      manifest_version: 3,
      name: 'Late',
      version: '1',
      content_scripts: [{ matches: ['https://a.example/*'], js: ['content.js'] }],
    };
    await at.write('manifest.json', JSON.stringify(manifest));
    await at.write('content.js', 'setTimeout(() => { throw new Error("late"); }, 400);');
    const result = await smokeTest(at, 'content');
    assert.equal(result?.state, 'failed', result?.message);
    assert.match(result.message, /content\.js:1:\d+ error in .*late/);
  });
});

describe('the smoke test of an options page', function () {
  this.timeout(60_000);
  const stage = PushStage.forSuite();

  it('loads one that is open already again, whose error it would miss', async () => {
    const at = stage();
    const manifest = {
      manifest_version: 3,
      name: 'Opened',
      version: '1',
      options_ui: { page: 'o.html', open_in_tab: true },
    };
    await at.write('manifest.json', JSON.stringify(manifest));
    await at.write('o.html', '<script src="o.js"></script>');
    await at.write('o.js', 'document.title = "options";');
    assert.equal((await smokeTest(at, 'options'))?.state, 'passed');
    await at.write('o.js', 'throw new Error("early");');
    const result = await smokeTest(at, 'options');
    assert.equal(result?.state, 'failed', result?.message);
    assert.match(result.message, /o\.js:1:\d+ error in .*early/);
  });
});
