// Covers: src/editor/storage, src/devtools
import assert from 'node:assert/strict';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { fieldOf } from '../../src/base/fields';
import { COMMANDS, type CommandId } from '../../src/ids';
import { eventually } from '../support/eventually';
import { DocumentService } from '../standins/documentService';
import type { Witness } from '../workbench/observer';
import { BUTTONS, DIALOGS, MESSAGES } from '../workbench/phrases';
import { createExpanded, deleteBrowser } from '../workbench/pushing';
import { chooseOtherService, leaveOtherService } from '../workbench/services';
import { sharedWindow, type SharedWindow } from '../workbench/sharedWindow';
import { commandTitle, submenuTitle } from '../workbench/titles';
import type { View } from '../workbench/view';
import type { Workbench } from '../workbench/workbench';

const BROWSER = 'ui-storage';
const EXTENSION = 'Sideload Sample';

/** What an exported file is called. */
const EXPORTED = 'Sideload-Sample-storage.json';

/** Longest time until what one side has changed is seen on the other, in milliseconds. */
const LIMIT_MS = 30_000;

const textOf = (items: object): string => `${JSON.stringify(items, null, 2)}\n`;

describe('the storage of the pushed extension', () => {
  let shared: SharedWindow;
  let workbench: Workbench;
  let view: View;
  let witness: Witness;
  let id: string;
  /** The file that the storage is exported to. */
  let exported: string;

  before(async function () {
    shared = await sharedWindow(this);
    ({ workbench } = shared);
    exported = join(dirname(shared.folder), EXPORTED);
    ({ witness, view, id } = await createExpanded(shared, BROWSER, EXTENSION));
  });

  after(async () => {
    await witness.close();
    await rm(exported, { force: true });
  });

  const inExtension = (expression: string): Promise<unknown> => witness.inWorker(id, expression);
  const stored = (): Promise<unknown> => inExtension('chrome.storage.local.get(null)');
  const becomes = (items: object): Promise<void> =>
    eventually(
      async () => `${JSON.stringify(await stored())} becomes ${JSON.stringify(items)}`,
      async () => isDeepStrictEqual(await stored(), items),
      LIMIT_MS,
    );
  const press = (keys: string): Promise<void> => workbench.page.keyboard.press(keys);
  const dirty = (): ReturnType<typeof workbench.page.locator> =>
    workbench.page.locator('.tabs-container .tab.active.dirty');

  it('opens as JSON from its row, and follows what the extension writes', async () => {
    await inExtension(`chrome.storage.local.set({ count: 5, name: 'first' })`);
    await view.clickRowMenu(EXTENSION, commandTitle(COMMANDS.openStorage));
    await workbench.quickInput.opened();
    await workbench.quickInput.pick(/^local/);
    await workbench.editors.textWith('"count": 5');
    await inExtension(`chrome.storage.local.set({ count: 6, ['__proto__']: { odd: true } })`);
    const text = await workbench.editors.textWith('"count": 6');
    assert.match(text, /"__proto__": \{/);
  });

  it('is written when the document is saved, and only by its changes', async () => {
    await workbench.editors.focus();
    await workbench.editors.replaceAll(textOf({ count: 7, added: ['a', 1, null] }));
    await dirty().waitFor();
    // While the document has unsaved changes: of another key, which both keep.
    await inExtension(`chrome.storage.local.set({ theirs: 1 })`);
    await workbench.editors.save();
    await becomes({ count: 7, added: ['a', 1, null], theirs: 1 });
    await workbench.editors.textWith('"theirs": 1');
    assert.deepEqual(await workbench.notifications(), []);
  });

  it('is not overwritten where both have changed the same key: VS Code asks', async () => {
    await workbench.editors.replaceAll(textOf({ count: 8, theirs: 1 }));
    await dirty().waitFor();
    // Of the same length.
    await inExtension(`chrome.storage.local.set({ count: 9 })`);
    await workbench.page.waitForTimeout(1000);
    await press('ControlOrMeta+s');
    await workbench.notification(MESSAGES.isNewer);
    assert.deepEqual(await stored(), { count: 9, added: ['a', 1, null], theirs: 1 });
    await dirty().waitFor();
    await workbench.press(BUTTONS.overwrite);
    await becomes({ count: 8, theirs: 1 });
    await dirty().waitFor({ state: 'detached' });
    await workbench.clearNotifications();
  });

  it('is not written from a text that is not JSON, which stays unsaved', async () => {
    await workbench.editors.replaceAll('{\n  "count": 10,\n}\n');
    await dirty().waitFor();
    await press('ControlOrMeta+s');
    await workbench.notification(MESSAGES.notSaved(2, 14));
    await dirty().waitFor();
    assert.deepEqual(await stored(), { count: 8, theirs: 1 });
    await workbench.clearNotifications();
    await workbench.editors.focus();
    await workbench.editors.replaceAll(textOf({ count: 10 }));
    await workbench.editors.save();
    await becomes({ count: 10 });
  });

  it('is followed after a reload of the extension, too, and after a fresh install, which empties it', async () => {
    await view.clickRowAction(EXTENSION, commandTitle(COMMANDS.reloadExtension));
    await workbench.page.waitForTimeout(1500);
    await inExtension(`chrome.storage.local.set({ count: 11 })`);
    await workbench.editors.textWith('"count": 11');
    await workbench.run(COMMANDS.freshInstall);
    assert.match(await workbench.asked(), DIALOGS.installAfresh(EXTENSION, BROWSER));
    await workbench.press(BUTTONS.installAfresh);
    await workbench.notification(MESSAGES.installedAfresh(EXTENSION, BROWSER));
    await workbench.editors.textWith('{}');
    await view.waitForRow(new RegExp(`${BROWSER}.*running`));
    await workbench.clearNotifications();
  });

  it('is cleared by the palette, and a command that needs a permission says so', async () => {
    await inExtension(`chrome.storage.local.set({ count: 12 })`);
    await workbench.editors.textWith('"count": 12');
    await workbench.runThatAsks(COMMANDS.clearStorage);
    await workbench.quickInput.accept();
    assert.match(await workbench.asked(), DIALOGS.clearStorage(EXTENSION, BROWSER));
    await workbench.press(BUTTONS.clear);
    await becomes({});
    await workbench.editors.textWith('{}');
    await workbench.run(COMMANDS.fireAlarm);
    await workbench.notification(MESSAGES.noAlarms);
    await workbench.clearNotifications();
  });

  it('is exported to a file, which merges with what is there or replaces it', async () => {
    const run = async (command: CommandId): Promise<void> => {
      await view.clickRowMenu(EXTENSION, commandTitle(command), submenuTitle('state'));
      await workbench.quickInput.opened();
    };
    await inExtension(
      `Promise.all([chrome.storage.local.set({ count: 13 }), chrome.storage.sync.set({ synced: true })])`,
    );
    await run(COMMANDS.exportStorage);
    await workbench.quickInput.chooseFile();
    const { message } = await workbench.notification(MESSAGES.storageSaved(EXTENSION));
    assert.ok(message.includes(exported), message);
    const content: unknown = JSON.parse(await readFile(exported, 'utf8'));
    assert.deepEqual(fieldOf(content, 'areas'), {
      local: { count: 13 },
      sync: { synced: true },
      session: {},
      managed: {},
    });
    await workbench.clearNotifications();

    const importIt = async (button: string): Promise<void> => {
      await run(COMMANDS.importStorage);
      await workbench.quickInput.chooseFile(exported);
      assert.match(await workbench.asked(), DIALOGS.importStorage(EXPORTED, EXTENSION, BROWSER));
      await workbench.press(button);
      await workbench.notification(MESSAGES.storageImported(EXTENSION));
      await workbench.clearNotifications();
    };
    await inExtension(`Promise.all([chrome.storage.local.set({ count: 14, other: 1 }), chrome.storage.sync.clear()])`);
    await importIt(BUTTONS.merge);
    await becomes({ count: 13, other: 1 });
    assert.deepEqual(await inExtension('chrome.storage.sync.get(null)'), { synced: true });
    await importIt(BUTTONS.replace);
    await becomes({ count: 13 });
  });

  it('is not imported from a file that was not exported', async () => {
    await writeFile(exported, '{ "count": 14 }');
    await workbench.runThatAsks(COMMANDS.importStorage);
    await workbench.quickInput.chooseFile(exported);
    await workbench.notification(MESSAGES.notAnExport);
    assert.deepEqual(await stored(), { count: 13 });
    await workbench.clearNotifications();
  });

  it('of 5 MB is shown, and one of its keys is changed', async () => {
    await inExtension(`chrome.storage.local.set({ big: 'ü'.repeat(2_500_000), edited: 1 })`);
    await workbench.editors.textWith('"edited": 1');
    await workbench.editors.focus();
    // To the end of the line that is edited: below it are a bracket and an empty line.
    for (const keys of ['ControlOrMeta+End', 'ArrowUp', 'ArrowUp', 'End', 'Backspace', '2']) await press(keys);
    await workbench.editors.save();
    const values = `chrome.storage.local.get(null).then(({ big, edited }) => [big === 'ü'.repeat(2_500_000), edited])`;
    assert.deepEqual(await inExtension(values), [true, 2]);
    await inExtension('chrome.storage.local.clear()');
    await workbench.editors.textWith('{}');
  });

  it('that exceeds its quota is not written, and stays in the document', async () => {
    await view.clickRowMenu(EXTENSION, commandTitle(COMMANDS.openStorage));
    await workbench.quickInput.pick(/^sync/);
    await workbench.editors.textWith('"synced": true');
    await workbench.editors.focus();
    await workbench.editors.replaceAll(textOf({ large: 'x'.repeat(9000), small: 1 }));
    await dirty().waitFor();
    await press('ControlOrMeta+s');
    await workbench.notification(MESSAGES.noRoom);
    await dirty().waitFor();
    assert.deepEqual(await inExtension('chrome.storage.sync.get(null)'), { synced: true });
    await workbench.clearNotifications();
    await workbench.editors.focus();
    await workbench.editors.replaceAll(textOf({ large: 'x'.repeat(8000), small: 1 }));
    await workbench.editors.save();
    assert.deepEqual(await inExtension('chrome.storage.sync.get(null)'), { large: 'x'.repeat(8000), small: 1 });
  });

  it('is read over a page that is closed with the last document', async () => {
    const pages = async (): Promise<number> =>
      (await witness.targets()).filter((url) => url === `chrome-extension://${id}/manifest.json?sideload`).length;
    assert.equal(await pages(), 1);
    await workbench.editors.closeAll();
    await eventually('the page is closed', async () => (await pages()) === 0, LIMIT_MS);
  });

  it('is not written while another service is chosen, which may have a browser with the same id', async () => {
    await inExtension('chrome.storage.local.clear()');
    await view.clickRowMenu(EXTENSION, commandTitle(COMMANDS.openStorage));
    await workbench.quickInput.pick(/^local/);
    await workbench.editors.textWith('{}');
    const other = await DocumentService.start();
    try {
      await chooseOtherService(workbench, other.baseUrl, other.token);
      await workbench.editors.focus();
      await workbench.editors.replaceAll(textOf({ mine: 1 }));
      await press('ControlOrMeta+s');
      await workbench.notification(MESSAGES.documentOfOther);
      await dirty().waitFor();
      await workbench.clearNotifications();
    } finally {
      await leaveOtherService(workbench);
      await other.stop();
    }
    // Its row is folded again.
    await view.row(BROWSER).click();
    await workbench.page.keyboard.press('ArrowRight');
    await view.row(EXTENSION).waitFor();
    await workbench.editors.focus();
    await workbench.editors.save();
    await becomes({ mine: 1 });
    await inExtension('chrome.storage.local.clear()');
    await workbench.editors.closeAll();
  });

  it('of a browser that has ended is not lost in the document, and a save says why it cannot be written', async () => {
    await view.clickRowMenu(EXTENSION, commandTitle(COMMANDS.openStorage));
    await workbench.quickInput.pick(/^session/);
    await workbench.editors.textWith('{}');
    await deleteBrowser(workbench, BROWSER);
    await workbench.editors.focus();
    await workbench.editors.replaceAll(textOf({ mine: 1 }));
    await press('ControlOrMeta+s');
    await workbench.notification(MESSAGES.hasEnded);
    await dirty().waitFor();
    await workbench.clearNotifications();
    await workbench.editors.discard();
  });
}).timeout(120_000);
