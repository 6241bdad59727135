// Covers: src/editor/service, src/editor/lists, src/editor/browsers, src/editor/targets, src/editor/screen, src/screen/page, src/service
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { COMMANDS, VIEWS } from '../../src/ids';
import { DocumentService } from '../standins/documentService';
import { eventually } from '../support/eventually';
import { CACHE } from '../support/paths';
import { BUTTONS, MESSAGES, QUICK_INPUT, ROW_TEXTS, SCREEN, SCROLL, WELCOME } from '../workbench/phrases';
import { openBrowsers, openRecords } from '../workbench/pushing';
import { chooseOtherService, chooseServiceOfBefore, leaveOtherService } from '../workbench/services';
import { sharedWindow } from '../workbench/sharedWindow';
import { commandTitle, paletteTitle, viewTitle } from '../workbench/titles';
import type { View } from '../workbench/view';
import type { Workbench } from '../workbench/workbench';

/** Longer than two of the pauses in which lists are refreshed, in milliseconds. */
const QUIET_MS = 22_000;

/** How long what is asked of the service may take, in milliseconds. */
const REACH_LIMIT_MS = 60_000;

/** A list that the service does not have. */
const LISTS = [/^GET \/browsers\b/, /^GET \/profiles\?/, /^GET \/extensions\?/];

describe('a service with the five operations of the interface document', () => {
  let workbench: Workbench;
  let service: DocumentService;
  let browsers: View;

  before(async function () {
    ({ workbench } = await sharedWindow(this));
    service = await DocumentService.start();
    service.stored.add('old-build');
    await openBrowsers(workbench);
    await chooseOtherService(workbench, service.baseUrl, service.token);
    browsers = workbench.view(viewTitle(VIEWS.browsers));
  });

  after(async function () {
    this.timeout(120_000);
    for (const id of [VIEWS.profiles, VIEWS.extensions]) await workbench.view(viewTitle(id)).close();
    await leaveOtherService(workbench);
    await service.stop();
  });

  const picture = (name: string): Promise<void> => workbench.picture(join(CACHE, 'ui', name));

  it('is said to list nothing, and is asked once for each list', async () => {
    await browsers.waitForWelcome(WELCOME.browsersUnlisted);
    await openRecords(workbench);
    for (const id of [VIEWS.profiles, VIEWS.extensions]) {
      const view = workbench.view(viewTitle(id));
      await view.open();
      await view.waitForWelcome(id === VIEWS.profiles ? WELCOME.profilesUnlisted : WELCOME.extensionsUnlisted);
    }
    await picture('document-empty.png');
    await new Promise((done) => setTimeout(done, QUIET_MS));
    for (const list of LISTS) assert.ok(service.count(list) <= 1, `${list}: ${service.requests.join('\n')}`);
    assert.deepEqual(await workbench.notifications(), []);
  });

  it('has the browsers whose ids are entered; an impossible id is refused before a request', async () => {
    service.clear();
    await browsers.clickWelcome(BUTTONS.enterBrowser);
    await workbench.quickInput.type('brw/1?x');
    await workbench.quickInput.saying(QUICK_INPUT.badId);
    assert.deepEqual(service.requests, []);
    await workbench.quickInput.answer('brw-1');
    await browsers.waitForRow('brw-1');
    assert.ok(service.count(/^GET \/browsers\/brw-1$/) <= 1);
    await picture('document-browser.png');
  });

  it('creates a profile, which is shown, and shows one whose name is entered', async () => {
    await workbench.commandThatAsks(paletteTitle(COMMANDS.createProfile));
    await workbench.quickInput.answer('team');
    const view = workbench.view(viewTitle(VIEWS.profiles));
    await view.waitForRow('team');
    assert.deepEqual(await workbench.notifications(), []);
    service.clear();
    await workbench.runThatAsks(COMMANDS.showProfile);
    await workbench.quickInput.pick(QUICK_INPUT.enterId);
    await workbench.quickInput.answer('team');
    assert.match(await workbench.editors.textWith('"name"'), /"team"/);
    assert.equal(service.count(/^GET \/profiles\/team$/) >= 1, true);
    await workbench.editors.discard();
  });

  it('says what is wrong with a profile, with the code of the service', async () => {
    await workbench.commandThatAsks(paletteTitle(COMMANDS.createProfile));
    await workbench.quickInput.answer('team');
    const { message } = await workbench.notification(/the name exists/);
    assert.match(message, /the name exists \(conflict\)\. Choose another name\./);
    await workbench.clearNotifications();
  });

  it('deletes a stored extension by the name that is entered', async () => {
    await workbench.runThatAsks(COMMANDS.deleteExtension);
    await workbench.quickInput.pick(QUICK_INPUT.enterId);
    await workbench.quickInput.answer('old-build');
    await workbench.asked();
    await workbench.press(BUTTONS.delete);
    await eventually(
      () => 'the extension is still stored',
      () => service.stored.size === 0,
      REACH_LIMIT_MS,
    );
    assert.deepEqual(await workbench.notifications(), []);
  });

  it('scrolls the browser that was entered', async () => {
    await workbench.run(COMMANDS.scrollDown);
    await eventually(
      () => 'the browser was not scrolled',
      () => service.scrolls.length === 1,
      REACH_LIMIT_MS,
    );
    assert.deepEqual(Object.keys(service.scrolls[0] ?? {}).sort(), ['delta_x', 'delta_y', 'x', 'y']);
  });

  it('opens the screen with its exact wheel, and says why there is no picture', async () => {
    service.scrolls.length = 0;
    await browsers.clickRowAction('brw-1', commandTitle(COMMANDS.openScroll));
    const panel = workbench.editors.webview();
    await panel.locator('#status').getByText(SCREEN.withoutPicture).waitFor();
    await panel.getByText(SCREEN.noPictures).first().waitFor();
    await panel.getByRole('button', { name: SCROLL.down, exact: true }).click();
    await eventually(
      () => `the service has ${service.scrolls.length} scrolls`,
      () => service.scrolls.length === 1,
      REACH_LIMIT_MS,
    );
    assert.equal(service.count(/screenshot/), 1);
    await picture('document-screen.png');
    // A browser of another service with the same id is not turned.
    const other = await DocumentService.start();
    await chooseOtherService(workbench, other.baseUrl, other.token);
    await panel.getByRole('button', { name: SCROLL.down, exact: true }).click();
    await panel.getByText(SCREEN.otherService).first().waitFor();
    await picture('document-screen-other.png');
    await chooseServiceOfBefore(workbench, service.baseUrl);
    await other.stop();
    assert.deepEqual(other.scrolls, []);
    await workbench.editors.closeAll();
  });

  it('has no entry in a row for what it cannot do', async () => {
    const menu = await browsers.menuOf('brw-1');
    for (const missing of [COMMANDS.startConsole, COMMANDS.debugExtension, COMMANDS.deleteBrowser]) {
      assert.ok(!menu.includes(commandTitle(missing)), menu.join());
    }
    assert.ok(menu.includes(commandTitle(COMMANDS.removeEntered)), menu.join());
  });

  it('is said to lack what a command of the palette needs', async () => {
    await workbench.runThatAsks(COMMANDS.createBrowser);
    await workbench.quickInput.answer('one');
    const { message } = await workbench.notification(MESSAGES.startsNoBrowsers);
    // The focus comes back to the row, and VS Code brings what has it into view.
    assert.match(await browsers.message(), ROW_TEXTS.entered);
    await picture('document-create.png');
    assert.match(message, /this operation is not shown \(not_found\)\./);
    await workbench.clearNotifications();
  });

  it('keeps what was entered, until it is removed', async () => {
    await browsers.clickRowMenu('brw-1', commandTitle(COMMANDS.removeEntered));
    await browsers.waitForWelcome(WELCOME.browsersUnlisted);
  });
}).timeout(120_000);
