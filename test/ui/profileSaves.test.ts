// Covers: src/editor/browsers, src/editor/targets, src/editor/lists, src/local/sessions, src/local/store
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { COMMANDS, VIEWS } from '../../src/ids';
import { startSite, type Site } from '../standins/site';
import { readLocalService, requestLocally, type LocalService } from '../support/localService';
import { CACHE } from '../support/paths';
import { witnessOf } from '../workbench/observer';
import { BUTTONS, DIALOGS, QUICK_INPUT, STATUS_BAR } from '../workbench/phrases';
import { openBrowsers, openRecords, whenStatus } from '../workbench/pushing';
import { sharedWindow, type SharedWindow } from '../workbench/sharedWindow';
import { commandTitle, paletteTitle, viewTitle } from '../workbench/titles';
import type { View } from '../workbench/view';
import type { Workbench } from '../workbench/workbench';

const PROFILE = 'shared-profile';

/** Longest time until a browser has started, in milliseconds. */
const START_LIMIT_MS = 60_000;

describe('a profile that browsers save to', () => {
  let shared: SharedWindow;
  let workbench: Workbench;
  let view: View;
  let site: Site;
  let profiles: View;

  before(async function () {
    shared = await sharedWindow(this);
    ({ workbench } = shared);
    view = await openBrowsers(workbench);
    site = await startSite();
    await openRecords(workbench);
    profiles = workbench.view(viewTitle(VIEWS.profiles));
    await profiles.open();
    await workbench.commandThatAsks(paletteTitle(COMMANDS.createProfile));
    await workbench.quickInput.answer(PROFILE);
    await profiles.waitForRow(PROFILE);
  });

  // After a failure, the browsers of one test would be in the way of the next ones.
  afterEach(async () => {
    const service = await localService();
    for (const name of ['qa', 'qb', 'reader', 'other']) {
      if (!(await view.row(name).isVisible())) continue;
      await requestLocally(service, 'DELETE', `browsers/${name}`);
      await view.row(name).waitFor({ state: 'detached' });
    }
  });

  after(async () => {
    site.close();
    await profiles.clickRowAction(PROFILE, commandTitle(COMMANDS.deleteProfile));
    await workbench.press(BUTTONS.delete);
    await profiles.row(PROFILE).waitFor({ state: 'detached' });
    await profiles.close();
  });

  /** Starts a browser with the profile; returns what the list proposed first. */
  async function start(name: string, choice: string): Promise<string | undefined> {
    const { quickInput } = workbench;
    await workbench.commandThatAsks(paletteTitle(COMMANDS.createBrowserWithOptions));
    await quickInput.pick('Name');
    await quickInput.answer(name);
    await quickInput.pick('Profile');
    await quickInput.pick(PROFILE);
    await workbench.page.locator('.quick-input-list-entry', { hasText: QUICK_INPUT.loadOnly }).waitFor();
    const [first] = await quickInput.entries();
    await workbench.picture(join(CACHE, 'ui', `profile-${name}.png`));
    await quickInput.pick(choice);
    await quickInput.pick(QUICK_INPUT.startBrowser);
    await view.waitForRow(name, START_LIMIT_MS);
    return first;
  }

  /** Runs an expression in the site's page of a browser. */
  async function inSite(name: string, expression: string): Promise<unknown> {
    const witness = await witnessOf(await localService(), name);
    try {
      if (!witness.pages().includes(site.url)) await witness.openPage(site.url);
      return await witness.inPage(site.url, expression);
    } finally {
      await witness.close();
    }
  }

  /** Deletes a browser; returns what the dialog said. */
  async function end(name: string): Promise<string> {
    await workbench.commandThatAsks(paletteTitle(COMMANDS.deleteBrowser));
    await workbench.quickInput.pick(name);
    await workbench.asked();
    const said = await workbench.page.locator('.monaco-dialog-box').innerText();
    await workbench.picture(join(CACHE, 'ui', `profile-end-${name}.png`));
    await workbench.press(BUTTONS.delete);
    await view.row(name).waitFor({ state: 'detached' });
    return said;
  }

  for (const [first, last] of [
    ['qa', 'qb'],
    ['qb', 'qa'],
  ] as const) {
    it(`holds what ${last} had when ${first} ends before it, as the dialogs say`, async () => {
      assert.match((await start('qa', QUICK_INPUT.loadAndSave)) ?? '', /^Load and Save/);
      await view.waitForRow(new RegExp(`qa.*saves to ${PROFILE}`));
      await profiles.waitForRow(/in use by qa \(saves to it\)/);
      assert.match((await start('qb', QUICK_INPUT.loadAndSave)) ?? '', /^Load Only/);
      for (const name of [first, last]) await inSite(name, `localStorage.who = '${name}'`);
      assert.match(await end(first), new RegExp(`saved to the profile ${PROFILE} now.*When ${last} ends`, 's'));
      const said = await end(last);
      assert.match(said, new RegExp(`saved to the profile ${PROFILE} now`));
      assert.doesNotMatch(said, /ends, which saves to the same profile/);
      await start('reader', QUICK_INPUT.loadOnly);
      await view.waitForRow(new RegExp(`reader.*profile ${PROFILE}`));
      assert.equal(await inSite('reader', 'localStorage.who'), last);
      await inSite('reader', `localStorage.who = 'reader'`);
      assert.match(await end('reader'), new RegExp(`The profile ${PROFILE} is not changed`));
    });
  }

  it('is not saved to without a question by a browser that is started again while another saves to it', async () => {
    await start('other', QUICK_INPUT.loadAndSave);
    await start('qa', QUICK_INPUT.loadAndSave);
    await workbench.press(BUTTONS.pushTo('qa'));
    // The push target ends by other means than the window's.
    await requestLocally(await localService(), 'DELETE', 'browsers/qa');
    await workbench.commandThatAsks(paletteTitle(COMMANDS.push));
    await workbench.quickInput.pick(BUTTONS.startAgain);
    assert.match(await workbench.asked(), DIALOGS.savesTo('other', PROFILE));
    await workbench.picture(join(CACHE, 'ui', 'profile-second-writer.png'));
    await workbench.press(BUTTONS.loadOnly);
    await whenStatus(workbench, STATUS_BAR.runningIn('qa'));
    await view.waitForRow(new RegExp(`qa.* profile ${PROFILE}`));
    assert.match(await end('qa'), new RegExp(`The profile ${PROFILE} is not changed`));
    await end('other');
  });

  async function localService(): Promise<LocalService> {
    return (await readLocalService(shared.server.userDir)) ?? assert.fail('no local service is running');
  }
}).timeout(240_000);
