// Covers: src/editor/inspect, src/devtools
import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type CommandId, COMMANDS } from '../../src/ids';
import { parseBaseUrl } from '../../src/service/serviceAddress';
import { ServiceClient } from '../../src/service/client';
import { silentLogger } from '../../src/service/logger';
import { Display } from '../standins/display';
import { eventually } from '../support/eventually';
import { readLocalService } from '../support/localService';
import { type Witness, witnessOf } from '../workbench/observer';
import { CACHE } from '../support/paths';
import { MESSAGES, QUICK_INPUT } from '../workbench/phrases';
import { askForName, pushByRow } from '../workbench/pushing';
import { releaseOfSuite } from '../machine/releases';
// Its hooks remove what the window has left.
import '../workbench/sharedWindow';
import { openWindow, type OpenWindow } from '../workbench/window';

const BROWSER = 'ui-headful';

/** Longest time to open a window, and to close it, in milliseconds. */
const OPEN_LIMIT_MS = 5 * 60_000;
const CLOSE_LIMIT_MS = 60_000;

/** Longest time for a browser to start, and for a surface to be open, in milliseconds. */
const START_LIMIT_MS = 60_000;
const SURFACE_LIMIT_MS = 30_000;

const PICTURES = join(CACHE, 'pictures', 'headful');

/** The sample's worker counts the presses of its action besides. */
const COUNTING = `
globalThis.presses = 0;
chrome.action.onClicked.addListener(() => { globalThis.presses += 1; });
`;

/** In the worker: which contexts of the extension are open, with their pages, none of one that is opening, and the numbers of their tabs. */
const CONTEXTS = `chrome.runtime.getContexts({ contextTypes: ['POPUP', 'SIDE_PANEL', 'TAB'] })
  .then((all) => all.map(({ contextType, documentUrl, tabId }) => \`\${contextType} \${String(documentUrl).split('/').pop()} \${tabId}\`))`;

/** The number that Chromium gives instead of that of a tab. */
const NO_TAB = -1;

describe('the surfaces of a pushed extension in a browser with a window', () => {
  let display: Display;
  let window: OpenWindow;
  let client: ServiceClient;
  let witness: Witness;
  let id: string;

  before(async function () {
    this.timeout(OPEN_LIMIT_MS);
    // Elsewhere there is no screen without a monitor.
    if (process.platform !== 'linux') this.skip();
    display = await Display.start();
    window = await openWindow('headful', releaseOfSuite(), { env: { DISPLAY: display.name } });
    await addSidePanel(window.folder);
  });

  after(async function () {
    this.timeout(CLOSE_LIMIT_MS);
    await witness?.close();
    await client?.close();
    await window?.workbench.close();
    await window?.server.stop();
    await display?.stop();
  });

  const run = (command: CommandId): Promise<void> => window.workbench.run(command);

  /** Waits until these are the open contexts, each its kind and its page, and none is in a tab. */
  async function untilOpen(...wanted: string[]): Promise<void> {
    let open: unknown;
    const expected = JSON.stringify(wanted.map((context) => `${context} ${NO_TAB}`).sort());
    const areOpen = async (): Promise<boolean> => {
      open = await witness.inWorker(id, CONTEXTS);
      return JSON.stringify(Array.isArray(open) ? open.sort() : open) === expected;
    };
    await eventually(() => `${expected} are open, but ${JSON.stringify(open)}`, areOpen, SURFACE_LIMIT_MS);
  }

  /** To be looked at: the screen of the machine, and what the service shows of the browser. */
  async function pictures(name: string): Promise<void> {
    await display.picture(join(PICTURES, `${name}-screen.png`));
    for await (const { id } of client.listBrowsers()) {
      await writeFile(join(PICTURES, `${name}-service.png`), await client.screenshot(id));
    }
  }

  it('which is created with options, run the pushed extension', async () => {
    const { workbench, server } = window;
    const { quickInput, page } = workbench;
    const view = await askForName(workbench);
    await quickInput.type(BROWSER);
    await page.getByRole('button', { name: QUICK_INPUT.options }).click();
    await quickInput.pick(QUICK_INPUT.window);
    await quickInput.pick(QUICK_INPUT.withWindow);
    await page.locator('.quick-input-list-entry', { hasText: QUICK_INPUT.chosenWindow }).waitFor();
    await quickInput.pick(QUICK_INPUT.startBrowser);
    const row = await view.waitForRow(BROWSER, START_LIMIT_MS);
    assert.match(await row.innerText(), new RegExp(QUICK_INPUT.withWindow));
    const push = await pushByRow(workbench, BROWSER);
    assert.ok(push.succeeded, push.status);
    await workbench.clearNotifications();
    const local = await readLocalService(server.userDir);
    assert.ok(local, 'no local service is running');
    client = new ServiceClient({ baseUrl: parseBaseUrl(local.baseUrl), token: local.token, log: silentLogger });
    witness = await witnessOf(local, BROWSER);
    const [sample] = await witness.extensions();
    id = sample?.id ?? assert.fail('the extension is not loaded');
    assert.ok((await display.titles()).some((title) => title.includes('Chromium')));
  });

  it('are in its window on this machine, so there is no other picture of it', async () => {
    await run(COMMANDS.screenWhole);
    await window.workbench.notification(MESSAGES.ownWindow(BROWSER));
    await window.workbench.clearNotifications();
  });

  it('are the popup, which is a page in no tab', async () => {
    await run(COMMANDS.openPopup);
    await untilOpen('POPUP popup.html');
    assert.deepEqual(await witness.typesAt('/popup.html'), ['page']);
    await pictures('popup');
  });

  it('are the side panel', async () => {
    await run(COMMANDS.openSidePanel);
    await untilOpen('SIDE_PANEL panel.html');
    assert.deepEqual(await witness.typesAt('/panel.html'), ['page']);
    await pictures('side-panel');
  });

  it('are the action, which is pressed as by a click', async () => {
    await run(COMMANDS.pressAction);
    await untilOpen('POPUP popup.html', 'SIDE_PANEL panel.html');
    await witness.inWorker(id, `chrome.action.setPopup({ popup: '' })`);
    assert.equal(await witness.workerGlobal(id, 'presses'), 0);
    await run(COMMANDS.pressAction);
    const isPressed = async (): Promise<boolean> => (await witness.workerGlobal(id, 'presses')) === 1;
    await eventually('the worker is told of the click', isPressed, SURFACE_LIMIT_MS);
  });
}).timeout(120_000);

/** Gives the sample a side panel, and a worker that counts the presses of its action. */
async function addSidePanel(folder: string): Promise<void> {
  const file = join(folder, 'manifest.json');
  const manifest: unknown = JSON.parse(await readFile(file, 'utf8'));
  assert(typeof manifest === 'object' && manifest);
  const more = { permissions: ['storage', 'sidePanel'], side_panel: { default_path: 'panel.html' } };
  await writeFile(file, JSON.stringify({ ...manifest, ...more }, undefined, 2));
  await writeFile(join(folder, 'panel.html'), '<!doctype html><title>Panel</title><h1>The side panel</h1>');
  await writeFile(join(folder, 'background.js'), COUNTING, { flag: 'a' });
  await mkdir(PICTURES, { recursive: true });
}
