// Covers: src/editor/walkthrough.ts, src/editor/push, src/editor/screen, package.json, package.nls.json
import { join } from 'node:path';
import assert from 'node:assert/strict';
import { COMMANDS } from '../../src/ids';
import { releaseOfSuite } from '../machine/releases';
import { CACHE } from '../support/paths';
import { STATUS_BAR } from '../workbench/phrases';
import { createPushed, makeRoom, whenStatus } from '../workbench/pushing';
import { paletteTitle } from '../workbench/titles';
import { closeWindow, openWindow, type OpenWindow } from '../workbench/window';

/** Longest time to open a window, in milliseconds. */
const OPEN_LIMIT_MS = 180_000;

/** How many steps it has. */
const STEPS = 4;

describe('the walkthrough of a window in which all of it was done before', () => {
  let opened: OpenWindow;

  before(async function () {
    this.timeout(OPEN_LIMIT_MS);
    opened = await openWindow('ui-walkthrough', releaseOfSuite());
    const { workbench } = opened;
    const [witness] = await createPushed(opened, 'ui-walkthrough');
    await witness.close();
    await workbench.command(paletteTitle(COMMANDS.togglePushOnSave));
    await whenStatus(workbench, STATUS_BAR.pushOnSaveIsOn);
    await workbench.editors.open('manifest.json');
    const { page } = workbench;
    // Which VS Code's own check of JSON accepts.
    await workbench.editors.replaceAll('{ "manifest_version": 3, "name": "Mistaken", "version": "1.x" }');
    await page.locator('.squiggly-error').first().waitFor();
    await page.keyboard.press('Control+z');
    await page.locator('.squiggly-error').first().waitFor({ state: 'detached' });
    await workbench.command(paletteTitle(COMMANDS.openScroll));
    await page.locator('iframe.webview.ready').waitFor();
    await makeRoom(workbench);
  });

  after(async function () {
    this.timeout(OPEN_LIMIT_MS);
    await closeWindow(opened);
  });

  it('has all of its steps ticked, though the file and the screen are closed again', async () => {
    const { workbench } = opened;
    await workbench.commandThatAsks('Welcome: Open Walkthrough...');
    await workbench.quickInput.answer('Run Your Browser Extension');
    const ticked = workbench.page.locator('.getting-started-step [role="checkbox"][aria-checked="true"]');
    try {
      await ticked.nth(STEPS - 1).waitFor({ timeout: 20_000 });
    } finally {
      await workbench.picture(join(CACHE, 'ui', 'walkthrough-before.png'));
    }
    assert.equal(await ticked.count(), STEPS);
  });

  it('says of its last step that a browser can be used, not only scrolled', async () => {
    await opened.workbench.page
      .locator('.getting-started-step')
      .getByText('See and use the browser', { exact: true })
      .waitFor({ timeout: 10_000 });
  });
}).timeout(60_000);
