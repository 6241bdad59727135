// Covers: src/editor/browsers, src/editor/targets, src/editor/lists, src/service
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { COMMANDS, VIEWS } from '../../src/ids';
import { CACHE } from '../support/paths';
import { BUTTONS, MESSAGES, QUICK_INPUT, ROW_TEXTS } from '../workbench/phrases';
import { openRecords } from '../workbench/pushing';
import { sharedWindow, type SharedWindow } from '../workbench/sharedWindow';
import { commandTitle, viewTitle } from '../workbench/titles';
import type { View } from '../workbench/view';

const PROFILE = 'ui-used';
const BROWSER = 'ui-keeper';

describe('stored extensions and profiles of the sidebar', () => {
  let shared: SharedWindow;
  let stored: View;

  before(async function () {
    shared = await sharedWindow(this);
    await openRecords(shared.workbench);
    stored = shared.workbench.view(viewTitle(VIEWS.extensions));
    await stored.open();
  });

  it('store the open extension under its name', async () => {
    const { workbench } = shared;
    await stored.clickAction(commandTitle(COMMANDS.storeExtension));
    await workbench.quickInput.opened();
    await workbench.quickInput.accept();
    await workbench.notification(MESSAGES.isStored('sideload-sample'));
    await stored.waitForRow('sideload-sample');
    const rows = await stored.rows();
    assert.equal(rows.length, 1);
    assert.match(rows[0] ?? '', ROW_TEXTS.stored('sideload-sample'));
    await workbench.clearNotifications();
  });

  it('download the archive, as it was stored, to a file', async () => {
    const { workbench, folder } = shared;
    await stored.clickRowAction('sideload-sample', commandTitle(COMMANDS.downloadExtension));
    await workbench.quickInput.opened();
    await workbench.quickInput.accept();
    const { message } = await workbench.notification(MESSAGES.isSaved('sideload-sample'));
    const file = join(dirname(folder), 'sideload-sample.zip');
    assert.ok(message.includes(file), message);
    assert.equal((await readFile(file)).subarray(0, 2).toString(), 'PK');
    await workbench.clearNotifications();
  });

  it('delete a stored extension that is picked by the palette', async () => {
    const { workbench } = shared;
    await workbench.runThatAsks(COMMANDS.deleteExtension);
    await workbench.quickInput.pick('sideload-sample');
    await workbench.press(BUTTONS.delete);
    await stored.row('sideload-sample').waitFor({ state: 'detached' });
  });

  it('are replaced in the box that says that the name is taken', async () => {
    const { workbench } = shared;
    await stored.clickAction(commandTitle(COMMANDS.storeExtension));
    await workbench.quickInput.answer('replaced');
    await stored.waitForRow('replaced');
    await workbench.clearNotifications();
    await stored.clickAction(commandTitle(COMMANDS.storeExtension));
    await workbench.quickInput.type('replaced');
    await workbench.quickInput.saying(QUICK_INPUT.isStoredAlready);
    await workbench.picture(join(CACHE, 'ui', 'stored-replace.png'));
    await workbench.page.getByRole('button', { name: BUTTONS.replace }).click();
    await workbench.notification(MESSAGES.wasReplaced('replaced'));
    assert.equal((await stored.rows()).filter((row) => row.includes('replaced')).length, 1);
    await workbench.clearNotifications();
    await stored.clickRowAction('replaced', commandTitle(COMMANDS.deleteExtension));
    await workbench.press(BUTTONS.delete);
    await stored.row('replaced').waitFor({ state: 'detached' });
  });

  it('say of a profile which browser uses it', async () => {
    const { workbench } = shared;
    const [browsers, profiles] = [VIEWS.browsers, VIEWS.profiles].map((id) => workbench.view(viewTitle(id)));
    assert.ok(browsers && profiles);
    await profiles.open();
    await profiles.clickAction(commandTitle(COMMANDS.createProfile));
    await workbench.quickInput.answer(PROFILE);
    await profiles.waitForRow(PROFILE);
    await browsers.clickAction(commandTitle(COMMANDS.createBrowser));
    await workbench.quickInput.type(BROWSER);
    await workbench.page.getByRole('button', { name: QUICK_INPUT.options }).click();
    await workbench.quickInput.pick('Profile');
    await workbench.quickInput.pick(PROFILE);
    await workbench.quickInput.pick(QUICK_INPUT.loadAndSave);
    await workbench.quickInput.pick('Start Browser');
    await browsers.waitForRow(BROWSER, 60_000);
    await profiles.waitForRow(ROW_TEXTS.inUseBy(BROWSER));
    await browsers.row(BROWSER).click();
    await workbench.page.keyboard.press('Delete');
    await workbench.press(BUTTONS.delete);
    await browsers.row(BROWSER).waitFor({ state: 'detached' });
    await profiles.row(ROW_TEXTS.inUseBy(BROWSER)).waitFor({ state: 'detached' });
    await profiles.clickRowAction(PROFILE, commandTitle(COMMANDS.deleteProfile));
    await workbench.press(BUTTONS.delete);
    await profiles.row(PROFILE).waitFor({ state: 'detached' });
  });
}).timeout(120_000);
