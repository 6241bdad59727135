// Covers: src/editor/lists, src/editor/service
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { COMMANDS, VIEWS } from '../../src/ids';
import { CACHE } from '../support/paths';
import { MESSAGES, WELCOME } from '../workbench/phrases';
import { openRecords } from '../workbench/pushing';
import { renewedWindow, sharedWindow } from '../workbench/sharedWindow';
import { commandTitle, containerTitle, paletteTitle, viewTitle } from '../workbench/titles';
import type { Workbench } from '../workbench/workbench';

/** Width of a narrow sidebar, in pixels. */
const NARROW = 190;

describe('the sidebar of a new window', () => {
  let workbench: Workbench;

  before(async function () {
    await sharedWindow(this);
    // In another, a list may have been asked for.
    ({ workbench } = await renewedWindow());
    await workbench.openSidebar(containerTitle());
  });

  it('says which service is meant', async () => {
    await workbench.page.getByRole('button', { name: `${viewTitle(VIEWS.browsers)} - Local Section` }).waitFor();
  });

  it('has the list of browsers, and those of profiles and stored extensions only when they are asked for', async () => {
    await workbench.view(viewTitle(VIEWS.browsers)).open();
    for (const id of [VIEWS.profiles, VIEWS.extensions]) {
      assert.equal(await workbench.view(viewTitle(id)).isThere(), false, id);
    }
    await openRecords(workbench);
    for (const id of [VIEWS.profiles, VIEWS.extensions]) assert.ok(await workbench.view(viewTitle(id)).isThere(), id);
  });

  it('tells in the empty list of browsers how to create one', async () => {
    const view = workbench.view(viewTitle(VIEWS.browsers));
    await view.waitForWelcome(WELCOME.noBrowser);
    const words = await view.welcome();
    assert.match(words, WELCOME.createBrowser);
    assert.match(words, WELCOME.runExtension);
  });

  it('has no list of browsers to choose from while none runs: it says so, and offers to run the extension', async () => {
    await workbench.command(paletteTitle(COMMANDS.openScroll));
    const { message, buttons } = await workbench.notification(MESSAGES.noBrowserRuns);
    assert.deepEqual(buttons, [commandTitle(COMMANDS.runExtension), commandTitle(COMMANDS.createBrowser)], message);
    await workbench.picture(join(CACHE, 'ui', 'no-browser-runs.png'));
    await workbench.clearNotifications();
  });

  it('shows the words of a title beside its icons when it is narrow', async () => {
    const { page } = workbench;
    const sash = page.locator('.monaco-sash.vertical');
    const sidebar = page.locator('.part.sidebar');
    const edge = async (): Promise<number> => {
      const box = (await sidebar.boundingBox()) ?? assert.fail('there is no sidebar');
      return box.x + box.width;
    };
    const before = await edge();
    const drag = async (by: number): Promise<void> => {
      const at = await edge();
      await page.mouse.move(at, 600);
      await page.mouse.down();
      await page.mouse.move(at + by, 600, { steps: 5 });
      await page.mouse.up();
    };
    assert.ok((await sash.count()) > 0);
    await drag(NARROW - ((await sidebar.boundingBox())?.width ?? 0));
    const header = page.locator('.part.sidebar .pane-header', { hasText: viewTitle(VIEWS.browsers) }).first();
    await header.hover({ position: { x: 20, y: 10 } });
    await workbench.picture(join(CACHE, 'ui', 'narrow-title.png'));
    const widths = await header
      .locator('h3.title')
      .evaluate((title) => [Reflect.get(title, 'clientWidth'), Reflect.get(title, 'scrollWidth')].map(Number));
    const [shown = 0, needed = 0] = widths;
    assert.ok(shown >= needed, `${shown} of ${needed} pixels are shown`);
    await drag(before - (await edge()));
  });

  it('tells in the empty list of profiles what a profile is for', async () => {
    assert.match(await workbench.view(viewTitle(VIEWS.profiles)).welcome(), WELCOME.whatProfilesAreFor);
  });

  it('tells in the empty list of stored extensions what they are for', async () => {
    assert.match(await workbench.view(viewTitle(VIEWS.extensions)).welcome(), WELCOME.whatStoredExtensionsAreFor);
  });
}).timeout(120_000);
