// Covers: package.json, src/editor/browsers, src/editor/targets, src/editor/push
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { COMMANDS, VIEWS } from '../../src/ids';
import { releaseOfSuite } from '../machine/releases';
import { startServer, windowAddress, type Server } from '../machine/server';
import { ensureServerBuild } from '../machine/serverBuild';
import { ensureBrowser } from '../machine/browser';
import { ensureVsix } from '../machine/vsix';
import { eventually } from '../support/eventually';
import { CACHE } from '../support/paths';
import { WELCOME } from '../workbench/phrases';
import { createExpanded, deleteBrowser, openBrowsers } from '../workbench/pushing';
import { sharedWindow, type SharedWindow } from '../workbench/sharedWindow';
import { commandTitle, paletteTitle, submenuTitle, viewTitle } from '../workbench/titles';
import { Workbench } from '../workbench/workbench';

const BROWSER = 'ui-palette';
const EXTENSION = 'Sideload Sample';

/** Most entries of the palette with a folder, and without. */
const MOST_WITH_FOLDER = 45;
const MOST_WITHOUT_FOLDER = 12;

/** How long it may take until the state of a worker is known, in milliseconds. */
const WORKER_LIMIT_MS = 30_000;

/** Most entries of the menu of a row, without its submenus. */
const MOST_OF_ROW = 8;

describe('the command palette of a window with a folder and a browser', () => {
  let shared: SharedWindow;
  let close: () => Promise<void>;

  before(async function () {
    shared = await sharedWindow(this);
    const { witness } = await createExpanded(shared, BROWSER, EXTENSION);
    close = () => witness.close();
  });

  after(async function () {
    this.timeout(120_000);
    await close();
    await deleteBrowser(shared.workbench, BROWSER);
  });

  it(`has at most ${MOST_WITH_FOLDER} entries of Sideload`, async () => {
    const { workbench } = shared;
    const entries = await workbench.paletteEntries('Sideload: ');
    console.log(`    ${entries.length} entries`);
    await workbench.picture(join(CACHE, 'ui', 'palette-folder.png'));
    await workbench.quickInput.cancel();
    assert.ok(entries.length <= MOST_WITH_FOLDER, entries.join('\n'));
    for (const id of [COMMANDS.runExtension, COMMANDS.chooseBrowsers, COMMANDS.openScroll, COMMANDS.startConsole]) {
      assert.ok(entries.includes(paletteTitle(id)), `${id}\n${entries.join('\n')}`);
    }
    for (const id of [COMMANDS.scrollDown, COMMANDS.screenGo, COMMANDS.setTarget, COMMANDS.fireAlarm]) {
      assert.ok(!entries.includes(paletteTitle(id)), id);
    }
  });

  it('leaves to the menus of rows what is for a row, and each has what its extension has', async () => {
    const { workbench } = shared;
    const view = await openBrowsers(workbench);
    const browser = await view.menuOf(BROWSER);
    assert.ok(browser.length <= MOST_OF_ROW + 1, browser.join('\n'));
    const extension = await view.menuOf(EXTENSION);
    await workbench.picture(join(CACHE, 'ui', 'menu-extension.png'));
    for (const name of ['open', 'worker', 'state'] as const) assert.ok(extension.includes(submenuTitle(name)), name);
    assert.ok(extension.length <= MOST_OF_ROW + 3, extension.join('\n'));
    const open = await view.submenuOf(EXTENSION, submenuTitle('open'));
    assert.deepEqual(
      open,
      [COMMANDS.openPopup, COMMANDS.pressAction, COMMANDS.openPage].map((id) => commandTitle(id)),
    );
    // The state of the worker may come after the row.
    let worker: string[] = [];
    await eventually(
      () => `the submenu has ${worker.join()}`,
      async () => {
        worker = await view.submenuOf(EXTENSION, submenuTitle('worker'));
        return worker.join() === commandTitle(COMMANDS.stopWorker);
      },
      WORKER_LIMIT_MS,
    );
  });
}).timeout(120_000);

describe('the command palette of a window without a folder', () => {
  let server: Server | undefined;
  let workbench: Workbench;

  before(async function () {
    this.timeout(180_000);
    const report = (): void => undefined;
    const build = await ensureServerBuild(report, releaseOfSuite());
    server = await startServer(build, { name: 'ui-no-folder', vsix: await ensureVsix(), serviceEndMs: 0 });
    // Its sidebar is closed.
    const options = { browserPath: (await ensureBrowser(report)).path, wait: 'page' } as const;
    workbench = await Workbench.open(windowAddress(server, {}), options);
    await openBrowsers(workbench);
  });

  after(async function () {
    this.timeout(120_000);
    await workbench.close();
    await server?.stop();
  });

  it('has a list of browsers whose welcome text offers Open Folder, and no Run Extension', async () => {
    const view = workbench.view(viewTitle(VIEWS.browsers));
    await view.waitForWelcome(WELCOME.openFolder);
    assert.doesNotMatch(await view.welcome(), WELCOME.runExtension);
    await workbench.picture(join(CACHE, 'ui', 'welcome-no-folder.png'));
  });

  it(`has at most ${MOST_WITHOUT_FOLDER} entries of Sideload`, async () => {
    const entries = await workbench.paletteEntries('Sideload: ');
    console.log(`    ${entries.length} entries`);
    await workbench.picture(join(CACHE, 'ui', 'palette-no-folder.png'));
    assert.ok(entries.length <= MOST_WITHOUT_FOLDER, entries.join('\n'));
    assert.ok(entries.includes(paletteTitle(COMMANDS.createBrowser)), entries.join('\n'));
    assert.ok(!entries.includes(paletteTitle(COMMANDS.runExtension)), entries.join('\n'));
  });
}).timeout(120_000);
