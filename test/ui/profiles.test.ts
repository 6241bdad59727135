// Covers: src/editor/lists, src/editor/browsers, src/editor/targets
import assert from 'node:assert/strict';
import { COMMANDS, VIEWS } from '../../src/ids';
import { eventually } from '../support/eventually';
import { BUTTONS, DIALOGS, QUICK_INPUT, ROW_TEXTS, WELCOME } from '../workbench/phrases';
import { openRecords } from '../workbench/pushing';
import { sharedWindow } from '../workbench/sharedWindow';
import { commandTitle, viewTitle } from '../workbench/titles';
import type { View } from '../workbench/view';
import type { Workbench } from '../workbench/workbench';

describe('profiles in the sidebar', () => {
  let workbench: Workbench;
  let view: View;

  before(async function () {
    ({ workbench } = await sharedWindow(this));
    await openRecords(workbench);
    view = workbench.view(viewTitle(VIEWS.profiles));
  });

  it('rejects an invalid name while it is typed', async () => {
    await view.clickAction(commandTitle(COMMANDS.createProfile));
    await workbench.quickInput.type('no/slash');
    await workbench.quickInput.accept();
    await workbench.quickInput.saying(QUICK_INPUT.badName);
    await workbench.quickInput.cancel();
  });

  it('lists a profile once it is created', async () => {
    await view.clickAction(commandTitle(COMMANDS.createProfile));
    await workbench.quickInput.type('ui profile');
    await workbench.quickInput.saying(QUICK_INPUT.willBe('ui-profile'));
    await workbench.quickInput.accept();
    await view.waitForRow('ui-profile');
    assert.deepEqual(await view.rows(), [ROW_TEXTS.newProfile('ui-profile')]);
  });

  it('shows a profile that is picked from a list as a document', async () => {
    await workbench.runThatAsks(COMMANDS.showProfile);
    await workbench.quickInput.pick('ui-profile');
    const text = await workbench.editors.textWith('"name"');
    assert.match(text, /"name": "ui-profile"/);
    await workbench.editors.discard();
  });

  it('renames the selected profile by F2', async () => {
    await view.row('ui-profile').click();
    await workbench.page.keyboard.press('F2');
    await workbench.quickInput.answer('ui-renamed');
    await view.waitForRow('ui-renamed');
    assert.deepEqual(await view.rows(), [ROW_TEXTS.newProfile('ui-renamed')]);
  });

  it('copies the id of a profile', async () => {
    await view.clickRowMenu('ui-renamed', commandTitle(COMMANDS.copyId));
    const read = (): Promise<string> => workbench.page.evaluate('navigator.clipboard.readText()');
    await eventually(read, async () => /^[a-z0-9]{10,}$/.test(await read()), 5000);
  });

  it('deletes the selected profile by the Delete key after a confirmation; then the list is empty', async () => {
    await view.row('ui-renamed').click();
    await workbench.page.keyboard.press('Delete');
    assert.match(await workbench.asked(), DIALOGS.deleteProfile('ui-renamed'));
    await workbench.press(BUTTONS.delete);
    assert.match(await view.welcome(), WELCOME.whatProfilesAreFor);
  });
}).timeout(120_000);
