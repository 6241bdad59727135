// Covers: src/editor/service, src/editor/lists, src/service
import assert from 'node:assert/strict';
import { COMMANDS, VIEWS } from '../../src/ids';
import { TestService } from '../contract/service';
import { BUTTONS, LOG, MESSAGES, QUICK_INPUT, WELCOME } from '../workbench/phrases';
import { openRecords, readLog } from '../workbench/pushing';
import { sharedWindow, type SharedWindow } from '../workbench/sharedWindow';
import { commandTitle, paletteTitle, viewTitle } from '../workbench/titles';
import type { Workbench } from '../workbench/workbench';

const TOKEN = 'right-token-of-the-ui-test';
const PROFILE = 'ui-profile';

describe('another service, with a token', () => {
  let shared: SharedWindow;
  let workbench: Workbench;
  let service: TestService;

  before(async function () {
    shared = await sharedWindow(this);
    ({ workbench } = shared);
    service = await TestService.start(['--token', TOKEN]);
    await openRecords(workbench);
  });

  after(async function () {
    this.timeout(120_000);
    await chooseService(QUICK_INPUT.localService);
    await service.stop();
  });

  async function chooseService(label: string): Promise<void> {
    await workbench.commandThatAsks(paletteTitle(COMMANDS.chooseService));
    await workbench.quickInput.pick(label);
  }

  const welcome = async (id: string): Promise<string> => {
    const view = workbench.view(viewTitle(id));
    await view.open();
    return view.welcome();
  };

  it('is chosen by its address, which must be https unless it is on this machine', async () => {
    await chooseService(QUICK_INPUT.otherService);
    await workbench.quickInput.type('http://service.example.com');
    await workbench.quickInput.saying(QUICK_INPUT.needsHttps);
    await workbench.quickInput.answer(service.baseUrl);
    await workbench.page.locator('.quick-input-title', { hasText: QUICK_INPUT.tokenTitle }).waitFor();
    await workbench.quickInput.cancel();
    assert.match(await welcome(VIEWS.browsers), WELCOME.setToken);
  });

  it('tells at once that a token is wrong, in the list as well, and shows its lists after the right one', async () => {
    const browsers = workbench.view(viewTitle(VIEWS.browsers));
    await browsers.clickWelcome(BUTTONS.setToken);
    await workbench.quickInput.answer('wrong-token');
    await workbench.quickInput.closed();
    const { message, buttons } = await workbench.notification(MESSAGES.wrongToken);
    assert.doesNotMatch(message, /wrong-token/);
    assert.deepEqual(buttons, [BUTTONS.setToken]);
    await browsers.waitForWelcome(WELCOME.tokenRefused);
    await workbench.press(BUTTONS.setToken);
    await workbench.quickInput.answer(TOKEN);
    await workbench.quickInput.closed();
    await workbench.view(viewTitle(VIEWS.browsers)).waitForWelcome(WELCOME.noBrowser);
    await workbench.clearNotifications();
  });

  it('creates a profile, rejects a second one of the same name, shows it and deletes it by the palette', async () => {
    const profiles = workbench.view(viewTitle(VIEWS.profiles));
    await profiles.open();
    for (const expected of [profiles.waitForRow(PROFILE), workbench.notification(MESSAGES.nameIsTaken)]) {
      await workbench.commandThatAsks(paletteTitle(COMMANDS.createProfile));
      await workbench.quickInput.answer(PROFILE);
      await expected;
    }
    await workbench.clearNotifications();
    await workbench.runThatAsks(COMMANDS.showProfile);
    await workbench.quickInput.pick(PROFILE);
    await workbench.page.locator('.view-lines', { hasText: `"name": "${PROFILE}"` }).waitFor();
    await workbench.runThatAsks(COMMANDS.deleteProfile);
    await workbench.quickInput.pick(PROFILE);
    await workbench.press(BUTTONS.delete);
    assert.match(await welcome(VIEWS.profiles), WELCOME.whatProfilesAreFor);
    await workbench.editors.discard();
  });

  it('lists a stored extension and deletes it by its row', async () => {
    const zip = new File(['PK\u0005\u0006' + '\0'.repeat(18)], 'stored.zip', { type: 'application/zip' });
    const stored = await service.client.extensions
      .upload({ file: zip, name: 'stored' })
      .catch((error: unknown) => error);
    assert.ok(typeof stored === 'object' && stored !== null && 'id' in stored, String(stored));
    await workbench.command(paletteTitle(COMMANDS.refresh));
    const view = workbench.view(viewTitle(VIEWS.extensions));
    await view.open();
    await view.clickRowAction('stored', commandTitle(COMMANDS.deleteExtension));
    await workbench.press(BUTTONS.delete);
    assert.match(await welcome(VIEWS.extensions), WELCOME.whatStoredExtensionsAreFor);
  });

  it('has empty lists after the token was cleared', async () => {
    await workbench.command(paletteTitle(COMMANDS.clearToken));
    await workbench.view(viewTitle(VIEWS.browsers)).waitForWelcome(WELCOME.needsToken);
    await workbench.clearNotifications();
  });

  it('never writes a token into the log', async () => {
    const log = (await readLog(workbench)).join('\n');
    assert.match(log, LOG.tokenStored);
    assert.doesNotMatch(log, new RegExp(`${TOKEN}|wrong-token`));
  });
}).timeout(120_000);
