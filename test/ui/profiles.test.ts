import assert from 'node:assert/strict';
import { COMMANDS, VIEWS } from '../../src/ids';
import { BUTTONS, DIALOGS, QUICK_INPUT, ROW_TEXTS, WELCOME } from '../support/phrases';
import { sharedWindow } from '../support/sharedWindow';
import { commandTitle, containerTitle, paletteTitle, viewTitle } from '../support/titles';
import type { View } from '../support/view';
import type { Workbench } from '../support/workbench';

describe('profiles in the sidebar', () => {
  let workbench: Workbench;
  let view: View;

  before(async function () {
    ({ workbench } = await sharedWindow(this));
    await workbench.openSidebar(containerTitle());
    view = workbench.view(viewTitle(VIEWS.profiles));
    await view.open();
  });

  it('rejects an invalid name while it is typed', async () => {
    await view.clickAction(commandTitle(COMMANDS.createProfile));
    await workbench.quickInput.type('no blanks');
    await workbench.quickInput.accept();
    await workbench.quickInput.saying(QUICK_INPUT.badName);
    await workbench.quickInput.cancel();
  });

  it('lists a profile once it is created', async () => {
    await view.clickAction(commandTitle(COMMANDS.createProfile));
    await workbench.quickInput.answer('ui-profile');
    await view.waitForRow('ui-profile');
    assert.deepEqual(await view.rows(), [ROW_TEXTS.newProfile('ui-profile')]);
  });

  it('shows a profile by its name as a document', async () => {
    await workbench.command(paletteTitle(COMMANDS.showProfile));
    await workbench.quickInput.answer('ui-profile');
    const text = await workbench.editors.textWith('"name"');
    assert.match(text, /"name": "ui-profile"/);
    await workbench.editors.discard();
  });

  it('deletes a profile after a confirmation; then the list is empty', async () => {
    await view.clickRowAction('ui-profile', commandTitle(COMMANDS.deleteProfile));
    assert.match(await workbench.asked(), DIALOGS.deleteProfile('ui-profile'));
    await workbench.press(BUTTONS.delete);
    assert.match(await view.welcome(), WELCOME.noProfile);
  });
}).timeout(60_000);
