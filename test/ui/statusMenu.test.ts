// Covers: src/editor/push/runCommands.ts, src/editor/push/statusBar.ts, src/editor/notify.ts, src/manifest/aspects.ts
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { COMMANDS } from '../../src/ids';
import { CACHE } from '../support/paths';
import { createBrowser, deleteBrowser, openBrowsers, pushByRow, pushItem } from '../workbench/pushing';
import { renewedWindow, sharedWindow, type SharedWindow } from '../workbench/sharedWindow';
import { commandTitle } from '../workbench/titles';

const BROWSER = 'ui-menu';

/** The groups of the menu that it always has: what pushes, what says where to and when, what is shown. */
const PUSH = [COMMANDS.push, COMMANDS.runExtension, COMMANDS.debugExtension].map(commandTitle);
const CHOICE = [commandTitle(COMMANDS.chooseBrowsers), commandTitle(COMMANDS.chooseFolder), 'Push on Save…'];
const SHOW = [commandTitle(COMMANDS.showContents), 'Show Browsers', commandTitle(COMMANDS.showLog)];

describe('the menu of the status bar', () => {
  let shared: SharedWindow;
  let file: string;
  let sample: string;

  before(async function () {
    await sharedWindow(this);
    // In another, an extension may have been pushed.
    shared = await renewedWindow();
    await openBrowsers(shared.workbench);
    file = join(shared.folder, 'manifest.json');
    sample = await readFile(file, 'utf8');
  });

  after(async function () {
    this.timeout(120_000);
    await writeFile(file, sample);
    await deleteBrowser(shared.workbench, BROWSER);
  });

  async function groups(picture: string): Promise<string[][]> {
    const { workbench } = shared;
    await pushItem(workbench).click();
    await workbench.quickInput.opened();
    const shown = await workbench.quickInput.groups();
    await workbench.picture(join(CACHE, 'ui', `${picture}.png`));
    await workbench.quickInput.cancel();
    return shown;
  }

  /** Pushes the sample with other keys in its manifest. */
  async function push(keys: Record<string, unknown>): Promise<void> {
    const manifest: unknown = JSON.parse(sample);
    await writeFile(file, JSON.stringify({ ...Object(manifest), ...keys }));
    const { succeeded, status } = await pushByRow(shared.workbench, BROWSER);
    assert.ok(succeeded, status);
    await shared.workbench.clearNotifications();
  }

  it('has three groups before anything was pushed, and nothing to open', async () => {
    assert.deepEqual(await groups('status-menu-first'), [PUSH, CHOICE, SHOW]);
  });

  it('has one more after a push: what the manifest of the pushed extension has', async () => {
    await createBrowser(shared.workbench, BROWSER);
    await push({});
    const open = [COMMANDS.openPopup, COMMANDS.pressAction, COMMANDS.openPage].map(commandTitle);
    assert.deepEqual(await groups('status-menu'), [PUSH, CHOICE, open, SHOW]);
  });

  it('follows the manifest of the next push', async () => {
    await writeFile(join(shared.folder, 'options.html'), '<!doctype html><title>Options</title>');
    await push({
      action: {},
      options_ui: { page: 'options.html' },
      permissions: ['storage', 'sidePanel'],
      side_panel: { default_path: 'options.html' },
    });
    const all = [COMMANDS.pressAction, COMMANDS.openOptions, COMMANDS.openSidePanel, COMMANDS.openPage];
    assert.deepEqual((await groups('status-menu-options'))[2], all.map(commandTitle));
    await push({ action: undefined });
    assert.deepEqual((await groups('status-menu-none'))[2], [commandTitle(COMMANDS.openPage)]);
  });

  it('opens what is picked', async () => {
    const { workbench } = shared;
    await pushItem(workbench).click();
    await workbench.quickInput.pick('Push on Save…');
    await workbench.quickInput.pick('Off');
    await workbench.quickInput.closed();
  });
}).timeout(120_000);
