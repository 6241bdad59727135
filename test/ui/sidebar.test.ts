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

  it('tells in the empty list of profiles what a profile is for', async () => {
    assert.match(await workbench.view(viewTitle(VIEWS.profiles)).welcome(), WELCOME.whatProfilesAreFor);
  });

  it('tells in the empty list of stored extensions what they are for', async () => {
    assert.match(await workbench.view(viewTitle(VIEWS.extensions)).welcome(), WELCOME.whatStoredExtensionsAreFor);
  });
}).timeout(120_000);
