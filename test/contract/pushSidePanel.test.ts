import assert from 'node:assert/strict';
import { evaluate } from '../../src/devtools/protocol/evaluate';
import { HeldPage } from '../../src/devtools/pages/tabs';
import { silentLogger } from '../../src/service/logger';
import { eventually } from '../support/eventually';
import { byUpload, newEngine, type PushChanges } from './pushes';
import { PushStage } from './pushStage';

/** How long the browser may take to show a panel, in milliseconds. */
const SOON_MS = 30_000;

/** The side panels of each window, and the script that each has run. */
const PANELS = `chrome.windows.getAll().then((windows) => {
  const others = [...chrome.extension.getViews({ type: 'tab' }), ...chrome.extension.getViews({ type: 'popup' })];
  const panels = windows.flatMap(({ id }) => chrome.extension.getViews({ windowId: id })
    .filter((view) => !others.includes(view))
    .map((view) => [id, view.location.pathname + view.location.search + view.location.hash, view.PANEL].join(' ')));
  return panels.join();
})`;

/** The tab in front of the window in front. */
const FRONT = `chrome.tabs.query({ active: true, lastFocusedWindow: true }).then(([{ id, windowId }]) => windowId + ' ' + id)`;

describe('a push, with a side panel of the extension', function () {
  this.timeout(60_000);
  const stage = PushStage.forSuite();

  /** Pushes a build with a side panel. */
  async function pushFirst(at: PushStage, sidePanel?: { default_path: string }, more: PushChanges = {}): Promise<void> {
    await writePanel(at, 1);
    await at.editManifest({ permissions: ['sidePanel'], ...(sidePanel && { side_panel: sidePanel }) });
    await at.mustRun(more);
  }

  async function writePanel(at: PushStage, build: number): Promise<void> {
    const page = '<!doctype html><title>Panel</title><script src="panel.js"></script>';
    await Promise.all(['panel.html', 'other.html'].map((name) => at.write(name, page)));
    await at.write('panel.js', `self.PANEL = ${build};`);
    await at.write('background.js', `globalThis.BUILD = ${build};`);
  }

  /** The value of an expression in a hidden page of the extension, after a click there. */
  async function ask(at: PushStage, expression: string): Promise<string> {
    const [extension] = await at.loaded();
    return await at.look(async (connection) => {
      const url = `chrome-extension://${extension?.id ?? ''}/manifest.json`;
      const { targetId } = await connection.send('Target.createTarget', { url, hidden: true });
      const { session } = await HeldPage.hold(connection, { targetId, url });
      const isThere = async (): Promise<boolean> =>
        (await evaluate(session, 'location.href + document.readyState').catch(() => '')) === `${url}complete`;
      await eventually('the page of the extension is there', isThere, SOON_MS);
      try {
        return String(await evaluate(session, expression, { userGesture: true }));
      } finally {
        await connection.send('Target.closeTarget', { targetId });
      }
    });
  }

  async function shows(at: PushStage, expected: string): Promise<void> {
    let panels = '';
    const isSame = async (): Promise<boolean> => (panels = await ask(at, PANELS)) === expected;
    await eventually(() => `"${panels}" instead of "${expected}"`, isSame, SOON_MS);
  }

  /** The window and tab in front. */
  async function front(at: PushStage): Promise<[windowId: number, tabId: number]> {
    const [windowId, tabId] = (await ask(at, FRONT)).split(' ').map(Number);
    return [windowId ?? 0, tabId ?? 0];
  }

  async function open(at: PushStage, where: Record<string, number>, shown: string): Promise<void> {
    await ask(at, `chrome.sidePanel.open(${JSON.stringify(where)})`);
    await shows(at, shown);
  }

  /** Has the panel show another address. */
  async function go(at: PushStage, windowId: number, address: string): Promise<void> {
    const others = "chrome.extension.getViews({ type: 'tab' })";
    const panel = `chrome.extension.getViews({ windowId: ${windowId} }).find((view) => !${others}.includes(view))`;
    await ask(at, `${panel}.location.href = ${JSON.stringify(address)}; 0`);
    await shows(at, `${windowId} /${address} 1`);
  }

  it('opens it again in its window, with its hash, and leaves the focus where it is', async () => {
    const at = stage();
    await pushFirst(at, { default_path: 'panel.html' }, byUpload);
    const [windowId] = await front(at);
    await open(at, { windowId }, `${windowId} /panel.html 1`);
    await go(at, windowId, 'panel.html#part');
    const page = 'data:text/html,<title>typing</title><input autofocus>';
    const create = `chrome.windows.create({ url: ${JSON.stringify(page)}, focused: true }).then(({ id }) => id)`;
    const inFront = Number(await ask(at, create));
    const isTyping = (): Promise<boolean> =>
      at.look(async (connection) => {
        const { targetInfos } = await connection.send('Target.getTargets', { filter: [{ type: 'page' }] });
        const target = targetInfos.find(({ title }) => title === 'typing');
        if (!target) return false;
        const { session } = await HeldPage.hold(connection, target);
        return (await evaluate(session, 'document.hasFocus() && document.activeElement.localName')) === 'input';
      });
    await eventually('the user types in the other window', isTyping, SOON_MS);
    await writePanel(at, 2);
    assert.equal((await at.mustRun()).reload, 'reload');
    await shows(at, `${windowId} /panel.html#part 2`);
    assert.equal((await front(at))[0], inFront);
    assert(await isTyping());
    await ask(at, `chrome.sidePanel.open({ windowId: ${inFront} })`);
    await shows(at, [`${windowId} /panel.html#part 2`, `${inFront} /panel.html 2`].join());
    await writePanel(at, 3);
    await at.editManifest({ version: '1.0.1' });
    assert.equal((await at.mustRun()).reload, 'load');
    await shows(at, [`${windowId} /panel.html#part 3`, `${inFront} /panel.html 3`].join());
    assert.equal((await front(at))[0], inFront);
  });

  it('gives the focus back to the page that the panel takes it from', async () => {
    const at = stage();
    await pushFirst(at, { default_path: 'panel.html' });
    const [windowId] = await front(at);
    await open(at, { windowId }, `${windowId} /panel.html 1`);
    const pretend = '<script>Document.prototype.hasFocus = () => true</script>';
    await ask(at, `chrome.tabs.create({ url: ${JSON.stringify(`data:text/html,${pretend}`)}, active: false })`);
    const hasFocus = (act: string): Promise<unknown> =>
      at.look(async (connection) => {
        const { targetInfos } = await connection.send('Target.getTargets', { filter: [{ type: 'page' }] });
        const target = targetInfos.find(({ url }) => url === 'about:blank') ?? assert.fail('there is no page');
        const { session } = await HeldPage.hold(connection, target);
        if (act === 'focus') await session.send('Page.bringToFront');
        return await evaluate(session, 'document.hasFocus()');
      });
    assert.equal(await hasFocus('look'), false);
    await eventually('the page has the focus', async () => (await hasFocus('focus')) === true, SOON_MS);
    await writePanel(at, 2);
    await at.mustRun();
    await shows(at, `${windowId} /panel.html 2`);
    await eventually('the page has the focus again', async () => (await hasFocus('look')) === true, SOON_MS);
  });

  it('leaves a closed one closed', async () => {
    const at = stage();
    await pushFirst(at, { default_path: 'panel.html' });
    await writePanel(at, 2);
    await at.mustRun();
    const [windowId] = await front(at);
    await open(at, { windowId }, `${windowId} /panel.html 2`);
    await ask(at, 'chrome.sidePanel.setOptions({ enabled: false })');
    await shows(at, '');
    await ask(at, 'chrome.sidePanel.setOptions({ enabled: true })');
    await writePanel(at, 3);
    await at.mustRun();
    assert.equal(await ask(at, PANELS), '');
  });

  it('opens one whose path was set at run time, for all tabs or for one', async () => {
    const at = stage();
    await pushFirst(at);
    const [windowId, tabId] = await front(at);
    await ask(at, "chrome.sidePanel.setOptions({ path: 'panel.html?all' })");
    await open(at, { windowId }, `${windowId} /panel.html?all 1`);
    await writePanel(at, 2);
    await at.mustRun();
    await shows(at, `${windowId} /panel.html?all 2`);
    await ask(at, 'chrome.sidePanel.setOptions({ enabled: false })');
    await shows(at, '');
    await ask(at, `chrome.sidePanel.setOptions({ tabId: ${tabId}, path: 'other.html', enabled: true })`);
    await open(at, { tabId }, `${windowId} /other.html 2`);
    await writePanel(at, 3);
    await at.mustRun();
    await shows(at, `${windowId} /other.html 3`);
    assert.equal(
      await ask(at, `chrome.sidePanel.getOptions({ tabId: ${tabId} }).then(({ tabId }) => tabId)`),
      String(tabId),
    );
  });

  it('leaves that of a tab behind the one in front', async () => {
    const at = stage();
    await pushFirst(at);
    const [windowId, tabId] = await front(at);
    await ask(at, `chrome.sidePanel.setOptions({ tabId: ${tabId}, path: 'panel.html', enabled: true })`);
    await open(at, { tabId }, `${windowId} /panel.html 1`);
    await ask(at, `chrome.tabs.create({ windowId: ${windowId} }).then(() => '')`);
    await writePanel(at, 2);
    await at.mustRun();
    assert.equal(await ask(at, PANELS), '');
  });

  it('shows the path that the new build names', async () => {
    const at = stage();
    await pushFirst(at, { default_path: 'panel.html' });
    const [windowId] = await front(at);
    await open(at, { windowId }, `${windowId} /panel.html 1`);
    await at.editManifest({ side_panel: { default_path: 'other.html' } });
    await at.mustRun();
    await shows(at, `${windowId} /other.html 1`);
    await at.write('background.js', "chrome.sidePanel.setOptions({ path: 'panel.html#worker' });");
    await at.mustRun();
    await shows(at, `${windowId} /panel.html#worker 1`);
  });

  it('finds it open when it follows another at once', async () => {
    const at = stage();
    await pushFirst(at, { default_path: 'panel.html' });
    const [windowId] = await front(at);
    await open(at, { windowId }, `${windowId} /panel.html 1`);
    for (const build of [2, 3, 4, 5]) {
      await writePanel(at, build);
      await at.mustRun();
    }
    await shows(at, `${windowId} /panel.html 5`);
  });

  it('leaves it when Chromium refuses the build', async () => {
    const at = stage();
    await pushFirst(at, { default_path: 'panel.html' });
    const [windowId] = await front(at);
    await open(at, { windowId }, `${windowId} /panel.html 1`);
    await go(at, windowId, 'other.html');
    await at.editManifest({ minimum_chrome_version: '999' });
    assert.equal((await at.push()).kind, 'refusedByBrowser');
    await shows(at, `${windowId} /other.html 1`);
  });

  it('says that it is not open again where the new build has none', async () => {
    const at = stage();
    const warnings: string[] = [];
    at.engine.dispose();
    at.engine = newEngine({ ...silentLogger, warn: (text) => warnings.push(text) });
    await pushFirst(at, { default_path: 'panel.html' });
    const [windowId] = await front(at);
    await open(at, { windowId }, `${windowId} /panel.html 1`);
    await at.write('background.js', 'chrome.sidePanel.setOptions({ enabled: false });');
    await at.mustRun();
    await eventually('a warning is logged', () => warnings.length > 0, SOON_MS);
    assert.deepEqual(warnings, [
      `A side panel of the extension is not open again: No active side panel for windowId: ${windowId}`,
    ]);
    assert.equal(await ask(at, PANELS), '');
  });
});
